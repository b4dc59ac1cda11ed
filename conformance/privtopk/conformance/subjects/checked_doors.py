"""Doors that raise at the first entry that no sound score list can deliver.

Both doors must show one histogram: a whole score of at least 0 for every item 1, ..., m.
Sorted access must deliver each item once, by descending score. An item may come again after
others with the same score, so all items delivered are remembered, not the last one only.
"""

import math
from collections.abc import Sequence

from privtopk.conformance.subjects.doors import Doors
from privtopk.spec.model.errors import Reason, SelectionError


class CheckedDoors(Doors):
    """The doors of a score list for one call; no error text contains a score."""

    __slots__ = ("_delivered", "_doors", "_known", "_last")

    def __init__(self, doors: Doors) -> None:
        """Take doors that nothing has been read from."""
        super().__init__(doors.size, self._checked_entries, self._checked_scores)
        self._doors = doors
        self._known: dict[int, int] = {}
        self._delivered: set[int] = set()
        self._last: float = math.inf

    def _checked_entries(self, count: int) -> list[tuple[int, float]]:
        entries = self._doors.top(count)
        wanted = min(count, self.size - len(self._delivered))
        if len(entries) != wanted:
            raise source_fault(f"the source must deliver {wanted} entries, got {len(entries)}")
        return [self._checked_entry(item, value) for item, value in entries]

    def _checked_entry(self, item: int, value: float) -> tuple[int, int]:
        self.require_item(item)
        score = self.require_score(item, value)
        self.require_first_delivery(item)
        self.require_order(score)
        self._delivered.add(item)
        self._last = score
        return item, score

    def _checked_scores(self, items: Sequence[int]) -> list[float]:
        values = self._doors.values(items)
        if len(values) != len(items):
            raise source_fault(f"the source must deliver {len(items)} scores, got {len(values)}")
        return [self.require_score(item, value) for item, value in zip(items, values, strict=True)]

    def require_item(self, item: int) -> None:
        """Raise if sorted access delivered something other than an item 1, ..., m."""
        if not (isinstance(item, int) and 1 <= item <= self.size):
            raise source_fault(f"the source delivered an item outside its m={self.size}")

    def require_score(self, item: int, value: float) -> int:
        """Return a whole score that agrees with all that was shown of the item before."""
        if not (value >= 0 and value == value // 1):
            raise source_fault("a score must be a whole number and at least 0")
        self.require_agreement(item, int(value))
        return int(value)

    def require_agreement(self, item: int, score: int) -> None:
        """Raise if the item was shown with another score before."""
        if self._known.setdefault(item, score) != score:
            raise source_fault("the two doors of the source disagree on a score")

    def require_first_delivery(self, item: int) -> None:
        """Raise if sorted access has delivered the item before, on whatever rank."""
        if item in self._delivered:
            raise source_fault("the source delivered an item twice")

    def require_order(self, score: int) -> None:
        """Raise if the score is above the one delivered last."""
        if score > self._last:
            raise source_fault("the source must deliver entries by descending score")


def source_fault(message: str) -> SelectionError:
    """Return the error of a source that breaks its promises."""
    return SelectionError(Reason.FAULTY_SOURCE, message)
