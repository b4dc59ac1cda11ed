"""Facts about the conversion from moments to (epsilon, delta)."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.conversion import (
    best_from_log_moment,
    best_from_zcdp,
    log_inverse,
    simple_from_zcdp,
)
from privtopk.spec.model.errors import Reason, SelectionError

LOSSES = st.floats(1e-6, 1e4)
DELTAS = st.floats(1e-15, 0.5)


def zcdp_bound(rho: float, delta: float, alpha: float) -> float:
    """Return the conversion at one Rényi order, as Canonne, Kamath and Steinke write it."""
    return (
        rho * alpha
        + math.log((alpha - 1) / alpha)
        - (math.log(delta) + math.log(alpha)) / (alpha - 1)
    )


def normal_cdf(x: float) -> float:
    """Return the standard normal distribution function."""
    return math.erfc(-x / math.sqrt(2)) / 2


def gaussian_delta(rho: float, epsilon: float) -> float:
    """Return the exact delta of the Gaussian mechanism, which satisfies rho-zCDP."""
    mu = math.sqrt(2 * rho)
    return normal_cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal_cdf(
        -mu / 2 - epsilon / mu
    )


def test_simple_conversion() -> None:
    """A loss of rho = 1/8 at delta = e^-8 gives 1/8 + 2."""
    assert simple_from_zcdp(0.125, math.exp(-8)) == pytest.approx(2.125, rel=1e-15)


@given(LOSSES, DELTAS)
@settings(max_examples=50, deadline=None)
def test_best_conversion_is_at_most_the_simple_one(rho: float, delta: float) -> None:
    """The best conversion never costs more than the simple one."""
    assert best_from_zcdp(rho, delta) <= simple_from_zcdp(rho, delta)


@given(LOSSES, DELTAS, st.floats(1e-6, 1e6))
@settings(max_examples=50, deadline=None)
def test_no_order_beats_the_search(rho: float, delta: float, c: float) -> None:
    """The bound at any order, in the form of its authors, is at least what the search found."""
    found = best_from_zcdp(rho, delta)
    assert found <= max(0.0, zcdp_bound(rho, delta, 1 + c)) * (1 + 1e-9) + 1e-9


@given(st.floats(0.01, 2), st.floats(1e-9, 0.1))
@settings(max_examples=50, deadline=None)
def test_conversion_is_valid_for_the_gaussian(rho: float, delta: float) -> None:
    """The Gaussian mechanism with the same rho stays within delta at the converted epsilon."""
    assert gaussian_delta(rho, best_from_zcdp(rho, delta)) <= delta


def test_a_bad_start_costs_no_validity() -> None:
    """A search that starts far off still returns a value no smaller than the best."""
    rho, delta = 0.125, 1e-6
    best = best_from_zcdp(rho, delta)
    far = best_from_log_moment(lambda c: rho * c * (c + 1), delta, 1e12)
    assert best * (1 - 1e-12) <= far < math.inf


def test_a_negative_value_is_zero() -> None:
    """Where delta alone covers the whole loss, epsilon is 0."""
    assert best_from_zcdp(1e-6, 0.5) == 0.0


def test_delta_zero_is_infinite() -> None:
    """At delta = 0 the bound by moments is infinite."""
    assert (simple_from_zcdp(1, 0), best_from_zcdp(1, 0)) == (math.inf, math.inf)


def test_delta_below_every_double_counts_as_zero() -> None:
    """An exact delta that no double can hold gives an infinite bound, not a wrong one."""
    assert log_inverse(Fraction(1, 10**400)) == math.inf


def test_refuses_a_loss_that_is_not_positive() -> None:
    """The zCDP parameter must be positive and finite."""
    with pytest.raises(SelectionError) as refused:
        best_from_zcdp(-1, 0.1)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "rho must be positive and finite, got -1"


def test_refuses_delta_one() -> None:
    """A delta of 1 is refused."""
    with pytest.raises(SelectionError) as refused:
        simple_from_zcdp(1, 1)
    assert refused.value.reason == Reason.DELTA_OUT_OF_RANGE
    assert str(refused.value) == "delta must be at least 0 and below 1, got 1"
