"""Theorems about the polynomials behind the Laplace law, for all integer coefficients.

Paper: algo:one-shot, def:noise.
"""

from fractions import Fraction

from privtopk.spec.laws.laplace import product, rest_power, tail_power

Pair = tuple[int, int]


def polynomial(*terms: tuple[int, int]) -> dict[int, Fraction]:
    """Return the polynomial with these powers and coefficients."""
    return {power: Fraction(coefficient) for power, coefficient in terms}


def thm_products_collect_equal_powers(left: Pair, right: Pair) -> bool:
    """(a + b y)(c/y + d y) has the powers -1, 0, 1 and 2 with the products as coefficients.

    Claim: algo:one-shot
    post: _
    """
    (a, b), (c, d) = left, right
    terms = product(polynomial((0, a), (1, b)), polynomial((-1, c), (1, d)))
    return terms == polynomial((-1, a * c), (0, b * c), (1, a * d), (2, b * d))


def thm_equal_powers_are_added(left: Pair, right: Pair) -> bool:
    """(a + b y)(c + d y) has ad + bc at y: terms of one power are added, not overwritten.

    Claim: algo:one-shot
    post: _
    """
    (a, b), (c, d) = left, right
    terms = product(polynomial((0, a), (1, b)), polynomial((0, c), (1, d)))
    return terms == polynomial((0, a * c), (1, a * d + b * c), (2, b * d))


def thm_powers_of_a_factor_are_repeated_products(tail: int, is_below: bool) -> bool:
    """Items of equal score are merged: a power of a factor is the factor times itself.

    Claim: algo:one-shot, def:noise
    Seconds: 40
    post: _
    """
    power = 1 if is_below else -1
    rest, edge = polynomial((0, 1), (power, -tail)), polynomial((power, tail))
    return rest_power(Fraction(tail), power, 2) == product(rest, rest) and (
        tail_power(Fraction(tail), power, 2) == product(edge, edge)
    )
