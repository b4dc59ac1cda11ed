"""Facts about the composition bounds that cannot be improved."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.optimal_composition import (
    delta_of_fixed_steps,
    delta_of_pure_steps,
    optimum_of_fixed_steps,
    optimum_of_pure_steps,
)
from privtopk.spec.model.errors import Reason, SelectionError


def enumerated_delta(r: float, t: float, k: int, epsilon: float) -> float:
    """Return the hockey-stick divergence of k two-point steps, output by output."""
    p = np.array([math.exp(r) - math.exp(t), math.exp(t) - 1]) / math.expm1(r)
    q = p * np.exp([-t, r - t])
    return sum(
        max(0.0, float(np.prod(p[list(o)]) - math.exp(epsilon) * np.prod(q[list(o)])))
        for o in product((0, 1), repeat=k)
    )


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.1])
def test_pure_steps_by_enumeration(k: int, epsilon: float) -> None:
    """The k steps of randomised response have the delta of their 2^k outputs."""
    assert delta_of_pure_steps(0.7, k, epsilon) == pytest.approx(
        enumerated_delta(1.4, 0.7, k, epsilon), rel=1e-12, abs=1e-15
    )


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.1])
def test_fixed_steps_by_brute_force(k: int, epsilon: float) -> None:
    """The closed candidates for t find the largest delta over a fine grid of t."""
    r = 0.7
    grid = (r * i / 300 for i in range(1, 300))
    largest = max(enumerated_delta(r, t, k, epsilon) for t in grid)
    exact = delta_of_fixed_steps(r, k, epsilon)
    assert largest <= exact * (1 + 1e-12)
    assert exact == pytest.approx(largest, rel=1e-3, abs=1e-15)


@given(st.floats(0.01, 5), st.floats(0.01, 0.99))
@settings(deadline=None)
def test_one_fixed_step_in_closed_form(r: float, fraction: float) -> None:
    """For k = 1 the best t is (epsilon + r)/2, which gives delta in closed form."""
    epsilon = fraction * r
    half = (r - epsilon) / 2
    closed = math.expm1(half) ** 2 * math.exp(epsilon) / math.expm1(r)
    assert delta_of_fixed_steps(r, 1, epsilon) == pytest.approx(closed, rel=1e-9)


@given(st.floats(0.01, 3), st.integers(1, 20), st.floats(1e-9, 0.3))
@settings(max_examples=30, deadline=None)
def test_optimum_inverts_delta(r: float, k: int, delta: float) -> None:
    """The optimum stays within delta, and a little less does not."""
    for least, delta_of in (
        (optimum_of_pure_steps(r, k, delta), delta_of_pure_steps),
        (optimum_of_fixed_steps(r, k, delta), delta_of_fixed_steps),
    ):
        assert delta_of(r, k, least) <= delta
        slightly_less = least - 1e-9 * r * k
        assert least == 0 or slightly_less < 0 or delta_of(r, k, slightly_less) > delta


@given(st.floats(0.01, 3), st.integers(1, 20), st.floats(1e-9, 0.3))
@settings(max_examples=30, deadline=None)
def test_bounded_range_is_worth_it(r: float, k: int, delta: float) -> None:
    """Steps of range r lose at most what arbitrary r-DP steps lose."""
    assert optimum_of_fixed_steps(r, k, delta) <= optimum_of_pure_steps(r, k, delta) + 1e-12


def test_delta_zero_is_pure() -> None:
    """At delta = 0 both optima are the pure bound k r."""
    assert optimum_of_pure_steps(0.5, 4, 0) == pytest.approx(2, rel=1e-12)
    assert optimum_of_fixed_steps(0.5, 4, 0) == pytest.approx(2, rel=1e-7)


def test_the_pure_bound_needs_no_delta() -> None:
    """At epsilon = k r delta is 0."""
    assert (delta_of_pure_steps(0.5, 4, 2), delta_of_fixed_steps(0.5, 4, 2)) == (0, 0)


def test_refuses_no_steps() -> None:
    """There must be at least one step."""
    with pytest.raises(SelectionError) as refused:
        optimum_of_fixed_steps(1, 0, 0.1)
    assert refused.value.reason == Reason.SIZE_OUT_OF_RANGE
    assert str(refused.value) == "k must be at least 1, got 0"


def test_refuses_a_step_without_loss() -> None:
    """The loss of a step must be positive."""
    with pytest.raises(SelectionError) as refused:
        optimum_of_pure_steps(0, 1, 0.1)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "step_epsilon must be positive and finite, got 0"


def test_refuses_a_negative_total() -> None:
    """The total epsilon may be 0 but not negative."""
    with pytest.raises(SelectionError) as refused:
        delta_of_fixed_steps(1, 1, -1)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "epsilon must be at least 0 and finite, got -1"
