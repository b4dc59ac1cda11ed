"""Theorems about permute-and-flip, for all orders of three items and all coins.

Paper: rel:permute-and-flip.
"""

from privtopk.spec.algorithms.peeling import peel
from privtopk.spec.algorithms.permute_and_flip import permute_and_flip, symmetric_polynomials
from privtopk.spec.proofs.instruments.premises import is_between
from privtopk.spec.proofs.instruments.served import ServedTape
from privtopk.spec.proofs.theorems.algorithms.peeling import are_draws

Triple = tuple[int, int, int]


def thm_permute_and_flip_returns_an_accepted_item(order: Triple, coins: Triple) -> bool:
    """The first item, in the order drawn, whose coin accepts it is returned.

    Claim: rel:permute-and-flip
    Seconds: 40
    pre: are_draws(order)
    pre: all(is_between(coin, 0, 1) for coin in coins) and coins[2] == 1
    post: _
    """
    draws = [draw for pair in zip(order, coins, strict=True) for draw in pair]
    met = peel((1, 1, 1), 3, ServedTape(order))
    return permute_and_flip((1, 1, 1), ServedTape(draws)) == met[coins.index(1)]


def thm_symmetric_polynomials_expand_the_product(values: Triple) -> bool:
    """(1 + a)(1 + b)(1 + c) is the sum of the elementary symmetric polynomials, for all integers.

    Claim: rel:permute-and-flip
    post: _
    """
    a, b, c = values
    zeroth, first, second, third = symmetric_polynomials(values, 1)
    return (
        zeroth == 1
        and first == a + b + c
        and second == a * b + b * c + c * a
        and third == a * b * c
    )
