"""The hypergeometric law: exact, in floats, and as a waiting time."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from privtopk.spec.laws.hypergeometric import (
    STIRLING_FROM,
    deviance,
    hypergeometric_cdf,
    hypergeometric_cdf_float,
    hypergeometric_log_pmf,
    hypergeometric_moment,
    hypergeometric_pmf,
    hypergeometric_pmf_float,
    negative_hypergeometric_tail,
    negative_hypergeometric_tail_float,
    stirling_remainder,
)
from privtopk.spec.model.errors import Reason
from support import refusal


@st.composite
def draws(draw: st.DrawFn, largest: int = 60) -> tuple[int, int, int, int]:
    """Draw a population, its marked items, a number of draws and a count."""
    population = draw(st.integers(1, largest))
    marked = draw(st.integers(0, population))
    drawn = draw(st.integers(0, population))
    return population, marked, drawn, draw(st.integers(-2, drawn + 2))


def test_pmf_of_a_small_table() -> None:
    """Two draws from three marked and two other items have 0, 1, 2 marked: 1, 6, 3 of 10."""
    law = [hypergeometric_pmf(5, 3, 2, x) for x in range(-1, 4)]
    assert law == [0, Fraction(1, 10), Fraction(6, 10), Fraction(3, 10), 0]


def test_moment_of_a_small_table() -> None:
    """Of four items two are marked and two drawn: none, one or two marked with 1, 4 and 1 of 6."""
    half = Fraction(1, 2)
    assert hypergeometric_moment(4, 2, 2, half) == Fraction(1, 6) * (1 + 4 * half + half**2)


@given(draws())
def test_pmf_agrees_with_scipy(case: tuple[int, int, int, int]) -> None:
    """The exact probability is scipy's, up to scipy's rounding."""
    population, marked, drawn, count = case
    expected = hypergeom.pmf(count, population, marked, drawn)
    assert float(hypergeometric_pmf(*case)) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(draws())
def test_cdf_sums_the_pmf(case: tuple[int, int, int, int]) -> None:
    """The distribution function is the exact sum of the probabilities up to the count."""
    population, marked, drawn, count = case
    total = sum(hypergeometric_pmf(population, marked, drawn, x) for x in range(count + 1))
    assert hypergeometric_cdf(*case) == total


@given(draws())
def test_marked_and_drawn_change_places(case: tuple[int, int, int, int]) -> None:
    """The law is the same when marked and drawn items change places."""
    population, marked, drawn, count = case
    assert hypergeometric_pmf(*case) == hypergeometric_pmf(population, drawn, marked, count)


@given(draws(400))
def test_float_pmf_agrees_with_the_exact_one(case: tuple[int, int, int, int]) -> None:
    """Up to populations of 400 the relative error of the float probability is below 1e-12."""
    exact = float(hypergeometric_pmf(*case))
    assert hypergeometric_pmf_float(*case) == pytest.approx(exact, rel=1e-12, abs=1e-300)


@given(draws(400))
def test_float_cdf_agrees_with_the_exact_one(case: tuple[int, int, int, int]) -> None:
    """Up to populations of 400 the error of the float distribution function is below 1e-13."""
    exact = float(hypergeometric_cdf(*case))
    assert hypergeometric_cdf_float(*case) == pytest.approx(exact, rel=0, abs=1e-13)


@given(draws(400))
def test_float_cdf_keeps_small_tails(case: tuple[int, int, int, int]) -> None:
    """Below the mean the float distribution function has a small relative error."""
    population, marked, drawn, count = case
    if count * population < marked * drawn:
        exact = float(hypergeometric_cdf(*case))
        assert hypergeometric_cdf_float(*case) == pytest.approx(exact, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ("marked", "drawn", "count"),
    [(1000, 3000, 0), (1000, 3000, 3), (10**9, 2000, 9), (10**11, 500, 48), (10**12 - 7, 90, 88)],
)
def test_float_pmf_at_the_largest_population(marked: int, drawn: int, count: int) -> None:
    """At a population of 10^12 the relative error is within 1e-13 + 4e-15 d."""
    exact = hypergeometric_pmf(10**12, marked, drawn, count)
    error = abs(Fraction(hypergeometric_pmf_float(10**12, marked, drawn, count)) / exact - 1)
    assert error <= 1e-13 + 4e-15 * abs(count - marked * drawn / 10**12)


def test_log_gamma_is_not_accurate_enough() -> None:
    """At a population of 10^12 the textbook form by log-gamma is wrong in the third digit."""
    population, marked, drawn = 10**12, 10**6, 10**6
    log_comb = [
        math.lgamma(n + 1) - math.lgamma(x + 1) - math.lgamma(n - x + 1)
        for n, x in ((population - marked, drawn), (population, drawn))
    ]
    naive = math.exp(log_comb[0] - log_comb[1])
    assert abs(naive / hypergeometric_pmf_float(population, marked, drawn, 0) - 1) > 1e-3


def test_log_pmf_of_a_balanced_giant() -> None:
    """With 10^12 items, half of them marked and half drawn, the mode is its normal density."""
    half = 5 * 10**11
    density = 1 / math.sqrt(2 * math.pi * 10**12 / 16)
    mode = math.exp(hypergeometric_log_pmf(2 * half, half, half, half // 2))
    assert mode == pytest.approx(density, rel=1e-11)


@pytest.mark.parametrize("n", [0, 1, STIRLING_FROM - 1, STIRLING_FROM, 40, 170])
def test_stirling_remainder(n: int) -> None:
    """The remainder of Stirling's formula is correct on both sides of the switch."""
    exact = math.log(math.factorial(n)) - (n * math.log(n) - n if n else 0)
    assert stirling_remainder(n) == pytest.approx(exact, abs=2e-13)


def test_deviance_of_an_empty_cell() -> None:
    """The deviance of an empty cell is its expectation."""
    assert deviance(0, 2.5, -2.5) == 2.5


def test_deviance_is_zero_without_a_difference() -> None:
    """The deviance of a cell at its expectation is 0."""
    assert deviance(3, 3.0, 0.0) == 0.0


@pytest.mark.parametrize(("marked", "k"), [(1, 1), (2, 1), (2, 2), (3, 2), (5, 5)])
def test_waiting_law_by_enumeration(marked: int, k: int) -> None:
    """In all orders of 5 items the unmarked ones before the k-th marked one follow the tail."""
    orders = list(permutations(range(5)))
    waits = [
        [i for i, item in enumerate(order) if item < marked][k - 1] - (k - 1) for order in orders
    ]
    for n in range(-1, 7):
        tail = Fraction(sum(wait >= n for wait in waits), len(orders))
        assert negative_hypergeometric_tail(5, marked, k, n) == tail


@pytest.mark.parametrize("n", [-3, 0, 1, 7, 20, 21, 40])
def test_float_waiting_law(n: int) -> None:
    """The float tail of the waiting law is the exact one, inside its range and beyond."""
    exact = float(negative_hypergeometric_tail(30, 10, 4, n))
    assert negative_hypergeometric_tail_float(30, 10, 4, n) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: hypergeometric_pmf(0, 0, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "population must be at least 1, got 0",
        ),
        (
            lambda: hypergeometric_cdf(5, 6, 2, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "marked must be between 0 and 5, got 6",
        ),
        (
            lambda: hypergeometric_pmf_float(5, 3, -1, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "draws must be between 0 and 5, got -1",
        ),
        (
            lambda: hypergeometric_cdf_float(5, 3, 2, True),
            Reason.WRONG_TYPE,
            "count must be an integer, got True",
        ),
        (
            lambda: negative_hypergeometric_tail(5, 3, 4, 1),
            Reason.SIZE_OUT_OF_RANGE,
            "k must be between 1 and 3, got 4",
        ),
        (
            lambda: negative_hypergeometric_tail_float(5, 0, 1, 1),
            Reason.SIZE_OUT_OF_RANGE,
            "marked must be between 1 and 5, got 0",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """An impossible draw is refused with what was given and what is required."""
    assert refusal(call) == (reason, message)
