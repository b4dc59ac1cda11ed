"""Exact numbers as Arb balls: if a comparison of two balls returns True, it is proved."""

from fractions import Fraction

from flint import arb


def ball(value: int | Fraction) -> arb:
    """Return a ball around an exact number; for an integer it is a point."""
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator
