"""Facts about limits of a mean."""

import math

import numpy as np
import pytest
from scipy import stats

from privtopk.conformance.evidence.confidence import (
    Interval,
    lower_limit,
    mean_interval,
    student_interval,
    upper_limit,
)
from privtopk.conformance.evidence.e_process import MeanAtMost

ALPHA = 1e-6


def coins(chance: float, n: int, seed: int = 0) -> np.ndarray:
    """Return n tosses of a coin."""
    return (np.random.default_rng(seed).random(n) < chance).astype(float)


def test_the_lower_limit_is_where_the_evidence_suffices() -> None:
    """A mean just below the limit is ruled out, one just above is not."""
    values = coins(0.4, 300)
    limit = lower_limit(values, ALPHA)
    logs = []
    for bound in (limit - 1e-9, limit + 1e-9):
        process = MeanAtMost(bound).process()
        process.update(values)
        logs.append(process.log_e)
    assert logs[0] >= -math.log(ALPHA) > logs[1]


def test_limits_enclose_the_mean() -> None:
    """The observed mean is never ruled out, and more tosses rule out more."""
    few, many = (mean_interval(coins(0.3, n), ALPHA) for n in (100, 10_000))
    assert few.low < few.mean < few.high
    assert few.low < many.low < 0.3 < many.high < few.high


@pytest.mark.parametrize(("value", "low", "high"), [(0.0, 0.0, 0.5), (1.0, 0.5, 1.0)])
def test_constant_observations_have_one_trivial_limit(
    value: float, low: float, high: float
) -> None:
    """A hundred zeros leave 0 possible, a hundred ones leave 1 possible."""
    found = mean_interval(np.full(100, value), ALPHA)
    assert found.mean == value
    assert low <= found.low <= found.high <= high


def test_limits_mirror_each_other() -> None:
    """The upper limit of x is 1 minus the lower limit of 1 - x."""
    values = coins(0.7, 200)
    assert upper_limit(values, ALPHA) == 1 - lower_limit(1 - values, ALPHA)


@pytest.mark.slow
def test_the_lower_limit_is_seldom_too_high() -> None:
    """The limit at level 0.05 ever exceeds the mean in at most one run of 20.

    Null: P(limit above the mean after 60 or after 240 looks) <= 0.05. 150 runs of a coin of
    chance 0.2; the test fails beyond the binomial quantile of 1 - 1e-9. A limit that is wrong
    in a third of the runs is found with probability above 0.99.
    """
    wrong = 0
    for seed in range(150):
        values = coins(0.2, 240, seed)
        wrong += any(lower_limit(values[:n], 0.05) > 0.2 for n in (60, 240))
    assert wrong <= stats.binom.isf(1e-9, 150, 0.05)


def test_student() -> None:
    """Student's interval is that of the textbook, and infinite after one observation."""
    values = np.array([1.0, 2.0, 4.0, 5.0])
    found = student_interval(values)
    low, high = stats.t.interval(0.95, 3, loc=3.0, scale=stats.sem(values))
    assert (found.mean, found.low, found.high) == pytest.approx((3.0, low, high))
    assert student_interval(np.array([2.0])) == Interval(2.0, -math.inf, math.inf)


def test_an_interval_in_another_unit() -> None:
    """Scaling an interval multiplies all three numbers."""
    assert Interval(0.5, 0.25, 1.0).times(8) == Interval(4.0, 2.0, 8.0)
