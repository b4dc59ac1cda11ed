"""Algorithm 4: the sorted noise list, sampled on demand.

Both doors of a list of m i.i.d. noises that is never built. For every adaptive order of
queries the transcript has the joint law of the list that Algorithm 3 generates.

Paper:    algo:online-sampling, thm:oracle, lem:sampling-zj.
Deviates: erratum:marginal-law (the joint law is the same, not only each marginal),
          erratum:no-predecessor (a position may have no revealed predecessor).
"""

import math

from privtopk.spec.model.access import Door, Entry, Ledger
from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import require_between, require_item, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, Position
from privtopk.spec.noise.distributions import Noise
from privtopk.spec.noise.gamma import gamma_variable
from privtopk.spec.noise.order_statistic import beta_shape, between
from privtopk.spec.noise.permutation import LazyPermutation
from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex


class OrderStatistics:
    """The m order statistics of i.i.d. uniforms in E-space, drawn in any order of positions."""

    def __init__(self, m: int, tape: Tape, index: PredecessorIndex | None = None) -> None:
        """Start with only the virtual ends revealed."""
        self._size = require_size(m)
        self._tape = tape
        self._index = NaiveIndex() if index is None else index
        self._values: dict[int, float] = {0: 0.0, m + 1: math.inf}

    def at(self, j: Position) -> float:
        """Return E_(j) = -log U_(j), drawn given its nearest revealed neighbours if it is new.

        Paper: lem:sampling-zj.
        """
        require_between("j", j, 1, self._size)
        if j not in self._values:
            left = self._index.predecessor(j) or 0
            right = self._index.successor(j) or self._size + 1
            right_shape, left_shape = beta_shape(Position(left), j, Position(right))
            self._values[j] = between(
                self._values[left],
                self._values[right],
                gamma_variable(left_shape, self._tape),
                gamma_variable(right_shape, self._tape),
            )
            self._index.insert(j)
        return self._values[j]


class OnlineOracle:
    """Both doors of the noise list, with O(1) draws per query.

    Paper:    algo:online-sampling, thm:oracle.
    Deviates: erratum:marginal-law.
    """

    def __init__(
        self, m: int, noise: Noise, tape: Tape, index: PredecessorIndex | None = None
    ) -> None:
        """Start with nothing revealed."""
        self._noise = noise
        self._order = LazyPermutation(m, tape)
        self._levels = OrderStatistics(m, tape, index)
        self._delivered = 0  # initialization, line 1: idx
        self._accesses: list[tuple[Door, Item]] = []

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._order.size

    @property
    def ledger(self) -> Ledger:
        """What has been read so far."""
        return Ledger(tuple(self._accesses))

    def sorted_access(self) -> Entry:
        """Return the next item by descending noise."""
        if self._delivered == self.size:
            raise exhausted_error(self.size)
        self._delivered += 1  # sorted access, line 1
        position = Position(self._delivered)
        item = self._order.item_at(position)  # lines 2, 3, 5
        level = self._levels.at(position)  # lines 4, 6
        self._accesses.append((Door.SORTED, item))
        return Entry(item, self._noise.from_exponential(level))  # line 8

    def random_access(self, item: Item) -> float:
        """Return the noise of an item."""
        known = require_item(item, self.size)
        position = self._order.position_of(known)  # random access, lines 1, 2, 4
        level = self._levels.at(position)  # lines 3, 5
        self._accesses.append((Door.RANDOM, known))
        return self._noise.from_exponential(level)  # line 7
