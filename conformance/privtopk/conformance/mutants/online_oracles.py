"""The paper's online list on wrong order statistics, and lists of coarse noises."""

import math
import random
from typing import Final

import numpy as np

from privtopk.conformance.mutants.mutant import USUAL_SLIP, Mutant, erratum, mutant
from privtopk.conformance.mutants.order_statistics import (
    BetaWithoutShift,
    PredecessorAssumed,
    RightMarginsOnly,
)
from privtopk.conformance.mutants.right_lists import OrderedLevels, RankFreeList, coins_of
from privtopk.conformance.subjects import Kind
from privtopk.spec.errors import Reason, SelectionError
from privtopk.spec.noise import Laplace, NoiseKind
from privtopk.spec.parameters import require_item
from privtopk.spec.permutation import LazyPermutation
from privtopk.spec.tape import UniformTape
from privtopk.spec.values import Position


class OnlineList:
    """Algorithm 4: a uniform order of the items, and order statistics on demand."""

    kind = Kind.NOISE_ORACLE
    noises = tuple(NoiseKind)
    largest = 2**20
    """Beyond it, coins of 52 bits are too coarse to draw an item."""

    order_statistics: type[OrderedLevels] = OrderedLevels

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with nothing revealed."""
        # The sentinel never comes: no coin is 2.
        coins = iter(coins_of(random.Random()), 2.0)
        self.order = LazyPermutation(m, UniformTape(coins))
        self.ordered = self.order_statistics(m, rate, noise)
        self.size = m
        self.delivered = 0

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        if self.delivered == self.size:
            raise SelectionError(
                Reason.LIST_EXHAUSTED, f"all m={self.size} items have been delivered"
            )
        self.delivered += 1
        item = self.order.item_at(Position(self.delivered))
        return item, self.ordered.value(self.delivered)

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        position = self.order.position_of(require_item(item, self.size))
        return self.ordered.value(position)


class OnlineWithoutShift(OnlineList):
    """Algorithm 4 with the printed Beta law: a value between two others lacks + u_r."""

    order_statistics = BetaWithoutShift


class OnlineWithPredecessorAssumed(OnlineList):
    """Algorithm 4 with three cases: a first sorted access after a random one has no case."""

    order_statistics = PredecessorAssumed


class OnlineWithRightMargins(OnlineList):
    """Algorithm 4 with every position drawn by itself: right margins, and no order."""

    order_statistics = RightMarginsOnly


class ListInFloat32(RankFreeList):
    """The noises of the list are single precision numbers."""

    def value(self, level: float) -> float:
        """Return a noise of 24 bits."""
        return float(np.float32(super().value(level)))


class ListOnAGrid(RankFreeList):
    """The noises of the list are multiples of 2^-20 scales."""

    def value(self, level: float) -> float:
        """Return the next point of the grid."""
        step = 2.0**-20 / float(self.law.epsilon)
        return step * round(super().value(level) / step)


class ListOfDecimals(RankFreeList):
    """The noises of the list are rounded to six decimals."""

    def value(self, level: float) -> float:
        """Return a short decimal."""
        return round(super().value(level), 6)


class LaplaceTopByDifference(RankFreeList):
    """The top of a Laplace list is computed as log(2 (1 - U)), where 1 - U loses its digits."""

    def value(self, level: float) -> float:
        """Return a noise whose upper tail is coarse."""
        if not isinstance(self.law, Laplace) or level >= math.log(2):
            return super().value(level)
        rest = max(1 - math.exp(-level), 2**-54)
        return -math.log(2 * rest) / float(self.law.epsilon)


MUTANTS: Final[tuple[Mutant, ...]] = (
    mutant(OnlineWithoutShift, erratum(1), "noise-oracle.doors"),
    mutant(OnlineWithPredecessorAssumed, erratum(2), "noise-oracle.joint-law"),
    mutant(OnlineWithRightMargins, erratum(23), "noise-oracle.doors"),
    mutant(ListInFloat32, USUAL_SLIP, "noise-oracle.representation"),
    mutant(ListOnAGrid, USUAL_SLIP, "noise-oracle.representation"),
    mutant(ListOfDecimals, USUAL_SLIP, "noise-oracle.representation"),
    mutant(LaplaceTopByDifference, USUAL_SLIP, "noise-oracle.joint-law"),
)
