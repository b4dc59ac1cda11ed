"""Facts about the composition of k adaptive steps of bounded range."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.composition import (
    azuma_composition,
    durfee_rogers_by_square,
    durfee_rogers_by_tanh,
    printed_composition,
    pure_composition,
    renyi_composition,
    zcdp_composition,
    zcdp_of_steps,
)
from privtopk.spec.accounting.conversion import simple_from_zcdp
from privtopk.spec.accounting.optimal_composition import (
    optimum_of_fixed_steps,
    optimum_of_pure_steps,
)
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Number

Bound = Callable[[Number, int, Number], float]

APPROXIMATE: tuple[Bound, ...] = (
    printed_composition,
    durfee_rogers_by_tanh,
    durfee_rogers_by_square,
    azuma_composition,
    zcdp_composition,
    renyi_composition,
)
RANGES = st.floats(1e-4, 20)
STEPS = st.integers(1, 10**6)
DELTAS = st.floats(1e-15, 0.5)


def test_the_published_row() -> None:
    """For k = 100 steps of range 0.1 at delta = 1e-6 all bounds have their published figures."""
    r, k, delta = 0.1, 100, 1e-6
    row = (
        pure_composition(r, k),
        durfee_rogers_by_tanh(r, k, delta),
        durfee_rogers_by_square(r, k, delta),
        optimum_of_pure_steps(r, k, delta),
        printed_composition(r, k, delta),
        azuma_composition(r, k, delta),
        simple_from_zcdp(zcdp_of_steps(r, k), delta),
        zcdp_composition(r, k, delta),
        optimum_of_fixed_steps(r, k, delta),
    )
    assert tuple(round(value, 3) for value in row) == (
        10,
        5.756,
        3.128,
        4.775,
        4.217,
        2.753,
        2.753,
        2.419,
        2.246,
    )


def test_the_curve_improves_the_row() -> None:
    """All moments together give 2.400 for the same steps, against 2.419 by zCDP."""
    assert round(renyi_composition(0.1, 100, 1e-6), 3) == 2.4


def test_pure_is_exact() -> None:
    """The pure bound k r of a fraction is a fraction."""
    assert pure_composition(Fraction(1, 3), 7) == Fraction(7, 3)


@given(RANGES, STEPS, DELTAS)
@settings(deadline=None)
def test_azuma_is_simple_zcdp(r: float, k: int, delta: float) -> None:
    """Hoeffding and Azuma give what r^2/8-zCDP per step gives by the simple conversion."""
    assert azuma_composition(r, k, delta) == pytest.approx(
        simple_from_zcdp(k * r * r / 8, delta), rel=1e-12
    )


@given(RANGES, STEPS, DELTAS)
@settings(max_examples=50, deadline=None)
def test_renyi_is_the_best(r: float, k: int, delta: float) -> None:
    """No other bound is smaller than the one by all moments, the pure one included."""
    others = (pure_composition(r, k), *(bound(r, k, delta) for bound in APPROXIMATE))
    assert renyi_composition(r, k, delta) <= min(others) * (1 + 1e-12)


@given(st.floats(1e-3, 10), st.integers(1, 30), DELTAS)
@settings(max_examples=25, deadline=None)
def test_renyi_respects_the_lower_bound(r: float, k: int, delta: float) -> None:
    """The bound by all moments is at least the optimum of steps fixed in advance."""
    assert renyi_composition(r, k, delta) >= optimum_of_fixed_steps(r, k, delta) - 1e-12 * r * k


@pytest.mark.parametrize("bound", APPROXIMATE)
@given(RANGES, STEPS, DELTAS, st.floats(1e-3, 1))
@settings(max_examples=15, deadline=None)
def test_bounds_are_monotone(bound: Bound, r: float, k: int, delta: float, growth: float) -> None:
    """Wider steps, more steps and a smaller delta never make a bound smaller."""
    here = bound(r, k, delta) * (1 - 1e-12)
    assert here <= bound(r * (1 + growth), k, delta)
    assert here <= bound(r, k + 1, delta)
    assert here <= bound(r, k, delta / (1 + growth))


@pytest.mark.parametrize("bound", APPROXIMATE)
def test_delta_zero_is_infinite(bound: Bound) -> None:
    """At delta = 0 only the pure bound is finite."""
    assert bound(1, 1, 0) == math.inf


@pytest.mark.parametrize("r", [1e-300, 1e-8, 50.0, 1e300])
@pytest.mark.parametrize("bound", [zcdp_composition, renyi_composition])
def test_extreme_ranges(bound: Bound, r: float) -> None:
    """Very small and very large ranges give a bound, not an error, and none above 2 k r + 1."""
    assert 0 <= bound(r, 3, 1e-6) <= 6 * r + 1


def test_many_steps() -> None:
    """For 2^50 steps the curve and zCDP agree to 6 digits: only the mean loss counts."""
    assert renyi_composition(1, 2**50, 1e-6) == pytest.approx(zcdp_of_steps(1, 2**50), rel=1e-6)


@pytest.mark.parametrize("bound", APPROXIMATE)
def test_refuses_no_steps(bound: Bound) -> None:
    """There must be at least one step."""
    with pytest.raises(SelectionError) as refused:
        bound(1, 0, 0.1)
    assert refused.value.reason == Reason.SIZE_OUT_OF_RANGE
    assert str(refused.value) == "k must be at least 1, got 0"


@pytest.mark.parametrize("bound", APPROXIMATE)
def test_refuses_an_infinite_range(bound: Bound) -> None:
    """The range of a step must be finite."""
    with pytest.raises(SelectionError) as refused:
        bound(math.inf, 1, 0.1)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "step_range must be positive and finite, got inf"


@pytest.mark.parametrize("bound", APPROXIMATE)
def test_refuses_a_negative_delta(bound: Bound) -> None:
    """The delta must be a probability below 1."""
    with pytest.raises(SelectionError) as refused:
        bound(1, 1, -0.1)
    assert refused.value.reason == Reason.DELTA_OUT_OF_RANGE
    assert str(refused.value) == "delta must be at least 0 and below 1, got -0.1"
