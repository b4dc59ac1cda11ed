"""The k best entries so far, without a heap.

A heap would cost log k for every entry that enters. Entries are appended instead, and from
time to time the list is cut back to the k best by linear selection. The floor, the k-th
best when the list was last settled, is a lower bound of the k-th best now: enough to turn
away what cannot enter, and to stop without being wrong.

Paper: erratum:running-time.
"""

from typing import TypeAlias

Entry: TypeAlias = tuple[int, int]
"""A value and the negated item: the larger entry is the better one, ties to the smaller item."""


def largest(entries: list[Entry], k: int) -> list[Entry]:
    """Return the k largest of at least k distinct entries, in expected linear time."""
    chosen: list[Entry] = []
    while len(entries) > k - len(chosen):
        pivot = entries[len(entries) // 2]
        above = [entry for entry in entries if entry > pivot]
        if len(above) >= k - len(chosen):
            entries = above
        else:
            chosen += [*above, pivot]
            entries = [entry for entry in entries if entry < pivot]
    return chosen + entries


class Shortlist:
    """The entries that may still be among the k best."""

    __slots__ = ("_entries", "_is_settled", "_k", "floor")

    def __init__(self, k: int) -> None:
        """Start empty."""
        self._k = k
        self._entries: list[Entry] = []
        self._is_settled = True
        self.floor: int | None = None

    def add(self, value: int, item: int) -> None:
        """Take in an item that is new, unless k others are better for sure."""
        if self.floor is None or value >= self.floor:
            self._entries.append((value, -item))
            self._is_settled = False

    def settle(self) -> None:
        """Cut the list back to the k best and raise the floor to the last of them."""
        if self._is_settled or len(self._entries) < self._k:
            return
        self._entries = largest(self._entries, self._k)
        self.floor = min(self._entries)[0]
        self._is_settled = True

    def ranked(self) -> tuple[int, ...]:
        """Return the k best items, best first."""
        return tuple(-negated for _, negated in sorted(self._entries, reverse=True)[: self._k])
