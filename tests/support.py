"""Shared by several test modules: refusals, seeded randomness, and tests of laws."""

import math
import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.randomness.generators import SeededRandomness
from privtopk.spec.model.errors import Reason, SelectionError

FALSE_ALARMS = 1e-9
"""The probability that a test of a law rejects the right one."""

DISTANCE = 0.035
"""The smallest sup |F - G| at which `fits_cdf` finds a wrong law with power 0.99."""

MARGIN = 0.0116
"""An empirical law of 20,000 draws is farther from the true law with probability below 0.01."""

THIRDS = dict.fromkeys(product(range(3), repeat=3), 1 / 27)
"""The law of three independent variables that are uniform on 0, 1, 2."""


def third(probability: float) -> int:
    """Return the third of the unit interval in which a probability lies."""
    return min(2, int(3 * probability))


def refusal(call: Callable[[], object]) -> tuple[Reason, str]:
    """Return the reason and the whole message of the error that a call raises."""
    with pytest.raises(SelectionError) as caught:
        call()
    return caught.value.reason, str(caught.value)


def shown_by(error: BaseException) -> str:
    """Return all that an exception shows, with everything that it refers to.

    That is its text, repr, arguments, attributes, notes and traceback, and those of its cause, its
    context, and of exceptions among its arguments and attributes.
    """
    waiting: list[object] = [error]
    links: list[BaseException] = []
    texts = []
    while waiting:
        link = waiting.pop()
        if isinstance(link, BaseException) and not any(link is known for known in links):
            links.append(link)
            texts += [str(link), repr(link), repr(link.args), repr(vars(link))]
            texts += traceback.format_exception(link)
            waiting += [link.__cause__, link.__context__, *link.args, *vars(link).values()]
    return "\n".join(texts)


def seeded_coins(seed: int = 1) -> SeededRandomness:
    """Return seeded randomness."""
    return SeededRandomness(np.random.default_rng(seed))


def fits(
    drawn: Iterable[Hashable], law: Mapping[Any, float | Fraction], draws: int, defect: float
) -> bool:
    """Return whether a chi-square test accepts the law of these draws.

    It finds a wrong law with power 0.99 if the sum of (p - q)^2/q is at least the defect.
    """
    counts, freedom = Counter(drawn), len(law) - 1
    expected = {outcome: float(draws * probability) for outcome, probability in law.items()}
    limit = stats.chi2.isf(FALSE_ALARMS, freedom)
    assert counts.total() == draws
    assert min(expected.values()) >= 5
    assert stats.ncx2.sf(limit, freedom, defect * draws) >= 0.99
    statistic = sum((counts[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
    return set(counts) <= set(law) and bool(statistic < limit)


def fits_cdf(drawn: Sequence[float], cdf: Callable[[Any], Any]) -> bool:
    """Return whether a Kolmogorov-Smirnov test accepts a continuous law of these draws.

    It finds a law at distance sup |F - G| >= 0.035 with power 0.99, by the inequality of
    Dvoretzky, Kiefer and Wolfowitz.
    """
    draws = len(drawn)
    limit = stats.kstwo.isf(FALSE_ALARMS, draws)
    assert 2 * math.exp(-2 * draws * MARGIN**2) < 0.01
    assert limit + MARGIN < DISTANCE
    return bool(stats.kstest(drawn, cdf).statistic < limit)
