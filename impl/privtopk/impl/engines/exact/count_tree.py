"""The exact twin of Algorithm 4: a dyadic tree that counts the points that were not asked for yet.

The noises of m items are m uniform points V, small ones first, and which item has which point
is a uniform permutation. A node is a dyadic interval with its number of points. A leaf is split
when sorted access must know which of its points is the first: Bin(n, 1/2) of the anonymous ones
go left, exactly. Random access to an unseen item takes a uniform anonymous point, and that one
goes on with bits of its own. No Beta variable, no logarithm, no rounding: only what is handed
out is rounded, to the nearest double or a neighbour of it.

The specification is `privtopk.spec.noise.count_tree`. A reference, not a production path.

Ours: ours:count-tree.
"""

from fractions import Fraction
from typing import Final

from privtopk.impl.engines.exact.balls import GUARD_BITS, double_of, flint, level_ball
from privtopk.impl.engines.exact.binomial import Word, fair_binomial
from privtopk.impl.engines.exact.bits import WORD_BITS, WORDS, never_ends
from privtopk.impl.engines.exact.subset import MOST_BITS
from privtopk.impl.noise.lazy_permutation import LARGEST_SIZE
from privtopk.impl.noise.oracle import unknown_item_error
from privtopk.impl.noise.rank_free import UnseenItems
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.randomness.stream import bounded_stream, integer_stream
from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_between, require_size

FINEST: Final = 2**60
"""A number with this many bits before its last one has more digits than a double."""


class Point:
    """The leading bits of one V, as many as were asked for."""

    __slots__ = ("_word", "bits", "item", "number")

    def __init__(self, item: int, number: int, bits: int, word: Word) -> None:
        """Take the bits that are known; more come from `word`."""
        self.item = item
        self.number = number
        self.bits = bits
        self._word = word

    def has_bit(self, place: int) -> bool:
        """Return one of the bits, counted from 0."""
        while self.bits <= place:
            self._reveal()
        return bool(self.number >> self.bits - 1 - place & 1)

    def level(self) -> float:
        """Return -log(1 - V) as a double."""
        while min(self.number, (1 << self.bits) - 1 - self.number) < FINEST:
            if self.bits >= MOST_BITS:
                raise never_ends()
            self._reveal()
        v = Fraction(2 * self.number + 1, 2 << self.bits)
        return double_of(lambda: level_ball(v), self.bits + GUARD_BITS)

    def _reveal(self) -> None:
        self.number = self.number << WORD_BITS | self._word()
        self.bits += WORD_BITS


class Node:
    """A dyadic interval: number/2^bits and what lies up to the next one."""

    __slots__ = ("anonymous", "bits", "halves", "number", "pending", "points")

    def __init__(self, number: int, bits: int, anonymous: int) -> None:
        """Start as a leaf with anonymous points only."""
        self.number = number
        self.bits = bits
        self.anonymous = anonymous
        # Invariant: anonymous points, and known ones that sorted access has not delivered.
        self.pending = anonymous
        self.points: list[Point] = []
        self.halves: tuple[Node, Node] | None = None


class CountTreeOracle:
    """Both doors of a list of m i.i.d. noises, exact to the last bit."""

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Start with m anonymous points."""
        flint()
        self.size = require_between("m", require_size(m), 1, LARGEST_SIZE)
        self._randomness = randomness
        self._word = integer_stream(lambda n: randomness.integers(WORDS, n))
        self._below = bounded_stream(randomness)
        self._root = Node(0, 0, m)
        self._points: dict[int, Point] = {}
        self._unseen: UnseenItems | None = None

    def random_access(self, item: int) -> float:
        """Return the E-level of an item."""
        point = self._points.get(item)
        if point is None:
            if not 0 <= item < self.size:
                raise unknown_item_error(item, self.size)
            point = self._locate_item(item)
        return point.level()

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by ascending E-level, and the level."""
        if not self._root.pending:
            raise exhausted_error(self.size)
        path = [self._root]
        while (node := path[-1]).halves is not None or node.pending > 1:
            left, right = node.halves or self._split(node)
            path.append(left if left.pending else right)
        was_anonymous = not node.points
        point = self._name_point(node) if was_anonymous else node.points.pop()
        for passed in path:
            passed.pending -= 1
            passed.anonymous -= was_anonymous
        return point.item, point.level()

    def _locate_item(self, item: int) -> Point:
        """Give an unseen item a uniform one of the anonymous points."""
        node, place = self._root, self._below(self._root.anonymous)
        node.anonymous -= 1
        while node.halves is not None:
            left, right = node.halves
            is_left = place < left.anonymous
            place -= 0 if is_left else left.anonymous
            node = left if is_left else right
            node.anonymous -= 1
        point = self._points[item] = Point(item, node.number, node.bits, self._word)
        node.points.append(point)
        return point

    def _name_point(self, node: Node) -> Point:
        """Give the one anonymous point of a leaf to a uniform unseen item."""
        item = self._unseen_item()
        point = self._points[item] = Point(item, node.number, node.bits, self._word)
        return point

    def _unseen_item(self) -> int:
        """Return a uniform unseen item: by rejection, or from a list when few are left."""
        if 2 * len(self._points) > self.size:
            if self._unseen is None:
                self._unseen = UnseenItems(self.size, self._points, self._randomness)
            return self._unseen.take(self._points)
        item = self._below(self.size)
        while item in self._points:
            item = self._below(self.size)
        return item

    def _split(self, node: Node) -> tuple[Node, Node]:
        """Halve a leaf."""
        if node.bits >= MOST_BITS:
            raise never_ends()
        heads = fair_binomial(node.anonymous, self._word, self._below)
        left = Node(2 * node.number, node.bits + 1, heads)
        right = Node(2 * node.number + 1, node.bits + 1, node.anonymous - heads)
        for point in node.points:
            half = right if point.has_bit(node.bits) else left
            half.points.append(point)
            half.pending += 1
        node.points = []
        node.halves = left, right
        return left, right
