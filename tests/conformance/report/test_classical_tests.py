"""Classical statistics and the smallest defect, which are shown and decide nothing."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from privtopk.conformance.evidence.e_process import (
    Categories,
    MeanAtMost,
    Null,
    SuperUniform,
    Uniform,
)
from privtopk.conformance.report.classical_tests import (
    Defect,
    chi_square,
    classical_test,
    fit_slope,
    holm,
    merged_cells,
    smallest_breach,
    smallest_defect,
)
from sample_runs import numbers

COINS = Categories((0.5, 0.5), ("head", "tail"))
ALPHA = 1.6e-7


def test_uniform_streams_are_shown_with_kolmogorov_smirnov() -> None:
    """The p-value of a uniform stream is that of scipy's Kolmogorov-Smirnov test."""
    values = np.random.default_rng(1).random(50)
    test = classical_test(Uniform(), values)
    assert test is not None
    assert (test.name, test.p_value) == (
        "Kolmogorov-Smirnov",
        stats.kstest(values, "uniform").pvalue,
    )


def test_p_values_are_shown_with_one_side() -> None:
    """P-values that are too large are not evidence."""
    large = classical_test(SuperUniform(), np.linspace(0.5, 1, 50))
    small = classical_test(SuperUniform(), numbers([0.1] * 50))
    assert large is not None
    assert small is not None
    assert large.p_value > 0.9
    assert small.p_value < 1e-9


def test_categories_are_shown_with_chi_square() -> None:
    """60 heads of 100 have the p-value of a chi-square of 4."""
    assert chi_square(COINS, numbers([0] * 60 + [1] * 40)) == pytest.approx(stats.chi2.sf(4, 1))


def test_chi_square_needs_two_cells() -> None:
    """With 9 throws only one of the merged cells expects 5, so there is no p-value."""
    assert chi_square(COINS, numbers([0] * 9)) is None
    assert classical_test(COINS, numbers([0] * 9)) is None


def test_an_impossible_category_has_p_value_0() -> None:
    """An observed category with probability 0 is not merged, and gives p-value 0."""
    assert chi_square(Categories((1.0, 0.0), ("a", "b")), numbers([0] * 20 + [1])) == 0.0


def test_means_have_no_classical_test() -> None:
    """Streams that test a mean have no p-value."""
    assert classical_test(MeanAtMost(0.5), numbers([0.1])) is None


def test_nothing_seen_has_no_classical_test() -> None:
    """A stream without observations has no p-value."""
    assert classical_test(Uniform(), numbers([])) is None


def test_cells_are_merged_until_each_expects_5() -> None:
    """Cells with the least expected count are merged first; the rest joins the last cell."""
    observed = np.array([1, 2, 3, 30])
    merged = merged_cells(observed, np.array([1.0, 2.0, 3.0, 30.0]))
    assert merged == [(6, 6.0), (30, 30.0)]
    left_over = merged_cells(np.array([4, 4]), np.array([4.0, 4.0]))
    assert left_over == [(8, 8.0)]


def test_holm_leaves_out_what_has_no_p_value() -> None:
    """Holm adjusts two p-values in their places, and leaves a missing one out."""
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert holm([None]) == [None]


def power_of(null: Null, draws: NDArray[np.float64]) -> float:
    """Return the fraction of the rows of observations in which the evidence suffices."""
    found = 0
    for row in draws:
        process = null.process()
        process.update(row)
        found += process.log_e >= -math.log(ALPHA)
    return found / len(draws)


def coin_tosses(n: int, chance: float) -> NDArray[np.float64]:
    """Return 200 rows of n zeros and ones."""
    return (np.random.default_rng(7).random((200, n)) < chance).astype(np.float64)


@pytest.mark.parametrize("n", [300, 3000])
def test_the_smallest_defect_of_an_even_chance_is_found(n: int) -> None:
    """A coin that is off by this much is found in about 9 of 10 runs, half of it rarely.

    200 runs each; the fraction that is found has a standard deviation of at most 0.036.
    """
    defect = smallest_defect(COINS, n, ALPHA, 1)
    assert defect is not None
    assert defect.nats is not None
    shift = math.sqrt(defect.nats / 2)
    assert power_of(COINS, coin_tosses(n, 0.5 + shift)) > 0.8
    assert power_of(COINS, coin_tosses(n, 0.5 + shift / 2)) < 0.2


@pytest.mark.parametrize("n", [100, 1000])
def test_the_smallest_defect_of_p_values_is_found(n: int) -> None:
    """P-values with the law u^kappa of just that divergence are found in about 9 of 10 runs."""
    defect = smallest_defect(SuperUniform(), n, ALPHA, 1)
    assert defect is not None
    below = float(defect.text.rpartition(" ")[2])
    kappa = math.log(below) / math.log(0.05)
    values = np.random.default_rng(7).random((200, n)) ** (1 / kappa)
    assert power_of(SuperUniform(), values) > 0.75


@pytest.mark.parametrize("n", [100, 1000])
def test_the_smallest_defect_of_a_mean_is_found(n: int) -> None:
    """Zeros and ones with just that mean are found in about 9 of 10 runs."""
    null = MeanAtMost(0.1)
    defect = smallest_defect(null, n, ALPHA, 1)
    assert defect is not None
    mean = float(defect.text.split()[3])
    assert power_of(null, coin_tosses(n, mean)) > 0.8


@pytest.mark.parametrize("null", [COINS, Uniform(), SuperUniform(), MeanAtMost(0.1)])
def test_more_observations_find_smaller_defects(null: Null) -> None:
    """Ten times the observations find a smaller divergence."""
    few, many = smallest_defect(null, 300, ALPHA, 1), smallest_defect(null, 3000, ALPHA, 1)
    assert few is not None
    assert many is not None
    assert few.nats is not None
    assert many.nats is not None
    assert 0 < many.nats < few.nats


@pytest.mark.parametrize("null", [COINS, SuperUniform(), MeanAtMost(0.5)])
def test_too_few_observations_find_nothing(null: Null) -> None:
    """With one observation or none, no defect can be found."""
    assert smallest_defect(null, 1, ALPHA, 1) is None
    assert smallest_defect(null, 0, ALPHA, 1) is None


def test_other_streams_cost_their_share() -> None:
    """With ten streams, one of them needs ten times the evidence."""
    alone, among = smallest_defect(COINS, 1000, ALPHA, 1), smallest_defect(COINS, 1000, ALPHA, 10)
    assert among == smallest_defect(COINS, 1000, ALPHA / 10, 1)
    assert alone != among


def test_an_unknown_null_has_no_smallest_defect() -> None:
    """The error about an unknown null names its class."""

    class Other:
        def process(self) -> None:
            """Return no process."""

    with pytest.raises(TypeError, match=r"^no smallest defect is known for Other$"):
        smallest_defect(Other(), 10, ALPHA, 1)  # type: ignore[arg-type]


def test_a_large_divergence_is_a_rare_event() -> None:
    """An even chance cannot be off by that much, so a rare event is described instead."""
    rare = Categories((0.999, 0.001), ("a", "b"))
    defect = smallest_defect(rare, 30, ALPHA, 1)
    assert defect is not None
    assert defect.nats is not None
    assert defect.nats > 0.5
    assert (
        defect.text == f"an event of probability {math.exp(-defect.nats):.2g} that always happens"
    )


def test_a_breach_is_found_if_it_shows_often_enough() -> None:
    """22 trials meet a breach in a tenth of them with probability 0.9."""
    assert smallest_breach(22) == Defect(None, "a breach in 9.9 %")
    assert smallest_breach(0) is None


def test_everything_tried_leaves_no_breach() -> None:
    """If one trial covers everything, any breach would have been found."""
    assert smallest_breach(1, is_exhaustive=True) == Defect(None, "any breach")


def test_an_exponent_is_fitted() -> None:
    """A cost of 3 sqrt(m) has the slope 1/2 and an interval around it."""
    fit = fit_slope([10, 10, 100, 100, 1000, 1000], [9.4, 9.6, 29, 31, 94, 96])
    assert fit is not None
    assert fit.slope == pytest.approx(0.5, abs=0.01)
    assert fit.low < fit.slope < fit.high


@pytest.mark.parametrize("sizes", [[], [10], [10, 10, 10, 10], [10, 10, 100, 100]])
def test_an_exponent_needs_three_sizes(sizes: list[float]) -> None:
    """Two sizes give no exponent, because any two points lie on a line."""
    assert fit_slope(sizes, [float(i + 1) for i in range(len(sizes))]) is None
