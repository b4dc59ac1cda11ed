"""The van Emde Boas index: neighbours in a set of integers in O(log log u) steps.

The tree is that of `strata`. Clusters are hashed, so that n members take O(n) space and building
an empty index takes constant time for every universe. The members also form a linked list in
ascending order: after one search, the other neighbour takes one look-up.

Paper:    lem:sampling-zj.
Deviates: erratum:running-time (hashing, because a plain tree takes Theta(u) to build).
"""

from typing import Final

from privtopk.impl.noise.index.strata import NONE, stratum_of
from privtopk.spec.model.parameters import require_between

LARGEST_UNIVERSE: Final = 1 << 63
"""Keys are 63-bit numbers: the tree is at most three strata deep."""


class VanEmdeBoasIndex:
    """A growing set of integers in 0, ..., universe - 1 that finds the neighbours of a key."""

    __slots__ = ("_greatest", "_next", "_place", "_root", "_universe")

    def __init__(self, universe: int) -> None:
        """Start empty, in constant time."""
        self._universe = require_between("universe", universe, 1, LARGEST_UNIVERSE)
        self._root = stratum_of((universe - 1).bit_length())
        self._place = self._root.place
        self._next: dict[int, int | None] = {NONE: None}
        self._greatest = NONE

    def place(self, key: int) -> tuple[int | None, int | None]:
        """Add a key and return its two neighbours: one search, one insertion."""
        thread = self._next
        if key in thread and key != NONE:
            return self.neighbours(key)
        if not 0 <= key < self._universe:
            require_between("key", key, 0, self._universe - 1)
        before = self._place(key)
        thread[key] = after = thread[before]
        thread[before] = key
        if after is None:
            self._greatest = key
        return (before if before >= 0 else None), after

    def insert(self, key: int) -> None:
        """Add a key; adding one twice changes nothing."""
        self.place(key)

    def __contains__(self, key: int) -> bool:
        return key in self._next and key != NONE

    def neighbours(self, key: int) -> tuple[int | None, int | None]:
        """Return the nearest members strictly below and strictly above."""
        before = self._before(key)
        after = self._next[before]
        if after == key:
            after = self._next[key]
        return (before if before >= 0 else None), after

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        before = self._before(key)
        return before if before >= 0 else None

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        return self.neighbours(key)[1]

    def minimum(self) -> int | None:
        """Return the smallest member, or None."""
        return self._next[NONE]

    def maximum(self) -> int | None:
        """Return the largest member, or None."""
        return self._greatest if self._greatest >= 0 else None

    def _before(self, key: int) -> int:
        """Return the largest member below a key, or NONE; the key may be outside the universe."""
        if key > self._greatest:
            return self._greatest
        return self._root.predecessor(key) if key >= 0 else NONE

    def check(self) -> None:
        """Assert all invariants of the tree and of the linked list."""
        members = self._root.members()
        assert all(0 <= key < self._universe for key in members), "a member outside the universe"
        ends: list[int | None] = [*members, None]
        thread = dict(zip([NONE, *members], ends, strict=True))
        assert self._next == thread, "the thread does not follow the order"
        assert self._greatest == [NONE, *members][-1], "the greatest member is another"
