"""The k best entries so far, without a heap.

A heap would cost log k for every entry that enters. Entries are appended instead, and from
time to time the list is cut back to the k best by linear selection. The floor, the k-th best
when the list was last cut, is a lower bound of the k-th best now. That is enough to reject
entries and to stop correctly.

An entry is one integer, the value before the item counted from the end: the larger entry is
the better one, ties to the smaller item.

Deviates: erratum:running-time.
"""

from typing import Final

ITEM_BITS: Final = 62
"""Items of the largest domain have 62 bits."""

LAST_ITEM: Final = (1 << ITEM_BITS) - 1

FEW: Final = 1 << 12
"""Up to 4,096 entries, mostly in order from the last time, are sorted faster than partitioned."""


def largest(entries: list[int], k: int) -> list[int]:
    """Return the k largest of at least k distinct entries, in expected linear time."""
    chosen: list[int] = []
    wanted = k
    while len(entries) > max(wanted, FEW):
        pivot = entries[len(entries) // 2]
        above = [entry for entry in entries if entry > pivot]
        if len(above) >= wanted:
            entries = above
        else:
            chosen += [*above, pivot]
            entries = [entry for entry in entries if entry < pivot]
            wanted = k - len(chosen)
    surplus = len(entries) - wanted
    return chosen + (sorted(entries)[surplus:] if surplus else entries)


class Shortlist:
    """The entries that may still be among the k best."""

    __slots__ = ("_entries", "_is_settled", "_k", "floor")

    def __init__(self, k: int) -> None:
        """Start empty."""
        self._k = k
        self._entries: list[int] = []
        self._is_settled = True
        self.floor: int | None = None

    def add(self, value: int, item: int) -> None:
        """Add a new item, unless k others are certainly better."""
        if self.floor is None or value >= self.floor:
            self._entries.append((value << ITEM_BITS) + LAST_ITEM - item)
            self._is_settled = False

    def settle(self) -> None:
        """Cut the list back to the k best and raise the floor to the last of them."""
        if self._is_settled or len(self._entries) < self._k:
            return
        self._entries = largest(self._entries, self._k)
        self.floor = min(self._entries) >> ITEM_BITS
        self._is_settled = True

    def ranking(self) -> tuple[int, ...]:
        """Return the k best items, best first."""
        best = sorted(self._entries, reverse=True)[: self._k]
        return tuple(LAST_ITEM - (entry & LAST_ITEM) for entry in best)
