"""A score list of any size that is stored nowhere: the worst input of the engines."""

import numpy as np

from privtopk.impl.randomness import Integers
from privtopk.impl.source import Page
from privtopk.spec.batched_bounds import default_prefix
from privtopk.spec.families import HIGH


class ImplicitPlateau:
    """The family plat1: the first sqrt(mk) items score 1000, all others 0."""

    is_indexed = True

    def __init__(self, m: int, k: int) -> None:
        """Take the size of the domain and the number of items to select."""
        self.size = m
        self._high = default_prefix(m, k)

    def top(self, start: int, count: int) -> Page:
        """Return the entries at some ranks; the item at rank i is i."""
        items = np.arange(start, min(start + count, self.size))
        return Page(items, self.scores(items))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return np.where(items < self._high, HIGH, 0)

    def name(self, item: int) -> object:
        """Return the item's number."""
        return item
