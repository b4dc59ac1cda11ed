"""Every small table of scores and noises, up to what the threshold algorithm cannot notice.

Only differences matter to it, and the names of the items do not, so scores and noises
are given by their gaps, with the scores in descending order and the noises in every order.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, permutations, product

from privtopk.spec.model.values import Histogram

SCORE_GAPS = (0, 1, 3)
"""A tie, a gap below some noise gaps, and a gap above them all."""

NOISE_GAPS = (1, 2)
"""The noises are distinct, as those of a continuous law are."""


def descending_values(gaps: Sequence[int]) -> tuple[int, ...]:
    """Return the list of values that falls by these gaps to 0."""
    return tuple(reversed(tuple(accumulate(reversed(gaps), initial=0))))


def descending_lists(m: int, gaps: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Yield every list of m falling values with gaps of these sizes."""
    return (descending_values(chosen) for chosen in product(gaps, repeat=m - 1))


def tables(m: int) -> Iterator[tuple[Histogram, tuple[int, ...]]]:
    """Yield scores in descending order with a noise for each item, in every order."""
    for scores, noises in product(descending_lists(m, SCORE_GAPS), descending_lists(m, NOISE_GAPS)):
        yield from ((scores, order) for order in permutations(noises))
