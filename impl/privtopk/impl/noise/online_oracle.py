"""Algorithm 4: the sorted noise list, sampled on demand.

A lazy permutation gives the item at a position, the order statistics give the level there. For
every adaptive order of queries the transcript has the joint law of the list that Algorithm 3
generates. A query takes O(1) expected draws and one search of the index: O(log log m) with the
van Emde Boas index of the paper. The default index is the sorted blocks, which are faster at every
size that fits into memory.

Paper:    algo:online-sampling, thm:oracle, lem:sampling-zj.
Deviates: erratum:marginal-law, erratum:no-predecessor.
"""

from privtopk.impl.noise.lazy_permutation import FisherYatesPermutation
from privtopk.impl.noise.order_statistics import LevelOrderStatistics, NeighbourIndex
from privtopk.impl.randomness.generators import Randomness
from privtopk.spec.model.errors import exhausted_error


class OnlineLevelOracle:
    """Both doors of the noise list."""

    __slots__ = ("_delivered", "_item_at", "_level_at", "_order", "_position_of", "size")

    def __init__(self, m: int, randomness: Randomness, index: NeighbourIndex | None = None) -> None:
        """Start with nothing revealed; the index must be empty and accept the keys 1, ..., m."""
        self._order = FisherYatesPermutation(m, randomness)
        self.size = self._order.size
        self._item_at = self._order.item_at
        self._position_of = self._order.position_of
        self._level_at = LevelOrderStatistics(m, randomness, index).at
        self._delivered = 0  # initialization, line 1: idx

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by ascending E-level, and the level."""
        position = self._delivered + 1  # sorted access, line 1
        if position > self.size:
            raise exhausted_error(self.size)
        self._delivered = position
        return self._item_at(position), self._level_at(position)  # lines 2 to 8

    def random_access(self, item: int) -> float:
        """Return the E-level of an item."""
        return self._level_at(self._position_of(item))  # random access, lines 1 to 7
