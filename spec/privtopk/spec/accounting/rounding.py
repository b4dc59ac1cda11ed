"""Rounding to the safe side: no reported loss is below the real number that it stands for.

*Rationals.* An integer, a fraction, a decimal or a double is an exact number, so `float_at_least`
and `float_at_most` compare without error and return the nearest double on the safe side.

*Formulas.* A formula in doubles is raised or lowered by a bound on its error, counted in units of
2^-52 of its value. `+ - * /` and `sqrt` have an error of at most half a unit (IEEE 754). The
functions exp, expm1, log, log1p and tanh of the C library are assumed to have one of at most
4 units; nothing guarantees it, but the common libraries state or measure at most 2. Terms that
are added have one sign, or the count takes their cancellation into account. Below the normal
doubles errors are absolute, so a few of the smallest doubles are added, too.
"""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Final

from privtopk.spec.model.values import Number

UNIT: Final = 2.0**-52
"""The distance from 1 to the next double."""

TINY: Final = 2.0**-1070
"""16 times the smallest double: more than the products of one formula lose by underflow."""

FIRST_UNITS: Final = 16
"""The first step of a search for a number on the safe side, in units; every other one doubles."""


def float_at_least(number: Number | Decimal) -> float:
    """Return the smallest double that is at least this number; it may be infinite."""
    if type(number) is float:
        return number
    nearest = _nearest(number)
    return nearest if nearest >= number else math.nextafter(nearest, math.inf)


def float_at_most(number: Number | Decimal) -> float:
    """Return the largest finite double that is at most this number."""
    if type(number) is float:
        return number
    nearest = _nearest(number)
    return nearest if nearest <= number else math.nextafter(nearest, -math.inf)


def digits_at_least(number: Number, digits: int) -> str:
    """Return a number as text, rounded up to a number of digits.

    A double stands for its shortest digits, so that 0.1 is written as 0.1.
    """
    context = Context(prec=digits, rounding=ROUND_CEILING)
    if isinstance(number, float):
        return f"{float(context.create_decimal(repr(number))):.{digits}g}"
    exact = Fraction(number)
    return f"{float(context.divide(exact.numerator, exact.denominator)):.{digits}g}"


def round_up(value: float, units: int) -> float:
    """Return an upper bound on a number whose computed value has an error of at most `units`."""
    return math.nextafter(value + (abs(value) * units * UNIT + TINY), math.inf)


def round_down(value: float, units: int) -> float:
    """Return a lower bound on a number whose computed value has an error of at most `units`."""
    return math.nextafter(value - (abs(value) * units * UNIT + TINY), -math.inf)


def lowered_until(is_within: Callable[[float], bool], value: float) -> float:
    """Return the first positive number a little below value that is within, in growing steps.

    It is 0 if there is none.
    """
    units = FIRST_UNITS
    lower = round_down(value, units)
    while lower > 0 and not is_within(lower):
        units *= 2
        lower = round_down(lower, units)
    return max(lower, 0.0)


def raised_until(is_within: Callable[[float], bool], value: float) -> float:
    """Return the first number a little above value that is within, in growing steps."""
    units = FIRST_UNITS
    higher = round_up(value, units)
    while not is_within(higher):
        units *= 2
        higher = round_up(higher, units)
    return higher


def _nearest(number: Number | Decimal) -> float:
    """Return the nearest double, which is infinite for a number beyond all doubles."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
