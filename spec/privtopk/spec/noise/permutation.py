"""A uniform permutation that is drawn entry by entry, from either side.

Sorted access asks which item stands at a position, random access asks at which position
an item stands. Positions and items are kept in two sparse arrays. In both, the entries
already paired come first, in the same order; drawing a new pair is one swap in each array
(Fisher and Yates, with hashing for constant set-up time).

Paper: thm:oracle, lem:permutation-and-independence.
"""

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_integer, require_item, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, Position


class SparseArrangement:
    """An arrangement of 1, ..., m that stores only the places that were exchanged."""

    def __init__(self, m: int) -> None:
        """Start with every number at its own place."""
        self.size: int = require_size(m)
        self._at: dict[int, int] = dict()
        self._place: dict[int, int] = dict()

    def at(self, place: int) -> int:
        """Return the number at a place."""
        return self._at.get(place, place)

    def place_of(self, number: int) -> int:
        """Return the place of a number."""
        return self._place.get(number, number)

    def exchange(self, first: int, second: int) -> None:
        """Exchange the numbers at two places."""
        at_first, at_second = self.at(first), self.at(second)
        self._at[first], self._at[second] = at_second, at_first
        self._place[at_first], self._place[at_second] = second, first


class LazyPermutation:
    """A uniform bijection between positions and items, revealed on demand.

    Paper: lem:permutation-and-independence.
    """

    def __init__(self, m: int, tape: Tape) -> None:
        """Start with nothing revealed."""
        self._positions = SparseArrangement(m)
        self._items = SparseArrangement(m)
        self._tape = tape
        self._revealed = 0

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._items.size

    @property
    def revealed(self) -> int:
        """The number of pairs drawn so far."""
        return self._revealed

    def item_at(self, position: Position) -> Item:
        """Return the item at a position, drawn uniformly from the unseen items if it is new."""
        place = self._positions.place_of(self._require_position(position))
        if place > self._revealed:
            self._pair(place, self._draw())
            place = self._revealed
        return Item(self._items.at(place))

    def position_of(self, item: Item) -> Position:
        """Return the position of an item, drawn uniformly from the unseen ones if it is new."""
        place = self._items.place_of(require_item(item, self.size))
        if place > self._revealed:
            self._pair(self._draw(), place)
            place = self._revealed
        return Position(self._positions.at(place))

    def _draw(self) -> int:
        """Return a uniform place among those not yet paired."""
        return self._revealed + 1 + self._tape.below(self.size - self._revealed)

    def _pair(self, position_place: int, item_place: int) -> None:
        self._revealed += 1
        self._positions.exchange(self._revealed, position_place)
        self._items.exchange(self._revealed, item_place)

    def _require_position(self, position: Position) -> int:
        number = require_integer("position", position)
        if not 1 <= number <= self.size:
            raise SelectionError(
                Reason.INFEASIBLE_POSITIONS,
                f"position must be between 1 and m={self.size}, got {number}",
            )
        return number
