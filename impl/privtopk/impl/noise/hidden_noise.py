"""The noise of items that were not read yet, revealed from the largest down.

A noise Z is represented by its level, which is small if the noise is large. The engines ask for
levels through one protocol, for doubles and for words of exact bits.

Invariant: there is a frontier such that, given everything revealed, the levels of the hidden
items are i.i.d. with the law of one level beyond the frontier. Reading the level of an item
keeps this true. So does revealing all items below a new frontier: each one is below it
independently of the others, and the levels of the rest have the law of the new frontier.

The specification is `privtopk.spec.noise.field.LazyNoise`, for items one at a time.
"""

import math
from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.randomness.generators import Floats, Integers, Randomness
from privtopk.impl.randomness.subset import bernoulli_blocks, bernoulli_subset

Level = TypeVar("Level", bound=float)
"""The level of one item: an E-level, or the first word of its bits."""

Levels: TypeAlias = NDArray[Any]
"""The levels of many items."""


class HiddenNoise(Protocol[Level]):
    """One level per item, of m items; all are hidden at first.

    The caller knows which items are hidden, and moves the frontier.
    """

    frontier: Level
    """All items with a level below it have been revealed."""

    farthest: Level
    """No level is above it."""

    def expected_below(self, level: Level) -> float:
        """Return the expected number of m hidden items between the frontier and a level."""

    def level_of_share(self, share: float) -> Level:
        """Return a level that about this share of all items lie below, for a small share."""

    def level_between(self, lower: Level, upper: Level, share: float) -> Level:
        """Return the level at this share of the way from the lower one to the upper one."""

    def levels_of(self, items: Integers) -> Levels:
        """Return the levels of hidden items, which are then no longer hidden."""

    def below(self, level: Level) -> Iterator[Integers]:
        """Yield the items between the frontier and a level, in ascending blocks.

        Items that are not hidden may come too; the caller drops them.
        """

    def part(
        self, items: Integers, lower: Level, upper: Level, level: Level
    ) -> tuple[Integers, Levels]:
        """Return which of the items between lower and level lie below upper, and their levels.

        They come as places in the list of items. The other items lie between upper and level,
        and may be parted again.
        """


class HiddenLevels:
    """Hidden noise in doubles: i.i.d. E-levels, c + Exp(1) beyond the frontier c."""

    farthest = math.inf

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Start with everything hidden."""
        self._m = m
        self._randomness = randomness
        self.frontier = 0.0

    def expected_below(self, level: float) -> float:
        """Return the expected number of m hidden items between the frontier and a level."""
        return self._m * -math.expm1(self.frontier - level)

    def level_of_share(self, share: float) -> float:
        """Return the share itself: 1 - e^-share of all items lie below it."""
        return share

    def level_between(self, lower: float, upper: float, share: float) -> float:
        """Return the level at this share of the way from the lower one to the upper one."""
        return lower + (upper - lower) * share

    def levels_of(self, items: Integers) -> Floats:
        """Return the levels of hidden items, which are then no longer hidden."""
        levels = self._randomness.exponentials(len(items))
        return levels + self.frontier if self.frontier else levels

    def below(self, level: float) -> Iterator[Integers]:
        """Yield the items between the frontier and a level, in ascending blocks."""
        return bernoulli_blocks(self._m, level - self.frontier, self._randomness)

    def part(
        self, items: Integers, lower: float, upper: float, level: float
    ) -> tuple[Integers, Floats]:
        """Return which of the items between lower and level lie below upper, and their levels."""
        share, whole = -math.expm1(lower - upper), -math.expm1(lower - level)
        depth = -math.log1p(-share / whole) if share < whole else math.inf
        places = bernoulli_subset(len(items), depth, self._randomness)
        return places, lower - np.log1p(-share * self._randomness.uniforms(len(places)))
