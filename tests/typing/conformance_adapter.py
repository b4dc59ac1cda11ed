"""A user's adapters: what the oracle calls, and the arguments that it passes, with all types."""

import random
from collections.abc import Sequence
from typing import assert_type

from privtopk.conformance import (
    BatchSource,
    Cost,
    Doors,
    Index,
    Kind,
    NoiseList,
    OrderedNoise,
    Profile,
    Question,
    Selector,
    largest_allowed_rate,
)
from privtopk.spec import NoiseKind, Relation


class Mine:
    """A selector that declares its promises."""

    kind = Kind.SELECTOR
    cost = Cost.SCAN
    noises = (NoiseKind.GUMBEL,)
    relations = (Relation.ADD_REMOVE,)

    def select(self, scores: Doors, question: Question) -> list[int]:
        """Read everything, and select without noise."""
        assert_type(scores.size, int)
        assert_type(scores.sorted_access(), tuple[int, float])
        assert_type(scores.random_access(1), float)
        assert_type(scores.values([1, 2]), list[float])
        best = scores.top(question.k - 1)
        assert_type(best, list[tuple[int, float]])
        assert_type((question.epsilon, question.delta), tuple[float, float])
        assert_type((question.noise, question.relation), tuple[NoiseKind, Relation])
        assert_type(largest_allowed_rate(question, scores.size), float)
        return sorted(item for item, _ in best)


class Noises:
    """A noise list and its order statistics in one."""

    def __init__(self, m: int, rate: float, noise: NoiseKind) -> None:
        """Draw all values at once."""
        drawn = sorted((random.expovariate(rate) for _ in range(m)), reverse=True)
        self.entries = list(enumerate(drawn, start=1))

    def sorted_access(self) -> tuple[int, float]:
        """Return the next entry."""
        return self.entries.pop(0)

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return dict(self.entries)[item]

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self.entries[position - 1][1]


class Keys:
    """An index."""

    def __init__(self, universe: int) -> None:
        """Start empty."""
        self.keys = set[int]()

    def insert(self, key: int) -> None:
        """Add a key."""
        self.keys.add(key)

    def __contains__(self, key: int) -> bool:
        return key in self.keys

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        return max((one for one in self.keys if one < key), default=None)

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        return min((one for one in self.keys if one > key), default=None)


class Table:
    """A source."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Take the scores."""
        self.stored = list(histogram)

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.stored)

    def top(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return entries, best first."""
        entries = sorted(enumerate(self.stored, start=1), key=lambda entry: -entry[1])
        return entries[start - 1 : start - 1 + count]

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores of items."""
        return [self.stored[item - 1] for item in items]


def protocols() -> tuple[Selector, NoiseList, OrderedNoise, Index, BatchSource]:
    """Return what satisfies each protocol."""
    noises = Noises(3, 1.0, NoiseKind.GUMBEL)
    return Mine(), noises, noises, Keys(8), Table((3, 1, 2))


def doors() -> Doors:
    """Return the doors of a list of two items."""
    entries = [(1, 5.0), (2, 3.0)]

    def read_sorted(count: int) -> list[tuple[int, float]]:
        taken, entries[:count] = entries[:count], []
        return taken

    return Doors(2, read_sorted, lambda items: [{1: 5.0, 2: 3.0}[one] for one in items])


if __name__ == "__main__":
    selector, noises, ordered, index, source = protocols()
    assert selector.select(doors(), Question(2, 1.0)) == [2]
    assert ordered.value(1) == noises.sorted_access()[1]
    assert (index.predecessor(3), source.size) == (None, 3)
    assert [profile.value for profile in Profile][-1] == "own-randomness"
