"""Predecessor indexes that lose, invent or confuse keys."""

from bisect import bisect_left, bisect_right, insort
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, mutants
from privtopk.conformance.mutants.right.stores import BisectIndex

CLUSTER: Final = 256
"""Neighbouring keys per cluster."""


class PredecessorMayBeTheKey(BisectIndex):
    """The predecessor of a member is the member itself."""

    def predecessor(self, key: int) -> int | None:
        """Return the largest member up to the key."""
        return key if key in self else super().predecessor(key)


class SuccessorMayBeTheKey(BisectIndex):
    """The successor of a member is the member itself."""

    def successor(self, key: int) -> int | None:
        """Return the smallest member from the key on."""
        return key if key in self else super().successor(key)


class MinimumForgotten(BisectIndex):
    """The smallest member, stored apart as in a van Emde Boas tree, is no key's predecessor."""

    def predecessor(self, key: int) -> int | None:
        """Return the largest smaller member, unless it is the smallest of all."""
        found = super().predecessor(key)
        return None if self.keys and found == self.keys[0] else found


class SmallestOfTheClusterBefore(BisectIndex):
    """If the predecessor lies in another cluster, the smallest member there is returned."""

    def predecessor(self, key: int) -> int | None:
        """Return the wrong end of the cluster before."""
        found = super().predecessor(key)
        if found is None or found // CLUSTER == key // CLUSTER:
            return found
        return self.keys[bisect_left(self.keys, found // CLUSTER * CLUSTER)]


class LargestOfTheClusterBehind(BisectIndex):
    """If the successor lies in another cluster, the largest member there is returned."""

    def successor(self, key: int) -> int | None:
        """Return the wrong end of the cluster behind."""
        found = super().successor(key)
        if found is None or found // CLUSTER == key // CLUSTER:
            return found
        return self.keys[bisect_left(self.keys, (found // CLUSTER + 1) * CLUSTER) - 1]


class KeysOf32Bits(BisectIndex):
    """Only the low 32 bits of a key are stored."""

    def require_key(self, key: int) -> int:
        """Return a key that has lost its upper bits."""
        return super().require_key(key) % 2**32

    def insert(self, key: int) -> None:
        """Add what is left of a key."""
        super().insert(self.require_key(key))

    def __contains__(self, key: int) -> bool:
        return super().__contains__(key % 2**32)


class KeysAsFloats(BisectIndex):
    """Keys are stored as doubles, which cannot tell neighbours beyond 2^53 apart."""

    def insert(self, key: int) -> None:
        """Add the nearest double."""
        super().insert(min(int(float(self.require_key(key))), self.universe - 1))


class ZeroIsNothing(BisectIndex):
    """If the predecessor is 0, none is reported."""

    def predecessor(self, key: int) -> int | None:
        """Return the largest smaller member, unless it is 0."""
        return super().predecessor(key) or None


class LastKeyLost(BisectIndex):
    """The largest key of the universe is never added."""

    def insert(self, key: int) -> None:
        """Add a key unless it is the last."""
        if self.require_key(key) < self.universe - 1 or self.universe == 1:
            super().insert(key)


class InsertedTwiceIsGone(BisectIndex):
    """Adding a key a second time removes it."""

    def insert(self, key: int) -> None:
        """Add a key, or take it out."""
        if self.require_key(key) in self:
            self.keys.remove(key)
        else:
            insort(self.keys, key)


class InsertedTwiceIsTwice(BisectIndex):
    """A key that is added twice is its own predecessor."""

    def insert(self, key: int) -> None:
        """Add a key once more."""
        insort(self.keys, self.require_key(key))

    def predecessor(self, key: int) -> int | None:
        """Return the entry before the last one of this key."""
        place = bisect_right(self.keys, self.require_key(key))
        if key in self:
            place -= 1
        return self.keys[place - 1] if place else None


class SuccessorGoesRound(BisectIndex):
    """The successor of the largest member is the smallest one."""

    def successor(self, key: int) -> int | None:
        """Return the next member, and the first after the last."""
        found = super().successor(key)
        return self.keys[0] if found is None and self.keys else found


class KeysSeenLate(BisectIndex):
    """A key is found only after another one was added."""

    waiting: int | None = None

    def insert(self, key: int) -> None:
        """Add the key of the previous call."""
        if self.waiting is not None:
            super().insert(self.waiting)
        self.waiting = self.require_key(key)


class FullAfterAThousand(BisectIndex):
    """Keys beyond the first thousand are dropped."""

    def insert(self, key: int) -> None:
        """Add a key while there is room."""
        if len(self.keys) < 1000:
            super().insert(key)


class WholeClusterContained(BisectIndex):
    """A key counts as contained if its cluster contains any key."""

    def __contains__(self, key: int) -> bool:
        return any(known // CLUSTER == key // CLUSTER for known in self.keys)

    def insert(self, key: int) -> None:
        """Add a key."""
        place = bisect_left(self.keys, self.require_key(key))
        if self.keys[place : place + 1] != [key]:
            self.keys.insert(place, key)


MUTANTS: Final = mutants(
    (
        PredecessorMayBeTheKey,
        SuccessorMayBeTheKey,
        MinimumForgotten,
        SmallestOfTheClusterBefore,
        LargestOfTheClusterBehind,
        KeysOf32Bits,
        KeysAsFloats,
        ZeroIsNothing,
        LastKeyLost,
        InsertedTwiceIsGone,
        InsertedTwiceIsTwice,
        SuccessorGoesRound,
        KeysSeenLate,
        FullAfterAThousand,
        WholeClusterContained,
    ),
    USUAL_SLIP,
    "predecessor-index.neighbours",
)
