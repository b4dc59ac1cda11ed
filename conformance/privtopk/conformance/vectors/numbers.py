"""How numbers are written in the test vectors, so that every language reads the same ones.

JavaScript and many other readers read every JSON number as a double, and languages print
doubles differently. So a JSON number is always a whole number that a double holds; all other
numbers are strings: larger whole numbers in decimal, doubles in hexadecimal, fractions as p/q.
A uniform is a whole number n < 2^52 and means (2n + 1)/2^53, which a double holds exactly.
"""

import math
import re
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, Final

LARGEST_INTEGER: Final = 2**53 - 1
"""Up to here, every whole number is exactly one double."""

UNIFORM_BITS: Final = 52
"""A uniform is an odd multiple of 2^-53, so that neither 0 nor 1 occurs."""

INTEGER: Final = re.compile(r"-?[1-9][0-9]{15,}")
DOUBLE: Final = re.compile(r"-?0x[01]\.[0-9a-f]+p[+-][0-9]+|-?inf|nan")
RATIONAL: Final = re.compile(r"-?[0-9]+/[1-9][0-9]*")


def uniform(n: int) -> float:
    """Return the uniform that a whole number means."""
    if not 0 <= n < 2**UNIFORM_BITS:
        raise ValueError(f"a uniform must be at least 0 and below 2^{UNIFORM_BITS}, got {n}")
    return math.ldexp(2 * n + 1, -UNIFORM_BITS - 1)


def encode(value: object) -> Any:
    """Return a value as JSON holds it."""
    match value:
        case Enum():
            return encode(value.value)
        case None | bool():
            return value
        case str():
            return _text(value)
        case int():
            return value if abs(value) <= LARGEST_INTEGER else str(value)
        case float():
            return value.hex()
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case Mapping():
            return {key: encode(inner) for key, inner in value.items()}
        case frozenset():
            return [encode(inner) for inner in sorted(value)]
        case list() | tuple() | range():
            return [encode(inner) for inner in value]
    raise TypeError(f"a vector cannot hold a {type(value).__name__}")


def decode(value: Any) -> Any:
    """Return a value of JSON with its numbers as int, float and Fraction."""
    match value:
        case str():
            return _number(value)
        case dict():
            return {key: decode(inner) for key, inner in value.items()}
        case list():
            return [decode(inner) for inner in value]
    return value


def _text(value: str) -> str:
    if _number(value) is not value:
        raise ValueError(f"a text must not look like a number, got {value!r}")
    return value


def _number(text: str) -> str | int | float | Fraction:
    if INTEGER.fullmatch(text):
        return int(text)
    if DOUBLE.fullmatch(text):
        return float.fromhex(text)
    return Fraction(text) if RATIONAL.fullmatch(text) else text
