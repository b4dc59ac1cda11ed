"""The items that sorted access has delivered: which they are, and whether one came twice.

Sorting numbers of half the width takes half the time. So items are sorted by their low 32 bits,
once for both questions. Two items can agree in these bits only if the domain has more than 2^32.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import Booleans, is_among

NARROW: Final = 2**32
"""The largest domain in which low bits identify an item."""


class Delivered:
    """All delivered items, in the order of their delivery."""

    def __init__(self, size: int) -> None:
        """Start empty; items are smaller than the size of their domain."""
        self._is_narrow = size <= NARROW
        self._pages: list[Integers] = []
        self._singles: list[int] = []
        self._sorted: NDArray[np.uint32] | None = None

    def add(self, items: Integers) -> None:
        """Append the items of a page."""
        self._pages.append(items)
        self._sorted = None

    def add_one(self, item: int) -> None:
        """Append a single item; faster than a page of one."""
        self._singles.append(item)
        self._sorted = None

    def contains(self, items: Integers) -> Booleans:
        """Return for each item whether it was delivered."""
        low = low_bits(items)
        is_there = is_among(low, self._by_low_bits())
        (doubtful,) = is_there.nonzero()
        if len(doubtful) and not self._is_narrow:
            is_there[doubtful] = is_among(items[doubtful], self._items_agreeing_with(low[doubtful]))
        return is_there

    def has_repeated(self) -> bool:
        """Return whether an item was delivered twice."""
        ascending = self._by_low_bits()
        repeated = ascending[1:][ascending[1:] == ascending[:-1]]
        if self._is_narrow or len(repeated) == 0:
            return len(repeated) > 0
        agreeing = self._items_agreeing_with(repeated)
        return bool((agreeing[1:] == agreeing[:-1]).any())

    def _items(self) -> Integers:
        """Return all items as one array."""
        if len(self._pages) != 1 or self._singles:
            singles = np.array(self._singles, dtype=np.int64)
            self._pages, self._singles = [np.concatenate([*self._pages, singles])], []
        return self._pages[0]

    def _by_low_bits(self) -> NDArray[np.uint32]:
        """Return the low bits of all items, ascending."""
        if self._sorted is None:
            self._sorted = low_bits(self._items())
            self._sorted.sort()
        return self._sorted

    def _items_agreeing_with(self, low: NDArray[np.uint32]) -> Integers:
        """Return the items whose low bits are in this list, ascending."""
        items = self._items()
        return np.sort(items[is_among(low_bits(items), np.sort(low))])


def low_bits(items: Integers) -> NDArray[np.uint32]:
    """Return the low half of each item."""
    return items.astype(np.uint32)
