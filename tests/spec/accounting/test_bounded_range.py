"""Facts about the loss of one step of bounded range."""

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.accounting.bounded_range import log_moment_of_step, range_of_step, zcdp_of_step
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation

RANGES = st.floats(1e-8, 50)
ORDERS = st.floats(1e-6, 1e6)
ROUNDED_UP = Decimal("5e-14")
"""What rounding up may add, as a share of the value."""


def decimal_zcdp(r: float) -> Decimal:
    """Return x - 1 - ln x with enough digits that cancellation does not matter."""
    with localcontext() as context:
        context.prec = 80
        x = Decimal(r) / (1 - (-Decimal(r)).exp())
        return x - 1 - x.ln()


def decimal_log_moment(r: float, c: float) -> Decimal:
    """Return J(c + 1) - J(c) - J(1) with enough digits that cancellation does not matter."""
    with localcontext(Context(prec=120, Emax=MAX_EMAX, Emin=MIN_EMIN)):

        def j(y: Decimal) -> Decimal:
            half = Decimal(r) * y / 2
            return y * ((half.exp() - (-half).exp()) / (2 * y)).ln()

        return j(Decimal(c) + 1) - j(Decimal(c)) - j(Decimal(1))


def largest_two_point_log_moment(r: float, c: float) -> float:
    """Return the largest ln E[e^(c L)] over a fine grid of losses on t and t - r."""
    t = np.linspace(0, r, 20_001)
    top = (np.exp(r) - np.exp(t)) / np.expm1(r)
    return float(np.log(top * np.exp(c * t) + (1 - top) * np.exp(c * (t - r))).max())


def test_range_under_add_remove() -> None:
    """Under add/remove the range of a step is epsilon, exactly."""
    assert range_of_step(Fraction(1, 3), Relation.ADD_REMOVE) == Fraction(1, 3)


@pytest.mark.parametrize("relation", [Relation.SWAP, Relation.L_INFINITY])
def test_range_doubles(relation: Relation) -> None:
    """Under swap and l-infinity the range of a step is 2 epsilon, exactly."""
    assert range_of_step(Fraction(1, 3), relation) == Fraction(2, 3)


def test_zcdp_of_range_one() -> None:
    """A step of range 1 has rho = 0.1233, below the 1/8 of Hoeffding's lemma."""
    assert round(zcdp_of_step(1), 4) == 0.1233


@given(RANGES)
@settings(deadline=None)
def test_zcdp_keeps_its_digits(r: float) -> None:
    """For ranges from 1e-8 to 50, rho is not below 80-digit arithmetic, and equal to 13 digits."""
    assert 0 <= Decimal(zcdp_of_step(r)) / decimal_zcdp(r) - 1 <= ROUNDED_UP


@given(RANGES, st.floats(1e-6, 1))
@settings(deadline=None)
def test_zcdp_increases(r: float, growth: float) -> None:
    """A wider range has a larger rho."""
    assert zcdp_of_step(r) < zcdp_of_step(r * (1 + growth))


@given(RANGES)
@settings(deadline=None)
def test_zcdp_is_at_most_hoeffding(r: float) -> None:
    """The tight rho is at most r^2/8, and approaches it for small ranges."""
    assert zcdp_of_step(r) <= r * r / 8 * (1 + 1e-13)
    assert zcdp_of_step(r) >= r * r / 8 * (1 - r * r / 48 - 1e-15)


@pytest.mark.parametrize("r", [0.01, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("c", [0.05, 0.7, 3.0, 20.0])
def test_log_moment_is_the_largest_over_two_points(r: float, c: float) -> None:
    """K(c) is the largest log moment over a fine grid of two-point losses."""
    assert log_moment_of_step(r, c) == pytest.approx(largest_two_point_log_moment(r, c), rel=1e-6)


@given(st.integers(0, 10**6), st.floats(0.05, 3), st.floats(0.1, 10))
@settings(deadline=None)
def test_log_moment_bounds_every_loss_of_that_range(seed: int, r: float, c: float) -> None:
    """No pair of laws on five outputs whose loss has range r has a log moment above K(c)."""
    generator = np.random.default_rng(seed)
    q = generator.dirichlet(np.ones(5))
    tilt = np.exp(r * np.append(generator.random(3), (0.0, 1.0)))
    p = q * tilt / (q @ tilt)
    assert math.log(float(p @ (p / q) ** c)) <= log_moment_of_step(r, c) * (1 + 1e-12) + 1e-15


@given(RANGES, ORDERS)
@settings(deadline=None)
def test_log_moment_keeps_its_digits(r: float, c: float) -> None:
    """For all ranges and orders in use, K(c) is not below 120 digits, and equal to 13 digits."""
    assert 0 <= Decimal(log_moment_of_step(r, c)) / decimal_log_moment(r, c) - 1 <= ROUNDED_UP


@given(RANGES, ORDERS)
@settings(deadline=None)
def test_zcdp_bounds_every_moment(r: float, c: float) -> None:
    """K(c) is at most c (c + 1) rho."""
    assert log_moment_of_step(r, c) <= c * (c + 1) * zcdp_of_step(r) * (1 + 1e-13)


@given(RANGES)
@settings(deadline=None)
def test_zcdp_is_tight(r: float) -> None:
    """K(c)/c tends to rho as c falls to 0, so no smaller rho would do."""
    assert log_moment_of_step(r, 1e-12) / 1e-12 == pytest.approx(zcdp_of_step(r), rel=1e-10)


@given(RANGES, ORDERS)
@settings(deadline=None)
def test_renyi_loss_is_below_the_range(r: float, c: float) -> None:
    """The Rényi loss K(c)/c of a step is at most its largest loss r."""
    assert log_moment_of_step(r, c) <= c * r * (1 + 1e-13)


def test_log_moment_does_not_overflow() -> None:
    """Ranges and orders whose hyperbolic sine exceeds every double give finite moments."""
    assert log_moment_of_step(1e6, 1e6) == pytest.approx(1e12, rel=1e-4)


def test_a_moment_beyond_all_doubles_is_infinite() -> None:
    """A moment that no double can hold is rounded up to infinity."""
    assert log_moment_of_step(1e300, 1e15) == math.inf


def test_refuses_a_range_that_is_not_positive() -> None:
    """The range of a step must be positive and finite."""
    with pytest.raises(SelectionError) as refused:
        zcdp_of_step(0)
    assert refused.value.reason == Reason.EPSILON_OUT_OF_RANGE
    assert str(refused.value) == "step_range must be positive and finite, got 0"


def test_refuses_an_order_that_is_not_positive() -> None:
    """The order of a moment must be positive and finite."""
    with pytest.raises(SelectionError) as refused:
        log_moment_of_step(1, -0.5)
    assert refused.value.reason == Reason.ORDER_OUT_OF_RANGE
    assert str(refused.value) == "c must be positive and finite, got -0.5"


def test_refuses_a_relation_by_name() -> None:
    """A relation is a member of the enumeration, not its text."""
    with pytest.raises(SelectionError) as refused:
        range_of_step(1, "swap")  # type: ignore[arg-type]
    assert refused.value.reason == Reason.WRONG_TYPE
    assert str(refused.value) == "relation must be a Relation, got 'swap'"
