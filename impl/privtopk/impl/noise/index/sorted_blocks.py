"""The sorted blocks: neighbours in a set of integers by two binary searches.

The members are in ascending order, in blocks of at most 1024; a list of separators finds the
block. Asymptotically a van Emde Boas index is better. Up to tens of millions of members this one is
faster, because searching a block and shifting it are single calls in C.

Paper: lem:sampling-zj.
"""

from bisect import bisect_left
from typing import Final

LOAD: Final = 1024
"""The length at which a block is split; shorter blocks would make the list of separators longer."""


class SortedBlocksIndex:
    """A growing set of integers that finds the neighbours of a key."""

    __slots__ = ("_blocks", "_ends")

    def __init__(self) -> None:
        """Start empty."""
        self._blocks: list[list[int]] = [[]]
        # Invariant: the last member of every block except the last block, which is empty at first.
        self._ends: list[int] = []

    def place(self, key: int) -> tuple[int | None, int | None]:
        """Add a key and return its two neighbours, in one search."""
        number = bisect_left(self._ends, key)
        block = self._blocks[number]
        at = bisect_left(block, key)
        length = len(block)
        after = block[at] if at < length else None
        if after == key:
            return self.neighbours(key)
        before = block[at - 1] if at else self._last_before(number)
        block.insert(at, key)
        if length >= LOAD:
            self._split(number)
        return before, after

    def insert(self, key: int) -> None:
        """Add a key; adding one twice changes nothing."""
        self.place(key)

    def neighbours(self, key: int) -> tuple[int | None, int | None]:
        """Return the nearest members strictly below and strictly above, in one search."""
        number = bisect_left(self._ends, key)
        block = self._blocks[number]
        at = bisect_left(block, key)
        before = block[at - 1] if at else self._last_before(number)
        if at < len(block) and block[at] == key:
            at += 1
        if at < len(block):
            return before, block[at]
        return before, self._blocks[number + 1][0] if number < len(self._ends) else None

    def __contains__(self, key: int) -> bool:
        block = self._blocks[bisect_left(self._ends, key)]
        at = bisect_left(block, key)
        return at < len(block) and block[at] == key

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        return self.neighbours(key)[0]

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        return self.neighbours(key)[1]

    def minimum(self) -> int | None:
        """Return the smallest member, or None."""
        first = self._blocks[0]
        return first[0] if first else None

    def maximum(self) -> int | None:
        """Return the largest member, or None."""
        last = self._blocks[-1]
        return last[-1] if last else None

    def check(self) -> None:
        """Assert all invariants of the blocks and of the separators."""
        members = [key for block in self._blocks for key in block]
        assert members == sorted(set(members)), "members out of order"
        assert self._ends == [block[-1] for block in self._blocks[:-1]], "a wrong separator"
        assert all(block for block in self._blocks) or self._blocks == [[]], "an empty block"
        assert all(len(block) <= LOAD for block in self._blocks), "a block too long"

    def _last_before(self, number: int) -> int | None:
        """Return the last member before a block, or None."""
        return self._ends[number - 1] if number else None

    def _split(self, number: int) -> None:
        """Split a block into two halves."""
        block = self._blocks[number]
        half = len(block) // 2
        self._blocks[number : number + 1] = [block[:half], block[half:]]
        self._ends.insert(number, block[half - 1])
