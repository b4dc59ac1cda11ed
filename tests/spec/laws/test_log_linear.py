"""Facts about numbers of the form a + b ln x."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.laws.log_linear import LogLinear, quotient, wide_context
from privtopk.spec.model.errors import Reason
from support import refusal

TWO = Fraction(2)
LN_2 = Decimal("0.693147180559945309417232121458176568075500134360255254120680009493393622")

NEAR_LN_2 = Fraction(str(LN_2)[:62])
"""ln 2 cut off after 60 decimals."""


def number(rational: Fraction | int, log_coefficient: Fraction | int) -> LogLinear:
    """Return the number rational + log_coefficient ln 2."""
    return LogLinear(Fraction(rational), Fraction(log_coefficient), TWO)


def test_float_is_the_value() -> None:
    """1/2 + 3 ln 2 rounds to the float of that value."""
    assert float(number(Fraction(1, 2), 3)) == 0.5 + 3 * math.log(2)


def test_decimal_gives_the_requested_digits() -> None:
    """The logarithm of 2 to sixty digits agrees with the published value."""
    with_error = abs(number(0, 1).decimal(60) - LN_2)
    assert with_error < Decimal("1e-60")


def test_zero_is_zero() -> None:
    """The number with both coefficients 0 is exactly 0."""
    assert (number(0, 0).decimal(30), float(number(0, 0))) == (Decimal(0), 0.0)


def test_cancellation_costs_no_digits() -> None:
    """A difference of about 10^-61 between parts near 0.69 keeps its digits."""
    expected = wide_context(80).subtract(LN_2, Decimal(str(LN_2)[:62]))
    assert float(number(-NEAR_LN_2, 1)) == pytest.approx(float(expected), rel=1e-11)


def test_sign_is_decided_exactly() -> None:
    """The sign is correct on both sides of a rational that agrees with ln 2 in 60 digits."""
    just_above = NEAR_LN_2 + Fraction(1, 10**60)
    assert (number(-NEAR_LN_2, 1).is_positive(), number(-just_above, 1).is_positive()) == (
        True,
        False,
    )


def test_base_close_to_one_keeps_its_logarithm() -> None:
    """ln(1 + 10^-50) is 10^-50 - 10^-100/2 and not 0."""
    base = 1 + Fraction(1, 10**50)
    assert float(LogLinear(Fraction(0), Fraction(10**50), base)) == 1.0


@given(*(st.fractions(max_denominator=9) for _ in range(4)))
def test_arithmetic_acts_on_both_coefficients(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction
) -> None:
    """Sum, difference and rational multiple are computed part by part."""
    left, right = number(a, b), number(c, d)
    assert (left + right, left - right, 3 * left, right * Fraction(1, 2)) == (
        number(a + c, b + d),
        number(a - c, b - d),
        number(3 * a, 3 * b),
        number(c / 2, d / 2),
    )


def test_quotient_rounds_to_the_current_precision() -> None:
    """A fraction becomes a decimal of as many digits as the context has."""
    with localcontext(wide_context(5)):
        assert quotient(Fraction(2, 3)) == Decimal("0.66667")


def test_wide_context_does_not_overflow() -> None:
    """The exponential of ten million is a number in the wide context."""
    assert wide_context(5).exp(Decimal(10**7)).adjusted() == 4342944


def test_different_bases_do_not_add() -> None:
    """Numbers over different bases have no sum of this form."""
    assert refusal(lambda: number(1, 1) + LogLinear(Fraction(1), Fraction(1), Fraction(3))) == (
        Reason.DIFFERENT_DOMAINS,
        "both numbers must have the same base, got 2 and 3",
    )


def test_base_one_is_refused() -> None:
    """The base must be above 1."""
    assert refusal(lambda: LogLinear(Fraction(1), Fraction(0), Fraction(1))) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "base must be above 1, got 1",
    )


def test_zero_digits_are_refused() -> None:
    """At least one digit must be requested."""
    assert refusal(lambda: number(1, 1).decimal(0)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "digits must be between 1 and 1000000, got 0",
    )
