"""Order statistics with a wrong conditional law."""

import math
from typing import Final

import numpy as np

from privtopk.conformance.mutants.mutant import USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import LevelsByPosition
from privtopk.spec.noise.order_statistic import between


class BetaWithoutShift(LevelsByPosition):
    """Between two neighbours the value is (u_l - u_r) X, as printed, without + u_r."""

    def level(self, j: int, left: int, right: int) -> float:
        """Return a level that lies too deep if there are two neighbours."""
        if left == 0 or right > self.size:
            return super().level(j, left, right)
        above, below = self.levels[left], self.levels[right]
        share = self.gamma(right - j), self.gamma(j - left)
        width = math.exp(-above) - math.exp(-below)
        return -math.log(max(width * share[0] / sum(share), 2**-1000))


class PredecessorAssumed(LevelsByPosition):
    """A position with a successor and no predecessor is drawn as if nothing were known."""

    def level(self, j: int, left: int, right: int) -> float:
        """Return a level that ignores the successor if there is no predecessor."""
        return super().level(j, left, self.size + 1 if left == 0 else right)


class SuccessorAssumed(LevelsByPosition):
    """A position beyond all revealed ones is drawn as if m, not m + 1, were the end."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level whose distance from the end is one too small."""
        return super().between(above, below, a, max(1, b - 1) if below == math.inf else b)


class RightMarginsOnly(LevelsByPosition):
    """Every position is drawn from its marginal law, without its neighbours."""

    def level(self, j: int, left: int, right: int) -> float:
        """Return a level that ignores all others."""
        return super().level(j, 0, self.size + 1)


class SuccessorIgnored(LevelsByPosition):
    """A position is drawn given its predecessor only."""

    def level(self, j: int, left: int, right: int) -> float:
        """Return a level that ignores the successor."""
        return super().level(j, left, self.size + 1)


class BetaSwapped(LevelsByPosition):
    """The two parameters of the Beta law are exchanged."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level that is drawn from the wrong side."""
        return super().between(above, below, b, a)


class BetaOfBothPlusOne(LevelsByPosition):
    """Both parameters of the Beta law are one too large."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level that is too close to the middle."""
        return super().between(above, below, a + 1, b + 1)


class BetaByItsMean(LevelsByPosition):
    """The mean of the Beta law is used instead of a draw."""

    def gamma(self, shape: int) -> float:
        """Return the mean."""
        return float(shape)


class BetaByNormals(LevelsByPosition):
    """Gamma variables of shape 30 and more are replaced by normal variables."""

    def gamma(self, shape: int) -> float:
        """Return a variable without skewness."""
        if shape < 30:
            return super().gamma(shape)
        return max(1e-9, shape + math.sqrt(shape) * self.generator.standard_normal())


class DomainOneTooLarge(LevelsByPosition):
    """The order statistics are those of m + 1 noises."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with the virtual end one further."""
        super().__init__(m, rate, noise)
        self.levels = {0: 0.0, m + 2: math.inf}
        self.revealed = [0, m + 2]


class DomainOneTooSmall(LevelsByPosition):
    """The order statistics are those of m - 1 noises, and the last one is repeated."""

    def value(self, position: int) -> float:
        """Return the noise at a position, the last but one for the last."""
        is_last = position == self.size > 1
        return super().value(position - 1 if is_last else position)

    def level(self, j: int, left: int, right: int) -> float:
        """Return a level whose right end is one nearer."""
        return self.between(
            self.levels[left], self.levels[right], j - left, max(1, min(right, self.size) - j)
        )


class PositionDrawnAgain(LevelsByPosition):
    """A position that is asked for again is drawn again, within its neighbours."""

    def value(self, position: int) -> float:
        """Return a fresh noise each time."""
        if position in self.levels and 1 <= position <= self.size:
            self.revealed.remove(position)
            del self.levels[position]
        return super().value(position)


class InterpolatedInLevels(LevelsByPosition):
    """The Beta share is taken of the distance in E = -log U, where it has no meaning."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level that divides the distance of two others."""
        if below == math.inf:
            return super().between(above, below, a, b)
        share = self.gamma(a), self.gamma(b)
        return above + (below - above) * share[0] / sum(share)


class FarthestNeighbours(LevelsByPosition):
    """The first and last revealed positions are used as the nearest ones."""

    def neighbours(self, j: int) -> tuple[int, int]:
        """Return the outermost revealed positions on both sides."""
        left, right = super().neighbours(j)
        first = self.revealed[1] if left else 0
        last = self.revealed[-2] if right <= self.size else self.size + 1
        return first, last


class PositionsFromTheBottom(LevelsByPosition):
    """Position 1 is the smallest noise."""

    def value(self, position: int) -> float:
        """Return the noise at a position that counts from the other end."""
        is_known = isinstance(position, int) and 1 <= position <= self.size
        return super().value(self.size + 1 - position if is_known else position)


class PositionsFromZero(LevelsByPosition):
    """Positions count from 0, so position 1 is the second largest noise."""

    def value(self, position: int) -> float:
        """Return the noise at the next position."""
        return super().value(min(position + 1, self.size) if position > 0 else position)


class UniformsFromTheWrongEnd(LevelsByPosition):
    """A uniform is stored as 1 - V in double precision, so the top of a long list is coarse."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level that went through 1 - V."""
        level = super().between(above, below, a, b)
        return -math.log(max(2**-1000, 1 - max(-math.expm1(-level), 2**-53)))


class LevelsInFloat32(LevelsByPosition):
    """Levels are stored in single precision."""

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level of 24 bits."""
        return float(np.float32(super().between(above, below, a, b)))


class OneGammaForAll(LevelsByPosition):
    """One Gamma variable per shape is drawn and used again."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with nothing drawn."""
        super().__init__(m, rate, noise)
        self.drawn: dict[int, float] = {}

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return a level made from old variables."""
        return between(above, below, self.drawn.setdefault(a, self.gamma(a)), self.gamma(b))


MUTANTS: Final = (
    mutant(BetaWithoutShift, erratum(1), "order-statistics.law"),
    mutant(PredecessorAssumed, erratum(2), "order-statistics.law"),
    mutant(SuccessorAssumed, erratum(3), "order-statistics.law"),
    mutant(RightMarginsOnly, erratum(23), "order-statistics.law"),
    mutant(SuccessorIgnored, USUAL_SLIP, "order-statistics.law"),
    mutant(BetaSwapped, USUAL_SLIP, "order-statistics.law"),
    mutant(BetaOfBothPlusOne, USUAL_SLIP, "order-statistics.law"),
    mutant(BetaByItsMean, USUAL_SLIP, "order-statistics.law"),
    mutant(BetaByNormals, USUAL_SLIP, "order-statistics.from-the-top"),
    mutant(DomainOneTooLarge, USUAL_SLIP, "order-statistics.law"),
    mutant(DomainOneTooSmall, USUAL_SLIP, "order-statistics.law"),
    mutant(PositionDrawnAgain, USUAL_SLIP, "order-statistics.order"),
    mutant(InterpolatedInLevels, USUAL_SLIP, "order-statistics.law"),
    mutant(FarthestNeighbours, USUAL_SLIP, "order-statistics.law"),
    mutant(PositionsFromTheBottom, USUAL_SLIP, "order-statistics.law"),
    mutant(PositionsFromZero, USUAL_SLIP, "order-statistics.law"),
    mutant(UniformsFromTheWrongEnd, USUAL_SLIP, "order-statistics.from-the-top"),
    mutant(LevelsInFloat32, USUAL_SLIP, "order-statistics.law"),
    mutant(OneGammaForAll, USUAL_SLIP, "order-statistics.from-the-top"),
)
