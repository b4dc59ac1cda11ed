"""Right stores: a predecessor index by bisection, and a source in memory."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

from privtopk.conformance.subjects.kinds import Kind
from privtopk.spec.model.parameters import require_at_least, require_between, require_histogram
from privtopk.spec.model.parameters import require_item as item_of


class BisectIndex:
    """A growing set of integers, kept in a sorted list."""

    kind = Kind.PREDECESSOR_INDEX

    def __init__(self, universe: int) -> None:
        """Start empty."""
        self.universe = require_at_least("universe", universe, 1)
        self.keys: list[int] = []

    def insert(self, key: int) -> None:
        """Add a key; adding one twice changes nothing."""
        if self.require_key(key) not in self:
            insort(self.keys, key)

    def __contains__(self, key: int) -> bool:
        place = bisect_left(self.keys, key)
        return place < len(self.keys) and self.keys[place] == key

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        place = bisect_left(self.keys, self.require_key(key))
        return self.keys[place - 1] if place else None

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        place = bisect_right(self.keys, self.require_key(key))
        return self.keys[place] if place < len(self.keys) else None

    def require_key(self, key: int) -> int:
        """Return a key of the universe, or raise."""
        return require_between("key", key, 0, self.universe - 1)


class HistogramSource:
    """A score list in memory; ties stand by their number."""

    kind = Kind.SOURCE

    def __init__(self, histogram: Sequence[int]) -> None:
        """Sort once."""
        self.histogram = self.stored_scores(require_histogram(histogram))
        self.order = self.sorted_items()

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self.histogram)

    def top(self, start: int, count: int) -> Sequence[tuple[int, int]]:
        """Return the entries at the ranks start, ..., start + count - 1, fewer at the end."""
        first = require_at_least("start", start, 1) - 1
        items = self.order[first : first + require_at_least("count", count, 0)]
        return [(item, self.histogram[item - 1]) for item in items]

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of the items, in their order."""
        return [self.score(item_of(item, self.size)) for item in items]

    def score(self, item: int) -> int:
        """Return the score of an item."""
        return self.histogram[item - 1]

    def stored_scores(self, histogram: Sequence[int]) -> Sequence[int]:
        """Return the scores as they are kept."""
        return histogram

    def sorted_items(self) -> list[int]:
        """Return the items by descending score."""
        return sorted(range(1, self.size + 1), key=lambda item: -self.histogram[item - 1])
