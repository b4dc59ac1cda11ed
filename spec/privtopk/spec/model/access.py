"""The two doors of a database, and a ledger of every access.

*Sorted access* returns the next item by descending value; *random access* returns the
value of a named item. Nothing else about the list can be learned.

Paper:    model:sorted-access, model:random-access, model:access-cost.
Deviates: erratum:tie-order (ties go to the smaller item, whatever the values are).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_item, require_number, require_size
from privtopk.spec.model.values import Item, Number


class Door(StrEnum):
    """How an entry was read: by sorted or by random access."""

    SORTED = "sorted"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Entry:
    """An item together with its value in one list."""

    item: Item
    value: Number


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every access made to one list, in order."""

    accesses: tuple[tuple[Door, Item], ...] = ()

    def count(self, door: Door) -> int:
        """Return the number of accesses through one door."""
        return sum(1 for used, _ in self.accesses if used == door)

    @property
    def cost(self) -> int:
        """The access cost: sorted and random accesses together.

        Paper: model:access-cost.
        """
        return len(self.accesses)

    @property
    def distinct_items(self) -> frozenset[Item]:
        """The items whose value was read."""
        return frozenset(item for _, item in self.accesses)

    def price(self, sorted_cost: Number, random_cost: Number) -> Number:
        """Return the total price when the two doors cost different amounts."""
        return sorted_cost * self.count(Door.SORTED) + random_cost * self.count(Door.RANDOM)


class DualAccess(Protocol):
    """A list of m items that can be read through both doors."""

    @property
    def size(self) -> int:
        """The number m of items."""

    @property
    def ledger(self) -> Ledger:
        """What has been read so far."""

    def sorted_access(self) -> Entry:
        """Return the next entry by descending value.

        Paper: model:sorted-access.
        """

    def random_access(self, item: Item) -> Number:
        """Return the value of an item.

        Paper: model:random-access.
        """


def sorted_entries(values: Sequence[Number]) -> tuple[Entry, ...]:
    """Return the list in descending order of value, ties to the smaller item.

    Deviates: erratum:tie-order.
    """
    entries = [Entry(Item(i), value) for i, value in enumerate(values, start=1)]
    return tuple(sorted(entries, key=lambda entry: (-entry.value, entry.item)))


class StoredList:
    """A list in memory: the database of the specification."""

    def __init__(self, values: Sequence[Number]) -> None:
        """Take one value per item, in the order of items 1, ..., m."""
        require_size(len(values))
        self._values = tuple(require_number("a value", value) for value in values)
        self._sorted = sorted_entries(self._values)
        self._delivered = 0
        self._accesses: list[tuple[Door, Item]] = []

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self._values)

    @property
    def ledger(self) -> Ledger:
        """What has been read so far."""
        return Ledger(tuple(self._accesses))

    def sorted_access(self) -> Entry:
        """Return the next entry by descending value."""
        if self._delivered == self.size:
            raise exhausted_error(self.size)
        entry = self._sorted[self._delivered]
        self._delivered += 1
        self._accesses.append((Door.SORTED, entry.item))
        return entry

    def random_access(self, item: Item) -> Number:
        """Return the value of an item."""
        known = require_item(item, self.size)
        self._accesses.append((Door.RANDOM, known))
        return self._values[known - 1]
