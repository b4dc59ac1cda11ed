"""Exact numbers as Arb balls; a comparison of two balls that says True is a proof."""

from fractions import Fraction

from flint import arb


def ball(value: int | Fraction) -> arb:
    """Return a ball around an exact number, a point if it is whole."""
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator
