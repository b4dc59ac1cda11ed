"""Theorems about numbers a + b ln 2 with any whole a and b.

Paper: def:noise.
"""

from fractions import Fraction

from privtopk.spec.laws.log_linear import LogLinear

Pair = tuple[int, int]


def number(coefficients: Pair) -> LogLinear:
    """Return a + b ln 2."""
    return LogLinear(Fraction(coefficients[0]), Fraction(coefficients[1]), Fraction(2))


def thm_subtraction_undoes_addition(first: Pair, second: Pair) -> bool:
    """Sums and differences are exact, so subtraction undoes addition.

    Claim: def:noise
    Seconds: 40
    post: _
    """
    return number(first) + number(second) - number(second) == number(first)


def thm_multiples_are_repeated_sums(first: Pair) -> bool:
    """Three times a number is the number added to itself twice.

    Claim: def:noise
    Seconds: 40
    post: _
    """
    one = number(first)
    return one * 3 == one + one + one == 3 * one
