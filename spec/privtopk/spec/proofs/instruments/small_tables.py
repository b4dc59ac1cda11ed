"""All small tables of scores and noises that the threshold algorithm can tell apart.

Only differences matter to it; the names of the items do not. So scores and noises are given by
their gaps, the scores in descending order and the noises in every order.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, combinations, permutations, product

from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.values import Histogram

SCORE_GAPS = (0, 1, 3)
"""A tie, a gap smaller than some noise gaps, and a gap larger than all of them."""

NOISE_GAPS = (1, 2)
"""The noises are distinct, as those of a continuous law are."""


def descending_values(gaps: Sequence[int]) -> tuple[int, ...]:
    """Return the list of values that falls to 0 by these gaps."""
    return tuple(reversed(tuple(accumulate(reversed(gaps), initial=0))))


def descending_lists(m: int, gaps: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Yield every list of m falling values with gaps of these sizes."""
    return (descending_values(chosen) for chosen in product(gaps, repeat=m - 1))


def tables(m: int) -> Iterator[tuple[Histogram, tuple[int, ...]]]:
    """Yield descending scores with one noise per item, in every order of the noises."""
    for scores, noises in product(descending_lists(m, SCORE_GAPS), descending_lists(m, NOISE_GAPS)):
        yield from ((scores, order) for order in permutations(noises))


def neighbouring_pairs(
    m: int, largest: int, relation: Relation
) -> Iterator[tuple[Histogram, Histogram]]:
    """Return all unordered pairs of neighbours of m items with scores up to `largest`."""
    histograms = list(product(range(largest + 1), repeat=m))
    return (
        (first, second)
        for first, second in combinations(histograms, 2)
        if is_neighbour(first, second, relation)
    )
