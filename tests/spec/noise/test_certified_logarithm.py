"""Facts about the logarithm with a proved error: its constants, its errors, its range."""

import math
import sys
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.noise.certified_logarithm import (
    COEFFICIENTS,
    LARGEST_RATIO,
    LEVEL_ERROR,
    LOG_2,
    LOG_2_HIGH,
    LOG_2_LOW,
    LOGARITHM_ERROR,
    ROOT_HALF,
    level,
    level_error,
    log_2_error,
    logarithm,
    logarithm_error,
    reduce_argument,
    truncation_error,
)

SMALLEST_NORMAL = sys.float_info.min


@pytest.fixture(autouse=True)
def precision() -> None:
    """Balls have 200 bits."""
    ctx.prec = 200


def relative_error(value: float, true: arb) -> arb:
    """Return the relative error of a value."""
    return abs(arb(value) - true) / abs(true) if value or not true.contains(0) else arb(0)


def test_errors_are_proved_in_rationals() -> None:
    """The rounding errors add up to 6.94 and 15.6 units of 2^-53, below 2^-49 and 2^-48."""
    assert Fraction(693, 100) < logarithm_error() * 2**53 < Fraction(694, 100)
    assert Fraction(155, 10) < level_error() * 2**53 < Fraction(156, 10)
    assert logarithm_error() < LOGARITHM_ERROR
    assert level_error() < LEVEL_ERROR


def test_constants_are_the_nearest_doubles() -> None:
    """The coefficients are 1/3, ..., 1/19; log 2 and sqrt(1/2) are rounded correctly."""
    assert tuple(1 / odd for odd in (3, 5, 7, 9, 11, 13, 15, 17, 19)) == COEFFICIENTS
    assert (math.log(2), math.sqrt(0.5)) == (LOG_2, ROOT_HALF)
    true = arb(2).log()
    assert arb(fmpq(LOG_2_LOW.numerator, LOG_2_LOW.denominator)) < true
    assert true < arb(fmpq(LOG_2_HIGH.numerator, LOG_2_HIGH.denominator))


def test_series_is_cut_below_the_rounding() -> None:
    """The omitted terms are below 1/4 of a rounding error, the error of LOG_2 below 1/3."""
    assert truncation_error() * 2**53 < Fraction(1, 4)
    assert log_2_error() * 2**53 < Fraction(1, 3)
    assert (math.sqrt(2) - 1) / (math.sqrt(2) + 1) < LARGEST_RATIO


@given(st.floats(SMALLEST_NORMAL, sys.float_info.max))
def test_reduction_is_exact(x: float) -> None:
    """A number is f 2^e exactly, with f between sqrt(1/2) and sqrt(2)."""
    f, exponent = reduce_argument(x)
    assert Fraction(f) * Fraction(2) ** exponent == Fraction(x)
    assert ROOT_HALF <= f < 2 * ROOT_HALF


@given(st.floats(SMALLEST_NORMAL, sys.float_info.max))
def test_logarithm_is_as_exact_as_proved(x: float) -> None:
    """For every normal double, the error of the logarithm is below the proved bound."""
    ctx.prec = 200
    bound = arb(fmpq(1, 2**49))
    assert relative_error(logarithm(x), arb(x).log()) < bound


def test_logarithm_of_1_is_0() -> None:
    """At 1 nothing is rounded."""
    assert logarithm(1.0) == 0.0


@given(st.integers(2**55, 2**126 - 2**55))
def test_level_is_as_exact_as_proved(number: int) -> None:
    """From V and 1 - V rounded to doubles, the error of the level is below the proved bound."""
    ctx.prec = 300
    v = Fraction(number, 2**126)
    true = -(-arb(fmpq(v.numerator, v.denominator))).log1p()
    assert relative_error(level(float(v), float(1 - v)), true) < arb(fmpq(1, 2**48))
