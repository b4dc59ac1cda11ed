"""The paper's online list on wrong order statistics, and lists of coarse noises."""

import math
from typing import Final

import numpy as np

from privtopk.conformance.mutants.mutant import USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.noise.order_statistics import (
    BetaWithoutShift,
    PredecessorAssumed,
    RightMarginsOnly,
)
from privtopk.conformance.mutants.right.lists import OnlineList, RankFreeList
from privtopk.spec.noise.distributions import Laplace


class OnlineWithoutShift(OnlineList):
    """Algorithm 4 uses the printed Beta law: a value between two others lacks + u_r."""

    order_statistics = BetaWithoutShift


class OnlineWithPredecessorAssumed(OnlineList):
    """Algorithm 4 lacks the case of a first sorted access after a random access."""

    order_statistics = PredecessorAssumed


class OnlineWithRightMargins(OnlineList):
    """Algorithm 4 draws every position independently: the margins are right, the order is not."""

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


MUTANTS: Final = (
    mutant(OnlineWithoutShift, erratum(1), "noise-oracle.doors"),
    mutant(OnlineWithPredecessorAssumed, erratum(2), "noise-oracle.joint-law"),
    mutant(OnlineWithRightMargins, erratum(23), "noise-oracle.doors"),
    mutant(ListInFloat32, USUAL_SLIP, "noise-oracle.representation"),
    mutant(ListOnAGrid, USUAL_SLIP, "noise-oracle.representation"),
    mutant(ListOfDecimals, USUAL_SLIP, "noise-oracle.representation"),
    mutant(LaplaceTopByDifference, USUAL_SLIP, "noise-oracle.joint-law"),
)
