"""A score list of any size that takes no memory: the worst input of the engines."""

from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page
from privtopk.spec.inputs.families import HIGH
from privtopk.spec.upper_bounds.batched import default_prefix

LEVELS: Final = np.array([0, HIGH])


class ImplicitPlateau:
    """The family plat1: the first sqrt(mk) items score 1000, all others 0."""

    is_indexed = True

    def __init__(self, m: int, k: int) -> None:
        """Take the size of the domain and the number of items to select."""
        self.size = m
        self._high = default_prefix(m, k)
        self._first_low = np.array([self._high])

    def top(self, start: int, count: int) -> Page:
        """Return the entries from rank `start` on; the item at rank i is i."""
        items = np.arange(start, min(start + count, self.size))
        scores = np.zeros(len(items), dtype=np.int64)
        scores[: max(0, self._high - start)] = HIGH
        return Page(items, scores)

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return LEVELS.take(items < self._first_low)

    def name(self, item: int) -> object:
        """Return the item's number."""
        return item
