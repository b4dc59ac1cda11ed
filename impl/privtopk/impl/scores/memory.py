"""Score lists in memory: a plain array, an index that is sorted once, and a sparse domain.

An array has cheap random access only, so a selection from it scans. `IndexedScores` sorts once,
in O(m log m), and then serves any number of selections through both doors. `SparseScores` stores
only the items with a positive score. All other items of a declared domain of up to 2^62 items
score 0 and can be selected like any other. Items with names are in `privtopk.impl.scores.named`.
"""

import time
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.column import whole_scores
from privtopk.impl.scores.protocols import LARGEST_DOMAIN, Page
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_integer


class ArrayScores:
    """An array of scores without an index: its only cheap door is random access."""

    def __init__(self, scores: ArrayLike) -> None:
        """Take the scores of the items 0, 1, ..."""
        self._scores = whole_scores(scores)
        self._sorted: Page | None = None

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self._scores)

    @property
    def is_indexed(self) -> bool:
        """Whether the cost of sorted access is proportional to what it returns."""
        return False

    def top(self, start: int, count: int) -> Page:
        """Return `count` entries from rank `start` on; of tied items the smaller comes first."""
        return self._by_score().at(slice(start, start + count))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items; `take` checks and copies in one pass."""
        return self._scores.take(items)

    def block(self, start: int, stop: int) -> Integers:
        """Return the scores of the items start, ..., stop - 1."""
        return self._scores[start:stop]

    def name(self, item: int) -> object:
        """Return the index of an item."""
        return item

    def _by_score(self) -> Page:
        """Return all entries by descending score, sorted at first use."""
        if self._sorted is None:
            order = order_of(self._scores)
            # Looking up the scores later would need a random access per entry of a page.
            self._sorted = Page(order, self._scores[order])
        return self._sorted


class IndexedScores(ArrayScores):
    """A copy of an array of scores with its sorted list, 24 bytes per item, for many selections."""

    def __init__(self, scores: ArrayLike) -> None:
        """Copy and sort once; `build_seconds` is the time that this took."""
        super().__init__(scores)
        start = time.perf_counter()
        self._scores = self._scores.copy()
        self._by_score()
        self.build_seconds: float = time.perf_counter() - start

    @property
    def is_indexed(self) -> bool:
        """Whether the cost of sorted access is proportional to what it returns."""
        return True


class SparseScores:
    """Positive scores of few items of a declared domain 0, ..., m - 1; all others score 0."""

    is_indexed = True

    def __init__(self, size: int, scores: Mapping[int, int]) -> None:
        """Take the size of the domain and the scores that are not 0."""
        self.size: int = require_between("size", size, 1, LARGEST_DOMAIN)
        named = sorted(require_integer("item", item) for item in scores)
        if named and not (named[0] >= 0 and named[-1] < size):
            raise SelectionError(Reason.UNKNOWN_ITEM, f"items must be between 0 and {size - 1}")
        values = whole_scores([scores[item] for item in named] or [0])
        self._index_scores(
            np.array(named, dtype=np.int64)[values[: len(named)] > 0], values[values > 0]
        )

    @classmethod
    def from_page(cls, size: int, page: Page) -> "SparseScores":
        """Return the scores of distinct items of the domain; they may be 0."""
        source = cls(size, {})
        positive = page.at(page.scores > 0)
        order = np.argsort(positive.items)
        source._index_scores(positive.items[order], positive.scores[order])
        return source

    def _index_scores(self, items: Integers, scores: Integers) -> None:
        """Store positive scores of ascending items, and sort them."""
        self._items, self._scores = items, scores
        self._sorted = Page(items, scores).at(order_of(scores))

    def top(self, start: int, count: int) -> Page:
        """Return `count` entries from rank `start` on; items that score 0 are sorted by number."""
        head = self._sorted.items[start : start + count]
        wanted = min(count, self.size - start)
        zeros = missing_numbers(self._items, max(0, start - len(self._items)), wanted - len(head))
        items = np.concatenate([head, zeros])
        scores = np.zeros(len(items), dtype=np.int64)
        scores[: len(head)] = self._sorted.scores[start : start + count]
        return Page(items, scores)

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return scores_or_zero(items, Page(self._items, self._scores))

    def block(self, start: int, stop: int) -> Integers:
        """Return the scores of the items start, ..., stop - 1."""
        return self.scores(np.arange(start, stop))

    def name(self, item: int) -> object:
        """Return the item's number."""
        return item


def order_of(scores: Integers) -> Integers:
    """Return the places of scores in descending order; of tied scores the first comes first."""
    return np.argsort(-scores, kind="stable")


def scores_or_zero(items: Integers, known: Page) -> Integers:
    """Return the scores of items, and 0 for those not in `known`, whose items ascend."""
    scores = np.zeros(len(items), dtype=np.int64)
    if len(known.items):
        places = np.minimum(np.searchsorted(known.items, items), len(known.items) - 1)
        found = known.items[places] == items
        scores[found] = known.scores[places[found]]
    return scores


def missing_numbers(items: Integers, start: int, count: int) -> Integers:
    """Return `count` of the numbers that are not in an ascending list, from the start-th on."""
    if count <= 0:
        return np.empty(0, dtype=np.int64)
    # The n-th missing number is n plus the number of list entries before it.
    before = items - np.arange(len(items))
    places = np.arange(start, start + count)
    return places + np.searchsorted(before, places, side="right")
