"""A random subset of a large domain, in time proportional to what is drawn."""

import math
from typing import Final

import numpy as np

from privtopk.impl.randomness import Integers, Randomness

WRAPPING: Final = 2**62
"""Sums of gaps stay below 2^63 if so many gaps of full length do not exceed this."""

SPARSE: Final = 2.0**-32
"""Below this level gaps are so long that doubles no longer resolve where they end."""


def bernoulli_subset(size: int, level: float, randomness: Randomness) -> Integers:
    """Return numbers below size, each with probability 1 - e^-level, in ascending order.

    The gaps between neighbours are geometric: floor(X / level) for exponential X. Where they
    are long, only their number is used, and the places are drawn as integers.
    """
    if level <= 0:
        return np.empty(0, dtype=np.int64)
    if level == math.inf:
        return np.arange(size)
    places = by_gaps(size, level, randomness)
    return places if level >= SPARSE else uniform_subset(size, len(places), randomness)


def by_gaps(size: int, level: float, randomness: Randomness) -> Integers:
    """Return the numbers below size that geometric gaps lead to."""
    found: list[Integers] = []
    position = -1
    while position < size:
        expected = (size - position) * min(level, 1.0)
        block = int(expected + 4 * math.sqrt(expected)) + 4
        # A gap beyond the end is cut before the division, which could overflow.
        gaps = np.minimum(randomness.exponentials(block), 1.5 * size * level) / level
        places = position + np.cumsum(gaps.astype(np.int64) + 1)
        inside = places_inside(places, size)
        found.append(places[:inside])
        position = size if inside < block else int(places[-1])
    return found[0] if len(found) == 1 else np.concatenate(found)


def places_inside(places: Integers, size: int) -> int:
    """Return how many of the ascending places come before the end.

    Sums of long gaps may exceed 2^63 and wrap, but the first place beyond the end comes
    before that, or is the one that wraps.
    """
    if len(places) * size < WRAPPING:
        return int(np.searchsorted(places, size))
    (beyond,) = ((places >= size) | (places < 0)).nonzero()
    return int(beyond[0]) if len(beyond) else len(places)


def uniform_subset(size: int, count: int, randomness: Randomness) -> Integers:
    """Return count different numbers below size, every set equally likely, in ascending order.

    A repeated number is drawn again: the first different ones of a stream are a uniform set.
    """
    chosen = np.empty(0, dtype=np.int64)
    while len(chosen) < count:
        fresh = randomness.integers(size, count - len(chosen))
        chosen = np.unique(np.concatenate([chosen, fresh]))
    return chosen
