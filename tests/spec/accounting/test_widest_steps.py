"""Facts about the widest steps of a budget: they keep to it, and no bisection finds wider ones."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.composition import renyi_composition
from privtopk.spec.accounting.widest_steps import widest_pure_steps, widest_renyi_steps
from privtopk.spec.model.errors import Reason
from support import refusal
from support_accounting import random_budgets, random_steps


def bisected_steps(total: float, k: int, delta: float) -> float:
    """Return the largest range whose bound by moments is at most the total, by bisection."""
    low = high = total / k / 2
    while renyi_composition(high, k, delta) <= total:
        high *= 2
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (
            (middle, high) if renyi_composition(middle, k, delta) <= total else (low, middle)
        )
    return low


@given(st.floats(1e-300, 1e300), st.integers(1, 10**9))
def test_pure_steps_are_the_widest(total: float, k: int) -> None:
    """k times the range is at most the total in exact rationals, and of no larger double."""
    r = widest_pure_steps(total, k)
    assert k * Fraction(r) <= Fraction(total) < k * Fraction(math.nextafter(r, math.inf))


def test_pure_steps_of_a_fraction() -> None:
    """The product of k and the range, rounded up to a double, is at most a third."""
    r = widest_pure_steps(Fraction(1, 3), 7)
    assert math.nextafter(1 / 21, 0) <= r <= 1 / 21
    assert (
        7 * Fraction(r) <= Fraction(math.nextafter(1 / 3, 1)) < Fraction(1, 3) + Fraction(1, 2**50)
    )


def test_no_positive_double_is_left() -> None:
    """The smallest double, shared by ten steps, leaves 0."""
    assert widest_pure_steps(5e-324, 10) == 0.0
    assert widest_renyi_steps(5e-324, 10, 1e-300) == 0.0


def test_steps_by_moments_are_those_of_a_bisection() -> None:
    """On 60 budgets the range keeps to the total and is that of a bisection up to 10^-13."""
    for (total, k), (_, _, delta) in zip(random_budgets(60, 1), random_steps(60, 2), strict=True):
        r = widest_renyi_steps(total, k, delta)
        assert renyi_composition(r, k, delta) <= total
        assert r >= bisected_steps(float(total), k, delta) * (1 - 1e-13), (total, k, delta)


@given(st.floats(1e-6, 1e6), st.integers(1, 10**6), st.floats(1e-300, 0.5))
@settings(max_examples=40, deadline=None)
def test_a_delta_never_narrows_the_steps(total: float, k: int, delta: float) -> None:
    """The bound by moments allows steps as wide as the pure bound, up to rounding."""
    assert widest_renyi_steps(total, k, delta) >= widest_pure_steps(total, k) * (1 - 1e-12)


def test_without_delta_no_step_is_allowed() -> None:
    """At delta = 0 the bound by moments is infinite, so no range keeps to it."""
    assert widest_renyi_steps(1, 1, 0) == 0.0


@pytest.mark.parametrize("widest", [widest_pure_steps, lambda e, k: widest_renyi_steps(e, k, 0.1)])
def test_refuses_bad_parameters(widest: object) -> None:
    """The total must be positive, and there must be a step."""
    assert callable(widest)
    assert refusal(lambda: widest(0, 1)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "epsilon must be positive and finite, got 0",
    )
    assert refusal(lambda: widest(1, 0)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "k must be at least 1, got 0",
    )
