"""The rank-free oracle: both doors of the noise list without ranks, Beta variables or index.

Invariant: there is a frontier c such that every item with a level E <= c is seen and, given
everything revealed, the levels of the unseen items are i.i.d. with the law of c + Exp(1).

Random access to an unseen item draws c + Exp(1). The smallest level of N unseen items is
c + Exp(1)/N and belongs to a uniform one of them. If an item seen by random access comes
first, sorted access discards the drawn minimum: it has used only that this is larger.

Ours: ours:rank-free.
"""

import math

from privtopk.spec.model.access import Door, Entry, Ledger
from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_item
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item
from privtopk.spec.noise.distributions import Noise, exponential
from privtopk.spec.noise.permutation import SparseArrangement


class RankFreeOracle:
    """Both doors of a list of m i.i.d. noises, for any adaptive order of queries.

    Ours: ours:rank-free.
    """

    def __init__(self, m: int, noise: Noise, tape: Tape) -> None:
        """Start with the frontier at 0 and nothing seen."""
        self._noise = noise
        self._tape = tape
        self._items = SparseArrangement(m)
        self._levels: dict[Item, float] = {}
        self._pending: set[Item] = set()
        self._frontier = 0.0
        self._accesses: list[tuple[Door, Item]] = []

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._items.size

    @property
    def ledger(self) -> Ledger:
        """What has been read so far."""
        return Ledger(tuple(self._accesses))

    def random_access(self, item: Item) -> float:
        """Return the noise of an item."""
        known = require_item(item, self.size)
        if known not in self._levels:
            self._see(known, self._frontier + exponential(self._tape))
            self._pending.add(known)
        self._accesses.append((Door.RANDOM, known))
        return self._noise.from_exponential(self._levels[known])

    def sorted_access(self) -> Entry:
        """Return the next item by descending noise."""
        known = min(self._pending, key=lambda i: (self._levels[i], i), default=None)
        fresh = self._smallest_unseen()
        if known is None and fresh == math.inf:
            raise exhausted_error(self.size)
        if known is not None and self._levels[known] < fresh:
            item = known
            self._pending.remove(item)
        else:
            item = self._uniform_unseen()
            self._see(item, fresh)
        self._frontier = self._levels[item]
        self._accesses.append((Door.SORTED, item))
        return Entry(item, self._noise.from_exponential(self._levels[item]))

    def _smallest_unseen(self) -> float:
        """Return the smallest level of the unseen items, infinity if there is none."""
        unseen = self.size - len(self._levels)
        return self._frontier + exponential(self._tape) / unseen if unseen else math.inf

    def _uniform_unseen(self) -> Item:
        """Return a uniform unseen item; the seen ones occupy the first places."""
        seen = len(self._levels)
        return Item(self._items.at(seen + 1 + self._tape.below(self.size - seen)))

    def _see(self, item: Item, level: float) -> None:
        self._levels[item] = level
        self._items.exchange(len(self._levels), self._items.place_of(item))
