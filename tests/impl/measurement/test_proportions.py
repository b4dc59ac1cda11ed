"""Facts about the exact statistics of a proportion."""

import pytest
from scipy import stats

from privtopk.impl.measurement.proportions import at_least, at_most, interval, two_sided


@pytest.mark.parametrize("probability", [0.01, 0.5, 0.99])
@pytest.mark.parametrize("successes", [0, 1, 17, 40])
def test_tails_are_binomial(successes: int, probability: float) -> None:
    """Both tails equal those of scipy's binomial law."""
    law = stats.binom(40, probability)
    assert at_least(successes, 40, probability) == pytest.approx(law.sf(successes - 1), rel=1e-10)
    assert at_most(successes, 40, probability) == pytest.approx(law.cdf(successes), rel=1e-10)


def test_certain_outcomes() -> None:
    """With probability 0 nothing succeeds, with probability 1 everything does."""
    assert (at_least(1, 5, 0.0), at_least(5, 5, 1.0), at_least(0, 5, 0.0)) == (0, 1, 1)
    assert at_most(4, 5, 1.0) == 0


def test_two_sided() -> None:
    """The value is twice the smaller tail, and at most 1."""
    assert two_sided(0, 10, 0.5) == pytest.approx(2 / 1024)
    assert two_sided(5, 10, 0.5) == 1


@pytest.mark.parametrize("successes", [0, 3, 50, 100])
def test_intervals_are_clopper_and_pearsons(successes: int) -> None:
    """The interval equals scipy's exact one."""
    exact = stats.binomtest(successes, 100).proportion_ci(0.95, method="exact")
    assert interval(successes, 100, 0.05) == pytest.approx((exact.low, exact.high), abs=1e-9)
