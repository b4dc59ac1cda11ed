"""Theorem N: ranked lists with their noisy values.

Tests: ours:noisy-values, fact:laplace-approximate, erratum:laplace-hypothesis.
"""

import math
from fractions import Fraction

import pytest

from privtopk.spec.accounting.noisy_values import (
    distance_of,
    growth_of_rates,
    largest_rate,
    log_defect,
    noisy_values_composition,
    printed_laplace_composition,
    stretch_of,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from support import refusal


def test_distances() -> None:
    """Up to a constant, add/remove moves a score by one half, and the others by one."""
    assert [distance_of(relation) for relation in Relation] == [Fraction(1, 2), 1, 1]


def test_growth_of_both_noises() -> None:
    """At epsilon D = ln 2 the rates grow by 1 under Gumbel noise and by 2 under Laplace noise."""
    grown = [growth_of_rates(kind, 2 * math.log(2), Fraction(1, 2)) for kind in NoiseKind]
    assert grown == pytest.approx([1, 2], rel=1e-15)


def test_growth_beyond_doubles_is_infinite() -> None:
    """A growth that no double holds is infinite, and so is its bound."""
    growth = growth_of_rates(NoiseKind.LAPLACE, 10**4, 1)
    assert (growth, noisy_values_composition(growth, 3, 0.1)) == (math.inf, math.inf)


@pytest.mark.parametrize(("k", "delta"), [(1, 0.5), (100, 1e-6), (10**6, 1e-12)])
def test_stretch_solves_its_equation(k: int, delta: float) -> None:
    """k (z - ln(1 + z)) is ln(1/delta)."""
    z = stretch_of(k, delta)
    assert k * log_defect(z) == pytest.approx(-math.log(delta), rel=1e-13)


@pytest.mark.parametrize("z", [1e-12, 1e-3, 0.0999, 0.1001])
def test_log_defect_keeps_its_digits(z: float) -> None:
    """z - ln(1 + z) agrees with its expansion in exact rationals, on both sides of the limit."""
    expansion = float(sum((-Fraction(z)) ** n / n for n in range(2, 40)))
    assert log_defect(z) == pytest.approx(expansion, rel=1e-13)


def test_log_defect_of_a_large_number() -> None:
    """4 - ln 5, to the last digit."""
    assert log_defect(4.0) == 4 - math.log(5)


def test_bound_is_below_its_closed_form() -> None:
    """The bound is at most G (sqrt(2 k l) + l) + k G^2/2, and close to it for many items."""
    k, delta = 10**4, 1e-6
    growth, log_term = 0.001, math.log(1e6)
    closed = growth * (math.sqrt(2 * k * log_term) + log_term) + k * growth**2 / 2
    assert 0.97 * closed < noisy_values_composition(growth, k, delta) <= closed


def test_no_delta_has_no_bound() -> None:
    """With delta = 0 the bound is infinite."""
    assert noisy_values_composition(0.1, 3, 0) == math.inf


def test_refuses_no_growth() -> None:
    """The growth must be positive."""
    assert refusal(lambda: noisy_values_composition(0, 1, 0.1)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "growth must be positive and finite, got 0",
    )


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize(("total", "k", "delta"), [(1.0, 1, 0.3), (0.1, 500, 1e-6), (40.0, 7, 0.5)])
def test_largest_rate_spends_the_total(
    noise: NoiseKind, total: float, k: int, delta: float
) -> None:
    """The bound of the largest rate is at most the total, and within 10^-12 of it."""
    rate = largest_rate(noise, total, k, 1, delta)
    spent = noisy_values_composition(growth_of_rates(noise, rate, 1), k, delta)
    assert total * (1 - 1e-12) <= spent <= total


def test_the_smallest_total_leaves_no_rate() -> None:
    """A total that no positive double can share has the rate 0."""
    assert largest_rate(NoiseKind.LAPLACE, 5e-324, 10, 1, 0.1) == 0


def test_largest_rate_of_the_largest_totals() -> None:
    """A total beyond every exponential still has a positive rate that keeps to it."""
    rate = largest_rate(NoiseKind.LAPLACE, 1e308, 10, 1, 0.1)
    growth = growth_of_rates(NoiseKind.LAPLACE, rate, 1)
    assert 0 < noisy_values_composition(growth, 10, 0.1) <= 1e308


def test_printed_bound_of_a_thousand_items() -> None:
    """The paper's bound is 8 epsilon sqrt(k ln(m/delta))."""
    stated = printed_laplace_composition(1e-4, 1000, 2000, 0.01)
    assert stated == pytest.approx(8e-4 * math.sqrt(1000 * math.log(2000 / 0.01)))


@pytest.mark.parametrize(
    ("epsilon", "k", "m", "delta"),
    [(1e-4, 1, 2, 0), (1e-4, 1, 2, 0.0501), (1e-4, 1, 1, 0.01), (0.2, 1, 2, 0.01)],
)
def test_printed_bound_has_hypotheses(epsilon: float, k: int, m: int, delta: float) -> None:
    """The paper's bound needs 0 < delta <= 0.05, m >= 2 and a value of at most 0.2."""
    assert printed_laplace_composition(epsilon, k, m, delta) is None
