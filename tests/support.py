"""What several test modules need: refusals, seeded coins, and chi-square tests with their power."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.randomness.generators import SeededRandomness
from privtopk.spec.model.errors import Reason, SelectionError

FALSE_ALARMS = 1e-9
"""How often a chi-square test rejects the right law."""


THIRDS = dict.fromkeys(product(range(3), repeat=3), 1 / 27)
"""The law of three independent variables that are uniform on 0, 1, 2."""


def third(probability: float) -> int:
    """Return in which third of the unit interval a probability lies."""
    return min(2, int(3 * probability))


def refusal(call: Callable[[], object]) -> tuple[Reason, str]:
    """Return the reason and the whole message with which a call is refused."""
    with pytest.raises(SelectionError) as caught:
        call()
    return caught.value.reason, str(caught.value)


def seeded(seed: int = 1) -> SeededRandomness:
    """Return seeded coins."""
    return SeededRandomness(np.random.default_rng(seed))


def fits(
    drawn: Iterable[Hashable], law: Mapping[Any, float | Fraction], draws: int, defect: float
) -> bool:
    """Return whether chi-square accepts the law of so many draws.

    The defect is the sum of (p - q)^2/q from which on it finds a wrong law with power 0.99.
    """
    counts, freedom = Counter(drawn), len(law) - 1
    expected = {outcome: float(draws * probability) for outcome, probability in law.items()}
    limit = stats.chi2.isf(FALSE_ALARMS, freedom)
    assert counts.total() == draws
    assert min(expected.values()) >= 5
    assert stats.ncx2.sf(limit, freedom, defect * draws) >= 0.99
    statistic = sum((counts[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
    return set(counts) <= set(law) and bool(statistic < limit)
