"""The baselines have the right law: a wrong one could be arbitrarily fast."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.measurement import baselines
from privtopk.impl.measurement.baselines import PrefixSums, block_scan, naive_scan
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.laws.gumbel import float_weights, set_law

DRAWS = 20_000
SCORES = np.array([2, 0, 2, 1, 0])
K, EPSILON = 2, 0.6


def table(scores: Integers, k: int, epsilon: float, generator: np.random.Generator) -> list[int]:
    """Select k items by a table of prefix sums."""
    return PrefixSums(scores, epsilon).select(k, generator)


@pytest.mark.slow
@pytest.mark.parametrize("select", [naive_scan, block_scan, table])
@pytest.mark.parametrize("block", [2, 1 << 14])
def test_the_law_of_the_set(
    select: Callable[..., Integers | list[int]], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Selected sets have the exact law: chi-square, false alarms 1e-9.

    With 9 degrees of freedom a law at a chi-square distance of 0.0055 is missed with a
    probability of 1 % at most.
    """
    monkeypatch.setattr(baselines, "BLOCK", block)
    law = set_law(float_weights(tuple(SCORES.tolist()), EPSILON), K)
    limit = stats.chi2.isf(1e-9, len(law) - 1)
    assert stats.ncx2.sf(limit, len(law) - 1, 0.0055 * DRAWS) >= 0.99
    generator = np.random.default_rng(7)
    counts = Counter(
        frozenset(int(item) + 1 for item in select(SCORES, K, EPSILON, generator))
        for _ in range(DRAWS)
    )
    assert set(counts) <= set(law)
    statistic = sum((counts[s] - DRAWS * p) ** 2 / (DRAWS * p) for s, p in law.items())
    assert statistic < limit


@pytest.mark.parametrize("select", [naive_scan, block_scan, table])
def test_everything_is_selected(select: Callable[..., Integers | list[int]]) -> None:
    """With k = m all items are selected, once each."""
    found = select(SCORES, 5, EPSILON, np.random.default_rng(1))
    assert sorted(int(item) for item in found) == [0, 1, 2, 3, 4]


def test_weights_vanish() -> None:
    """An item far below the leader has weight 0 in the table."""
    assert PrefixSums(np.array([0, 1000, 1000, 0]), 1.0).reachable == 2
    assert PrefixSums(np.array([5, 5, 5]), 1.0).reachable == 3
