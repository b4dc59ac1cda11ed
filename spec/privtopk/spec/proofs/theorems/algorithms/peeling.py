"""Theorems about peeling: draws without replacement, for every result of the draws.

Paper: rel:peeling.
"""

from privtopk.spec.algorithms.peeling import peel
from privtopk.spec.proofs.instruments.premises import is_between
from privtopk.spec.proofs.instruments.served import ServedTape

Triple = tuple[int, int, int]


def are_draws(draws: Triple) -> bool:
    """Decide whether the draws can be choices among three, then two, then one."""
    return all(0 <= draw < 3 - index for index, draw in enumerate(draws))


def thm_peeling_draws_every_item_once(draws: Triple, k: int) -> bool:
    """Whatever the draws are, k different items are drawn, the first one by its index.

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
