"""A random subset of a large domain, in time proportional to its size."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Integers, Randomness

BLOCK: Final = 1 << 15
"""Numbers per block: a few arrays of them fit into a second-level cache."""

WRAPPING: Final = 2**62
"""Sums of gaps stay below 2^63 if their number times the longest gap is below this."""

SPARSE: Final = 2.0**-32
"""Below this level gaps are so long that doubles no longer resolve their ends."""


def bernoulli_subset(size: int, level: float, randomness: Randomness) -> Integers:
    """Return numbers below size, each with probability 1 - e^-level, in ascending order."""
    blocks = list(bernoulli_blocks(size, level, randomness))
    if len(blocks) == 1:
        return blocks[0]
    return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.int64)


def bernoulli_blocks(size: int, level: float, randomness: Randomness) -> Iterator[Integers]:
    """Yield the same in blocks that fit into a cache.

    The gaps between neighbours are geometric: floor(X / level) for exponential X. If they are
    long, only their number is used, and the members are drawn as integers.
    """
    if level <= 0:
        return
    if level == math.inf:
        yield from (np.arange(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))
    elif level >= SPARSE:
        yield from by_gaps(size, level, randomness)
    else:
        count = sum(len(block) for block in by_gaps(size, level, randomness))
        yield uniform_subset(size, count, randomness)


def by_gaps(size: int, level: float, randomness: Randomness) -> Iterator[Integers]:
    """Yield the numbers below size that are separated by geometric gaps, in blocks."""
    position = -1
    while position < size:
        expected = (size - position) * min(level, 1.0)
        block = min(BLOCK, int(expected + 4 * math.sqrt(expected)) + 4)
        gaps = randomness.exponentials(block)
        if level < SPARSE:
            # A gap beyond the end is shortened before the division, which could overflow.
            gaps = np.minimum(gaps, 1.5 * size * level)
        places = position + np.cumsum((gaps / level).astype(np.int64) + 1)
        inside = places_inside(places, size)
        yield places[:inside]
        position = size if inside < block else int(places[-1])


def places_inside(places: Integers, size: int) -> int:
    """Return how many of the ascending places are below size.

    Sums of long gaps may exceed 2^63 and wrap, but the first place beyond the end comes
    before that, or is the one that wraps.
    """
    if len(places) * size < WRAPPING:
        return int(places.searchsorted(size))
    (beyond,) = ((places >= size) | (places < 0)).nonzero()
    return int(beyond[0]) if len(beyond) else len(places)


def uniform_subset(size: int, count: int, randomness: Randomness) -> Integers:
    """Return count distinct numbers below size, all sets equally likely, in ascending order.

    A repeated number is drawn again: the first distinct ones of a stream are a uniform set.
    """
    chosen = np.empty(0, dtype=np.int64)
    while len(chosen) < count:
        fresh = randomness.integers(size, count - len(chosen))
        chosen = np.unique(np.concatenate([chosen, fresh]))
    return chosen
