"""Noise from a table in place of hidden noise; an engine must find the best items of the table."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from privtopk.impl.noise.hidden_noise import HiddenLevels
from privtopk.impl.randomness.generators import Integers


class ServedNoise:
    """A table with the level of every item.

    It counts the stages that opened noise, and asserts that no item gets noise twice.
    """

    frontier: Any
    farthest: Any

    def __init__(self, levels: NDArray[Any]) -> None:
        """Take the levels of all items."""
        self._levels = levels
        self.openings = 0
        self.revealed: set[tuple[int, int]] = set()
        """The items, each with the number of the word that was revealed: 0 for the level."""

    def levels_of(self, items: Integers) -> NDArray[Any]:
        """Return the levels of hidden items."""
        self._reveal(items)
        levels: NDArray[Any] = self._levels[items]
        assert bool((levels >= self.frontier).all())
        return levels

    def below(self, level: Any) -> Iterator[Integers]:
        """Yield the items between the frontier and a level, and revealed ones, three at a time."""
        self.openings += 1
        is_there = (self._levels >= self.frontier) & self._are_below(self._levels, level)
        is_there[[item for item, number in self.revealed if number == 0]] = True
        items = np.flatnonzero(is_there)
        yield from (items[start : start + 3] for start in range(0, len(items), 3))

    def part(
        self, items: Integers, lower: Any, upper: Any, level: Any
    ) -> tuple[Integers, NDArray[Any]]:
        """Return the places of the items below a level, and their levels.

        Items below the lower level are not hidden; they come too, and the engine drops them.
        """
        levels = self._levels[items]
        assert bool(self._are_below(levels, level).all())
        places = np.flatnonzero(self._are_below(levels, upper))
        drawn = levels[places]
        self._reveal(items[places][drawn >= lower])
        return places, np.maximum(drawn, lower)

    def _are_below(self, levels: NDArray[Any], level: Any) -> NDArray[np.bool_]:
        """Return which levels lie below one that may be the farthest, which no word can hold."""
        if level == self.farthest:
            return np.ones(len(levels), dtype=np.bool_)
        below: NDArray[np.bool_] = levels < level
        return below

    def _reveal(self, items: Integers, number: int = 0) -> None:
        fresh = {(item, number) for item in items.tolist()}
        assert len(fresh) == len(items)
        assert not fresh & self.revealed
        self.revealed |= fresh


class ServedLevels(ServedNoise):
    """A table of E-levels."""

    frontier: float = 0.0
    farthest = math.inf
    level_of_share = HiddenLevels.level_of_share
    level_between = HiddenLevels.level_between

    def __init__(self, levels: list[float]) -> None:
        """Take the levels of all items."""
        super().__init__(np.array(levels))

    def expected_below(self, level: float) -> float:
        """Return how many items of this table lie between the frontier and a level."""
        return float(np.sum((self._levels > self.frontier) & (self._levels < level)))


class ServedWords(ServedNoise):
    """A table of all words of all items."""

    frontier: int = 0
    farthest = HiddenBits.farthest
    level_of_share = HiddenBits.level_of_share
    level_between = HiddenBits.level_between
    expected_below = HiddenBits.expected_below

    def __init__(self, words: Integers) -> None:
        """Take a row of words per item."""
        super().__init__(words[:, 0])
        self._words = words
        self._m = len(words)

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return further words of items."""
        self._reveal(items, number)
        words: Integers = self._words[items, number]
        return words
