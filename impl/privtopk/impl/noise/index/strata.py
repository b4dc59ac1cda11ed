"""The recursion of the van Emde Boas index, in hash tables.

A number of b bits is split into two parts, and the tree is as deep as if they were halves. The
high part names a cluster. A *summary* is the set of clusters that exist, and each cluster is a set
of low parts. The least and the greatest member of a cluster are stored outside it, so that a search
and an insertion recurse once: into the cluster or into the summary, never into both.

All nodes at the same place of the recursion form a *stratum* and share its dictionaries, with the
whole prefix as key. A node is a few dictionary entries; an empty node takes no space. The recursion
ends in leaves of at most 2^10 numbers, each one integer that is used as a bit set.

Paper: lem:sampling-zj.
"""

from functools import cache
from typing import Final, Protocol

LEAF_BITS: Final = 10
"""A leaf has at most 2^10 numbers: longer integers cost more than a deeper tree."""

NONE: Final = -1
"""Means "no member"; members are at least 0."""


@cache
def low_masks(bits: int) -> list[int]:
    """Return the masks of the numbers below 0, below 1, ... in a leaf of 2^bits numbers."""
    return [(1 << number) - 1 for number in range(1 << bits)]


class Stratum(Protocol):
    """All nodes at one place of the recursion, each a set of numbers with a common prefix.

    Numbers include their prefix, both as arguments and as return values.
    """

    def place(self, number: int) -> int:
        """Add a number that is not a member; return the largest member below it, or NONE."""

    def insert(self, number: int) -> None:
        """Add a number that is not a member."""

    def predecessor(self, number: int) -> int:
        """Return the largest member below a number, or NONE."""

    def members(self) -> list[int]:
        """Return all members of all nodes in ascending order, and assert all invariants."""


class LeafStratum:
    """Sets of numbers of up to 20 bits: one bit set per group of numbers, and one of groups."""

    __slots__ = (
        "_group_bits",
        "_group_mask",
        "_group_masks",
        "_leaves",
        "_mask",
        "_masks",
        "_shift",
        "_summaries",
    )

    def __init__(self, bits: int) -> None:
        """Start empty."""
        self._shift = bits // 2
        self._mask = (1 << self._shift) - 1
        self._masks = low_masks(self._shift)
        self._group_bits = bits - self._shift
        self._group_mask = (1 << self._group_bits) - 1
        self._group_masks = low_masks(self._group_bits)
        self._leaves: dict[int, int] = {}
        self._summaries: dict[int, int] = {}

    def place(self, number: int) -> int:
        """Add a number that is not a member; return the largest member below it, or NONE."""
        shift = self._shift
        group = number >> shift
        low = number & self._mask
        leaves = self._leaves
        leaf = leaves.get(group)
        if leaf is None:
            leaves[group] = 1 << low
            node = group >> self._group_bits
            present = self._summaries.get(node, 0)
            self._summaries[node] = present | 1 << (group & self._group_mask)
            return self._last_before(group, node, present)
        leaves[group] = leaf | 1 << low
        leaf &= self._masks[low]
        if leaf:
            return (group << shift) + leaf.bit_length() - 1
        node = group >> self._group_bits
        return self._last_before(group, node, self._summaries[node])

    def insert(self, number: int) -> None:
        """Add a number that is not a member."""
        group = number >> self._shift
        leaves = self._leaves
        if group in leaves:
            leaves[group] |= 1 << (number & self._mask)
            return
        leaves[group] = 1 << (number & self._mask)
        node = group >> self._group_bits
        present = self._summaries.get(node, 0)
        self._summaries[node] = present | 1 << (group & self._group_mask)

    def predecessor(self, number: int) -> int:
        """Return the largest member below a number, or NONE."""
        shift = self._shift
        group = number >> shift
        leaf = self._leaves.get(group, 0) & self._masks[number & self._mask]
        if leaf:
            return (group << shift) + leaf.bit_length() - 1
        node = group >> self._group_bits
        return self._last_before(group, node, self._summaries.get(node, 0))

    def _last_before(self, group: int, node: int, present: int) -> int:
        """Return the largest member in the groups of the node before this group, or NONE."""
        before = present & self._group_masks[group & self._group_mask]
        if not before:
            return NONE
        group = (node << self._group_bits) + before.bit_length() - 1
        return (group << self._shift) + self._leaves[group].bit_length() - 1

    def members(self) -> list[int]:
        """Return all members of all nodes in ascending order, and assert all invariants."""
        assert all(self._summaries.values()), "an empty node is stored"
        groups = _numbers_of(self._summaries, self._group_bits)
        assert groups == sorted(self._leaves), "summaries and leaves differ"
        assert all(self._leaves.values()), "an empty leaf is stored"
        return _numbers_of(self._leaves, self._shift)


def _numbers_of(bit_sets: dict[int, int], bits: int) -> list[int]:
    """Return prefix * 2^bits + number for the numbers in each prefix's bit set, ascending."""
    assert all(0 <= bit_set >> (1 << bits) < 1 for bit_set in bit_sets.values()), "a bit too far"
    return [
        (prefix << bits) + number
        for prefix, bit_set in sorted(bit_sets.items())
        for number in range(1 << bits)
        if bit_set >> number & 1
    ]


class InnerStratum:
    """Sets of numbers of more than 20 bits: ends of clusters, their other members, a summary."""

    __slots__ = ("_greatest", "_inside", "_least", "_shift", "_summary")

    def __init__(self, bits: int) -> None:
        """Start empty."""
        self._shift = low_bits(bits)
        self._inside = stratum_of(self._shift)
        self._summary = stratum_of(bits - self._shift)
        # Invariant: a cluster with one member has a greatest only, a larger one has a least too.
        self._greatest = {NONE: NONE}
        self._least: dict[int, int] = {}

    def place(self, number: int) -> int:
        """Add a number that is not a member; return the largest member below it, or NONE."""
        cluster = number >> self._shift
        greatest = self._greatest
        last = greatest.setdefault(cluster, number)
        if last == number:
            return greatest[self._summary.place(cluster)]
        first = self._least.get(cluster, last)
        if first < number < last:
            inner = self._inside.place(number)
            return first if inner == NONE else inner
        self._extend(cluster, first, last, number)
        return last if last < number else greatest[self._summary.predecessor(cluster)]

    def insert(self, number: int) -> None:
        """Add a number that is not a member."""
        cluster = number >> self._shift
        last = self._greatest.setdefault(cluster, number)
        if last == number:
            self._summary.insert(cluster)
            return
        first = self._least.get(cluster, last)
        if first < number < last:
            self._inside.insert(number)
        else:
            self._extend(cluster, first, last, number)

    def _extend(self, cluster: int, first: int, last: int, number: int) -> None:
        """Make a number the new end of a cluster; an old end that is no longer one moves inside."""
        if number < first:
            self._least[cluster] = number
            displaced = first
        else:
            self._greatest[cluster] = number
            self._least[cluster] = first
            displaced = last
        if first != last:
            self._inside.insert(displaced)

    def predecessor(self, number: int) -> int:
        """Return the largest member below a number, or NONE."""
        cluster = number >> self._shift
        greatest = self._greatest
        last = greatest.get(cluster)
        if last is not None:
            if last < number:
                return last
            first = self._least.get(cluster, last)
            if first < number:
                inner = self._inside.predecessor(number)
                return first if inner == NONE else inner
        return greatest[self._summary.predecessor(cluster)]

    def members(self) -> list[int]:
        """Return all members of all nodes in ascending order, and assert all invariants."""
        clusters = sorted(self._greatest.keys() - {NONE})
        assert self._greatest[NONE] == NONE, "the sentinel was overwritten"
        assert clusters == self._summary.members(), "summary and clusters differ"
        assert self._least.keys() <= set(clusters), "a least member without a greatest"
        inside = self._inside.members()
        for ends in (self._greatest, self._least):
            assert all(end >> self._shift == c for c, end in ends.items()), "an end far away"
        for number in inside:
            cluster = number >> self._shift
            assert cluster in self._least, "an inner member in a cluster without two ends"
            assert self._least[cluster] < number < self._greatest[cluster], "an end inside"
        assert all(self._least[c] < self._greatest[c] for c in self._least), "ends out of order"
        return sorted([*inside, *self._least.values(), *(self._greatest[c] for c in clusters)])


def low_bits(bits: int) -> int:
    """Return the number of bits of the low part of a number.

    Neither part makes the tree deeper than halves would. If possible, the high part is short
    enough for a leaf stratum: in a sparse set most clusters have one member, and a search ends
    in the summary.
    """
    width = 2 * LEAF_BITS
    while 2 * width < bits:
        width *= 2
    return min(width, bits - min(2 * LEAF_BITS, bits // 2))


def stratum_of(bits: int) -> Stratum:
    """Return an empty stratum for sets of numbers with this many bits."""
    return LeafStratum(bits) if bits <= 2 * LEAF_BITS else InnerStratum(bits)
