"""What a subject sees of a list: its size and two doors. The harness counts every access.

A batch counts as one access per entry that comes back. `Doors` shows neither the list nor the
meter, but Python cannot hide them from a subject that searches the memory of its process. One
of the doors may be closed: it raises an error, and the meter counts the attempt.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from privtopk.conformance.subjects.scores import ScoreList
from privtopk.spec.model.access import Door
from privtopk.spec.model.errors import Reason, SelectionError, exhausted_error


@dataclass(slots=True)
class Meter:
    """What one call has read of one list."""

    sorted_accesses: int = 0
    random_accesses: int = 0
    round_trips: int = 0
    items: set[int] = field(default_factory=set)
    """The items whose value the subject has read."""

    trace: list[tuple[str, int]] = field(default_factory=list)
    """The door and the item of every access, in order."""

    refusals: int = 0
    """The number of attempts to read through a closed door."""

    @property
    def accesses(self) -> int:
        """The access cost: both doors together."""
        return self.sorted_accesses + self.random_accesses


class Doors:
    """A list of m items behind its two doors. Items are numbered from 1."""

    __slots__ = ("_read_random", "_read_sorted", "size")

    def __init__(
        self,
        size: int,
        read_sorted: Callable[[int], list[tuple[int, float]]],
        read_random: Callable[[Sequence[int]], list[float]],
    ) -> None:
        """Take the functions behind the two doors; `open_doors` makes them."""
        self.size: int = size
        self._read_sorted = read_sorted
        self._read_random = read_random

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending value, with its value."""
        entries = self._read_sorted(1)
        if not entries:
            raise exhausted_error(self.size)
        return entries[0]

    def random_access(self, item: int) -> float:
        """Return the value of an item."""
        return self._read_random((item,))[0]

    def top(self, count: int) -> list[tuple[int, float]]:
        """Return the next entries by descending value, fewer at the end of the list."""
        return self._read_sorted(count)

    def values(self, items: Sequence[int]) -> list[float]:
        """Return the values of several items, in their order."""
        return self._read_random(items)


def open_doors(scores: ScoreList, closed: Door | None = None) -> tuple[Doors, Meter]:
    """Return the doors of a list for one call, and the meter that counts their accesses."""
    meter = Meter()
    size, score, at_rank = scores.size, scores.score, scores.at_rank

    def read_sorted(count: int) -> list[tuple[int, float]]:
        """Return the next entries."""
        _require_open(Door.SORTED, closed, meter)
        start = meter.sorted_accesses
        stop = min(size, start + require_integer("count", count, 0))
        entries = [(item, score(item)) for item in map(at_rank, range(start + 1, stop + 1))]
        meter.sorted_accesses = stop
        meter.round_trips += 1
        _record(meter, Door.SORTED, [item for item, _ in entries])
        return entries

    def read_random(items: Sequence[int]) -> list[float]:
        """Return the values of items."""
        _require_open(Door.RANDOM, closed, meter)
        asked = [_require_item(item, size) for item in items]
        meter.random_accesses += len(asked)
        meter.round_trips += 1
        _record(meter, Door.RANDOM, asked)
        return [score(item) for item in asked]

    return Doors(size, read_sorted, read_random), meter


def _require_open(door: Door, closed: Door | None, meter: Meter) -> None:
    if door is closed:
        meter.refusals += 1
        raise SelectionError(Reason.DOOR_CLOSED, f"there is no {door} access")


def _record(meter: Meter, door: Door, items: Sequence[int]) -> None:
    meter.items.update(items)
    meter.trace.extend((door.value, item) for item in items)


def require_integer(name: str, value: object, low: int) -> int:
    """Return an argument of a door as a plain integer; raise if it is none or too small."""
    if not hasattr(value, "__index__"):
        raise SelectionError(
            Reason.WRONG_TYPE, f"{name} must be an integer, got {type(value).__name__}"
        )
    number = operator.index(value)
    if number < low:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE, f"{name} must be at least {low}, got {number}"
        )
    return number


def _require_item(item: object, size: int) -> int:
    number = require_integer("item", item, -(2**63))
    if not 1 <= number <= size:
        raise SelectionError(
            Reason.UNKNOWN_ITEM, f"item must be between 1 and m={size}, got {number}"
        )
    return number
