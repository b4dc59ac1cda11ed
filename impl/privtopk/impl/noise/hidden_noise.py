"""The noise of the items that nobody has seen, revealed from the top.

Invariant: there is a frontier c such that the E-levels of the hidden items are i.i.d. with
the law of c + Exp(1), given everything revealed. Reading the level of an item keeps it, and
so does revealing all items below a new frontier: each lies there independently of the others,
and those that do not have the law of the new frontier.

The specification is `privtopk.spec.noise.field.LazyNoise`, for items one at a time.
"""

import math
from collections.abc import Iterator

import numpy as np

from privtopk.impl.randomness.generators import Floats, Integers, Randomness
from privtopk.impl.randomness.subset import bernoulli_blocks, bernoulli_subset


class HiddenNoise:
    """One E-level for each of m items, hidden at first."""

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Start with everything hidden."""
        self._m = m
        self._randomness = randomness
        self.frontier = 0.0

    def expected_below(self, level: float) -> float:
        """Return how many of m hidden items have a level between the frontier and this one."""
        return self._m * -math.expm1(self.frontier - level)

    def levels_of(self, items: Integers) -> Floats:
        """Return the levels of hidden items; they are hidden no more."""
        return self.frontier + self._randomness.exponentials(len(items))

    def below(self, level: float) -> Iterator[Integers]:
        """Yield the items between the frontier and a level, in ascending blocks.

        Which items are hidden is the caller's knowledge: it drops those that are not.
        """
        return bernoulli_blocks(self._m, level - self.frontier, self._randomness)

    def part(
        self, items: Integers, lower: float, upper: float, level: float
    ) -> tuple[Integers, Floats]:
        """Return which of the items between lower and level lie below upper, and their levels.

        They come as places in the list of items. What a part leaves over lies between upper
        and level, and may be parted again.
        """
        share, whole = -math.expm1(lower - upper), -math.expm1(lower - level)
        depth = -math.log1p(-share / whole) if share < whole else math.inf
        places = bernoulli_subset(len(items), depth, self._randomness)
        return places, lower - np.log1p(-share * self._randomness.uniforms(len(places)))
