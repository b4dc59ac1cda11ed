"""The score lists that the harness holds: any histogram, and domains too large to store.

A list knows its size, the score of an item and the item at a rank. The harness chooses the
order of tied items; a subject must not rely on it.
"""

import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Protocol


class ScoreList(Protocol):
    """A histogram as the harness holds it; items and ranks count from 1."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def score(self, item: int) -> float:
        """Return the value of an item: a whole score, or a noise if the list holds noises."""

    def at_rank(self, rank: int) -> int:
        """Return the item at a rank of the sorted list."""


class ListedScores:
    """A stored histogram; a seed shuffles the order of tied items."""

    def __init__(self, scores: Sequence[float], seed: int | None = None) -> None:
        """Take the scores of items 1, 2, ...; without a seed, tied items stand by number."""
        self._scores = tuple(scores)
        order = list(range(1, len(scores) + 1))
        if seed is not None:
            random.Random(seed).shuffle(order)
        self._order = sorted(order, key=lambda item: -self._scores[item - 1])

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self._scores)

    def score(self, item: int) -> float:
        """Return the score of an item."""
        return self._scores[item - 1]

    def at_rank(self, rank: int) -> int:
        """Return the item at a rank."""
        return self._order[rank - 1]


class SparseScoreList:
    """Few positive scores in a domain of any size; all other items score 0."""

    def __init__(self, size: int, positive: Mapping[int, int]) -> None:
        """Take the size of the domain and the scores that are not 0."""
        self._size = size
        self._positive = dict(positive)
        self._leaders = sorted(positive, key=lambda item: (-positive[item], item))
        # Invariant: the n-th item that scores 0 is n plus the number of leaders up to it.
        self._zeros_before = [item - n for n, item in enumerate(sorted(positive), start=1)]

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._size

    def score(self, item: int) -> int:
        """Return the score of an item."""
        return self._positive.get(item, 0)

    def at_rank(self, rank: int) -> int:
        """Return the item at a rank."""
        if rank <= len(self._leaders):
            return self._leaders[rank - 1]
        n = rank - len(self._leaders)
        return n + bisect_right(self._zeros_before, n - 1)
