"""The rank-free oracle: both doors of the noise list without ranks, Beta variables or index.

Invariant: there is a frontier c such that every item with E <= c is seen, and the E of the
unseen items are i.i.d. with the law of c + Exp(1), given everything revealed. Random access to
an unseen item draws c + Exp(1) and makes the item pending. The smallest E of N unseen items is
c + Exp(1)/N and belongs to a uniform unseen item. If a pending item comes first, the drawn
minimum is dropped: only the event that it is larger has been used.

A uniform unseen item is found by rejection while at most half of the items are seen. Then the
unseen items are listed once, and each is removed from the list at most once.

Ours: ours:rank-free.
"""

from collections.abc import Collection
from heapq import heappop, heappush

from privtopk.impl.noise.lazy_permutation import LARGEST_SIZE
from privtopk.impl.noise.oracle import unknown_item_error
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.randomness.stream import bounded_stream, float_stream, integer_stream
from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_between, require_size


class UnseenItems:
    """The items that were unseen when the list was made; items seen since then are skipped."""

    __slots__ = ("_below", "_items")

    def __init__(self, size: int, seen: Collection[int], randomness: Randomness) -> None:
        """List the unseen items of 0, ..., size - 1."""
        self._items = [item for item in range(size) if item not in seen]
        self._below = bounded_stream(randomness)

    def take(self, seen: Collection[int]) -> int:
        """Remove and return a uniform unseen item; there must be one."""
        items = self._items
        while True:
            place = self._below(len(items))
            item = items[place]
            items[place] = items[-1]
            items.pop()
            if item not in seen:
                return item


class RankFreeLevelOracle:
    """Both doors of a list of m i.i.d. noises, for any adaptive order of queries."""

    __slots__ = (
        "_any_item",
        "_exponential",
        "_frontier",
        "_levels",
        "_pending",
        "_randomness",
        "_unseen",
        "size",
    )

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Start with the frontier at 0 and nothing seen."""
        self.size = require_between("m", require_size(m), 1, LARGEST_SIZE)
        self._randomness = randomness
        self._exponential = float_stream(randomness.exponentials)
        self._any_item = integer_stream(lambda n: randomness.integers(m, n))
        self._levels: dict[int, float] = {}
        # Invariant: the items that random access has revealed and sorted access has not delivered.
        self._pending: list[tuple[float, int]] = []
        self._frontier = 0.0
        self._unseen: UnseenItems | None = None

    def random_access(self, item: int) -> float:
        """Return the E-level of an item."""
        level = self._levels.get(item)
        if level is None:
            if not 0 <= item < self.size:
                raise unknown_item_error(item, self.size)
            self._levels[item] = level = self._frontier + self._exponential()
            heappush(self._pending, (level, item))
        return level

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by ascending E-level, and the level."""
        levels = self._levels
        pending = self._pending
        unseen = self.size - len(levels)
        if not unseen:
            return self._deliver_pending()
        level = self._frontier + self._exponential() / unseen
        if pending and pending[0][0] < level:
            return self._deliver_pending()
        if 2 * unseen < self.size:
            item = self._listed_item()
        else:
            any_item = self._any_item
            item = any_item()
            while item in levels:
                item = any_item()
        levels[item] = self._frontier = level
        return item, level

    def _deliver_pending(self) -> tuple[int, float]:
        """Deliver the first pending item."""
        if not self._pending:
            raise exhausted_error(self.size)
        self._frontier, item = heappop(self._pending)
        return item, self._frontier

    def _listed_item(self) -> int:
        """Return a uniform unseen item when few are left, from the list of them."""
        if self._unseen is None:
            self._unseen = UnseenItems(self.size, self._levels, self._randomness)
        return self._unseen.take(self._levels)
