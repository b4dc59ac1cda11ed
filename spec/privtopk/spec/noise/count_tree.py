"""The dyadic count tree: the noise list of Algorithm 4 without a Beta variable.

The noises of m items are m uniform points of an interval; which item has which point is a
uniform permutation. The leaves of the tree are dyadic intervals. Each stores its number of
anonymous points: those that belong to no item yet. When a leaf with n of them is split, its
left half gets Bin(n, 1/2) of them, which takes fair coins only.

- Random access to an unseen item draws an anonymous point uniformly: first a leaf by its
  count, then a place in the leaf.
- Sorted access splits the leftmost leaf that has an anonymous point until the leaf is one point
  wide, and delivers the leftmost point. If that is anonymous, a uniform unseen item gets it.

Here every point has the same number of bits, and points that agree in all bits come in random
order; `privtopk.impl.engines.exact.count_tree` has no last bit.

Paper: thm:oracle.
Ours:  ours:count-tree.
"""

import math
from typing import TypeAlias

from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_item, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, items_of

Leaf: TypeAlias = tuple[int, int]
"""First point and number of free bits: the points first, ..., first + 2^bits - 1."""


class CountTree:
    """Both doors of a list of m points of `bits` bits each, smallest first.

    Ours: ours:count-tree.
    """

    def __init__(self, m: int, bits: int, tape: Tape) -> None:
        self.size = require_size(m)
        self._tape = tape
        self._anonymous: dict[Leaf, int] = {(0, bits): m}
        self._points: dict[Item, int] = {}
        self._delivered: list[Item] = []

    def random_access(self, item: int) -> int:
        """Return the point of an item."""
        known = require_item(item, self.size)
        if known not in self._points:
            leaves = sorted(self._anonymous)
            counts = [self._anonymous[leaf] for leaf in leaves]
            first, bits = leaf = leaves[self._tape.choose(counts)]
            self._anonymous[leaf] -= 1
            self._points[known] = first + self._tape.below(1 << bits)
        return self._points[known]

    def sorted_access(self) -> tuple[Item, int]:
        """Return the next item by ascending point, and the point."""
        if len(self._delivered) == self.size:
            raise exhausted_error(self.size)
        pending = [item for item in self._points if item not in self._delivered]
        smallest = min((self._points[item] for item in pending), default=math.inf)
        leaf = self._first_leaf()
        while leaf is not None and leaf[0] <= smallest and leaf[1] > 0:
            self._split(leaf)
            leaf = self._first_leaf()
        item = self._next(pending, smallest, leaf)
        self._delivered.append(item)
        return item, self._points[item]

    def _next(self, pending: list[Item], smallest: float, leaf: Leaf | None) -> Item:
        """Return the item of the next point; equal points come in random order."""
        if leaf is None or leaf[0] > smallest:
            first = [item for item in pending if self._points[item] == smallest]
            return first[self._tape.below(len(first))]
        first = [item for item in pending if self._points[item] == leaf[0]]
        place = self._tape.below(len(first) + self._anonymous[leaf])
        if place < len(first):
            return first[place]
        unseen = [item for item in items_of(self.size) if item not in self._points]
        item = unseen[self._tape.below(len(unseen))]
        self._anonymous[leaf] -= 1
        self._points[item] = leaf[0]
        return item

    def _first_leaf(self) -> Leaf | None:
        """Return the leftmost leaf with an anonymous point."""
        return min((leaf for leaf, count in self._anonymous.items() if count), default=None)

    def _split(self, leaf: Leaf) -> None:
        """Halve a leaf: Bin(n, 1/2) of its points go left."""
        first, bits = leaf
        count = self._anonymous.pop(leaf)
        left = self._tape.choose([math.comb(count, j) for j in range(count + 1)])
        self._anonymous[first, bits - 1] = left
        self._anonymous[first + (1 << bits - 1), bits - 1] = count - left
