"""Theorems about draws without replacement, for every way the draws can fall.

Paper: rel:peeling, rel:permute-and-flip.
"""

from privtopk.spec.algorithms.peeling import peel
from privtopk.spec.algorithms.permute_and_flip import permute_and_flip, symmetric_polynomials
from privtopk.spec.proofs.instruments.premises import is_between
from privtopk.spec.proofs.instruments.served import ServedTape

Triple = tuple[int, int, int]


def are_draws(draws: Triple) -> bool:
    """Decide whether a tape may choose so among three, then two, then one."""
    return all(0 <= draw < 3 - index for index, draw in enumerate(draws))


def thm_peeling_draws_every_item_once(draws: Triple, k: int) -> bool:
    """However the draws fall, k different items are drawn, the first one by its index.

    Claim: rel:peeling
    Seconds: 40
    pre: are_draws(draws)
    pre: is_between(k, 1, 3)
    post: _
    """
    ranking = peel((1, 2, 4), k, ServedTape(draws))
    return len(set(ranking)) == len(ranking) == k and ranking[0] == draws[0] + 1


def thm_peeling_skips_the_items_taken_away(draws: Triple) -> bool:
    """The second draw counts the items that remain: its index skips the first item drawn.

    Claim: rel:peeling
    pre: are_draws(draws)
    post: _
    """
    first, second, third = peel((1, 2, 4), 3, ServedTape(draws))
    expected = draws[1] + 1 if draws[1] + 1 < first else draws[1] + 2
    return second == expected and first + second + third == 6


def thm_permute_and_flip_returns_an_accepted_item(order: Triple, coins: Triple) -> bool:
    """The first item whose coin shows acceptance is returned, in the order drawn.

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
