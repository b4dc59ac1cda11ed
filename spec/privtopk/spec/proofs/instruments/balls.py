"""Exact numbers as Arb balls: if a comparison of two balls returns True, it is proved."""

from fractions import Fraction

from flint import arb


def ball(value: int | Fraction) -> arb:
    """Return a ball around an exact number; for an integer it is a point."""
    exact = Fraction(value)
    return arb(exact.numerator) / exact.denominator


def tight_rho(r: arb) -> arb:
    """Return x - 1 - ln x, x = r/(1 - e^-r): the zCDP of a step whose loss has range r."""
    x = r / -(-r).expm1()
    return x - 1 - x.log()
