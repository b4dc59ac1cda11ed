"""Numbers of other types as plain ones, without loss, and numbers in messages.

A caller may have a `Decimal`, or a number of numpy or of another library that belongs to Python's
abstract types `Integral` and `Real`. Each becomes the int, float or Fraction that has the same
value, so that 0.1 stays a tenth if it is a decimal. The functions that callers use convert their
arguments here. All other functions take plain numbers only: those of numpy may overflow.
"""

import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Final

from privtopk.spec.model.values import Number

DECIMAL_EXPONENTS: Final = range(-330, 310)
"""The powers of ten of decimals within the range of doubles, and of some beyond it."""


def plain(value: object) -> object:
    """Return a number of another type as an int, a float or a Fraction, and all else unchanged.

    A decimal beyond all doubles becomes infinite, and one closer to 0 than all of them becomes 0:
    written in full, it could take more memory than there is.
    """
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Decimal):
        return _number_of_decimal(value)
    return _number_of_real(value) if isinstance(value, Real) else value


def text_of(value: object, write: Callable[[object], str] = str) -> str:
    """Return a value as a message shows it: written out, unless it has too many digits."""
    try:
        return write(value)
    except ValueError:
        return f"a number of more than {sys.get_int_max_str_digits()} digits"


def _number_of_decimal(value: Decimal) -> Number:
    if value.is_nan():
        return math.nan
    if value.is_infinite() or (value and value.adjusted() >= DECIMAL_EXPONENTS.stop):
        return math.copysign(math.inf, value)
    return Fraction(value) if value and value.adjusted() in DECIMAL_EXPONENTS else 0


def _number_of_real(value: Real) -> object:
    """Return a real number as a float if it is a double, and else as a fraction if it can be."""
    nearest = float(value)
    if nearest == value or nearest != nearest:
        return nearest
    ratio = getattr(value, "as_integer_ratio", None)
    return Fraction(*ratio()) if callable(ratio) and math.isfinite(nearest) else value
