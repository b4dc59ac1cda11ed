"""The hard inputs behind two doors, without their m scores in memory.

Only S is stored, in the order in which sorted access delivers it. So the order of ties is an
argument: it may be fixed, or it may reveal the low set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from privtopk.spec.model.access import Door, Entry, Ledger
from privtopk.spec.model.values import Item, items_of


@dataclass(slots=True)
class HardList:
    """n on the high items, n - 1 on the low ones, 0 on the others."""

    size: int
    n: int
    high: Sequence[Item]
    low: Sequence[Item]
    _accesses: list[tuple[Door, Item]] = field(default_factory=list)
    _delivered: int = 0

    @property
    def ledger(self) -> Ledger:
        """What has been read so far."""
        return Ledger(tuple(self._accesses))

    def sorted_access(self) -> Entry:
        """Return the next item: first the high ones, then the low ones, then the others."""
        rank, above = self._delivered, len(self.high) + len(self.low)
        if rank < len(self.high):
            item = self.high[rank]
        elif rank < above:
            item = self.low[rank - len(self.high)]
        else:
            inside = {*self.high, *self.low}
            item = [item for item in items_of(self.size) if item not in inside][rank - above]
        self._delivered += 1
        self._accesses.append((Door.SORTED, item))
        return Entry(item, self._score(item))

    def random_access(self, item: Item) -> int:
        """Return the score of an item."""
        self._accesses.append((Door.RANDOM, item))
        return self._score(item)

    def _score(self, item: Item) -> int:
        return self.n if item in self.high else self.n - 1 if item in self.low else 0
