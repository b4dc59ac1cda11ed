"""A uniform permutation that is drawn entry by entry, from either side.

Positions count from 1, items from 0. On each side the numbers that are not yet paired are kept in
an array, behind those that are. A new pair takes one number out of each array and fills its place
with the first unpaired number (Fisher-Yates). Only moved numbers are stored, so that set-up takes
constant time and n pairs take O(n) space.

Paper: thm:oracle, lem:permutation-and-independence.
"""

from collections.abc import Callable
from typing import Final

from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.randomness.stream import WORDS, bounded_stream
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_size

LARGEST_SIZE: Final = WORDS
"""The largest domain for which random integers are drawn without bias."""


class Unpaired:
    """The numbers first, ..., last that are not yet paired, each at a place."""

    __slots__ = ("_last", "_moved", "_places", "front")

    def __init__(self, first: int, last: int) -> None:
        """Start with all numbers, each at its own place."""
        self.front = first
        self._last = last
        # Invariant: inverse to each other; a number that is in neither is at its own place.
        self._moved: dict[int, int] = {}
        self._places: dict[int, int] = {}

    def take_at(self, place: int) -> int:
        """Remove and return the number at a place, which is at least `front`."""
        front = self.front
        self.front = front + 1
        moved, places = self._moved, self._places
        substitute = moved.pop(front, front)
        if place == front:
            if substitute != front:
                del places[substitute]
            return substitute
        number = moved.get(place, place)
        moved[place] = substitute
        places[substitute] = place
        if number != place:
            del places[number]
        return number

    def take(self, number: int) -> None:
        """Remove a number that is still unpaired."""
        front = self.front
        self.front = front + 1
        substitute = self._moved.pop(front, front)
        place = self._places.pop(number, number)
        if place != front:
            self._moved[place] = substitute
            self._places[substitute] = place

    def holds(self, number: int) -> bool:
        """Return whether a number is still unpaired."""
        return number in self._places or (number >= self.front and number not in self._moved)

    def check(self) -> None:
        """Assert all invariants."""
        moved = self._moved.items()
        assert {number: place for place, number in moved} == self._places, "no inverse"
        assert all(self.front <= place <= self._last for place, _ in moved), "a place too far"
        assert all(number < self.front for _, number in moved), "a number moved without need"


class FisherYatesPermutation:
    """A uniform bijection between positions and items, drawn on demand."""

    __slots__ = ("_below", "_items", "_items_at", "_positions", "_positions_of", "size")

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Start with nothing revealed."""
        self.size = require_between("m", require_size(m), 1, LARGEST_SIZE)
        self._below: Callable[[int], int] = bounded_stream(randomness)
        self._positions = Unpaired(1, m)
        self._items = Unpaired(0, m - 1)
        self._items_at: dict[int, int] = {}
        self._positions_of: dict[int, int] = {}

    @property
    def revealed_count(self) -> int:
        """The number of pairs that have been drawn."""
        return len(self._items_at)

    def item_at(self, position: int) -> int:
        """Return the item at a position; a new one is drawn uniformly from the unpaired items."""
        item = self._items_at.get(position)
        if item is None:
            self._require_position(position)
            items = self._items
            item = items.take_at(items.front + self._below(self.size - items.front))
            self._positions.take(position)
            self._items_at[position] = item
            self._positions_of[item] = position
        return item

    def position_of(self, item: int) -> int:
        """Return the position of an item; a new one is drawn uniformly from the unpaired ones."""
        position = self._positions_of.get(item)
        if position is None:
            self._require_item(item)
            positions = self._positions
            position = positions.take_at(
                positions.front + self._below(self.size + 1 - positions.front)
            )
            self._items.take(item)
            self._items_at[position] = item
            self._positions_of[item] = position
        return position

    def check(self) -> None:
        """Assert all invariants of the pairs and of the unpaired numbers."""
        pairs = self._items_at
        assert {item: position for position, item in pairs.items()} == self._positions_of
        assert self._items.front == len(pairs) == self._positions.front - 1, "a pair was lost"
        for unpaired, paired in ((self._positions, pairs), (self._items, self._positions_of)):
            unpaired.check()
            assert not any(unpaired.holds(number) for number in paired), "paired and unpaired"

    def _require_position(self, position: int) -> None:
        if not 1 <= position <= self.size:
            raise SelectionError(
                Reason.INFEASIBLE_POSITIONS,
                f"position must be between 1 and m={self.size}, got {position}",
            )

    def _require_item(self, item: int) -> None:
        if not 0 <= item < self.size:
            raise SelectionError(
                Reason.UNKNOWN_ITEM, f"item must be between 0 and {self.size - 1}, got {item}"
            )
