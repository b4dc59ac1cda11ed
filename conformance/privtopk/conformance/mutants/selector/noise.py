"""Selectors whose noise has the wrong scale or the wrong law."""

import math
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.lists import RankFreeList, Uniform
from privtopk.conformance.mutants.right.selectors import (
    NoiseSupply,
    ScanSelector,
    ThresholdSelector,
    TwoPhaseSelector,
)
from privtopk.conformance.subjects.kinds import NoiseList
from privtopk.conformance.subjects.question import Question
from privtopk.spec.noise.distributions import NoiseKind


class NoiseOfDoubleScale(ScanSelector):
    """The noise has twice the scale that the budget asks for."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return half the rate."""
        return super().noise_rate(question, m) / 2


class NoiseOfHalfScale(ScanSelector):
    """The noise has half the scale that the budget asks for."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return twice the rate."""
        return super().noise_rate(question, m) * 2


class FivePercentLessNoise(ThresholdSelector):
    """The scale of the noise is five per cent too small."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return a rate a little too large."""
        return super().noise_rate(question, m) * 1.05


class RateForScale(ScanSelector):
    """The noise is multiplied by the rate epsilon instead of divided by it."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return one over the rate."""
        return 1 / super().noise_rate(question, m)


class GaussianNoise(ScanSelector):
    """Gaussian noise of the same variance is added instead of the noise asked for."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return a normal variable, by the polar form of Box and Muller."""
        deviation = math.pi / math.sqrt(6) if supply.noise is NoiseKind.GUMBEL else math.sqrt(2)
        radius = math.sqrt(-2 * math.log(supply.uniform()))
        return deviation * radius * math.cos(2 * math.pi * supply.uniform())


class LogisticNoise(ScanSelector):
    """Logistic noise, log(u/(1 - u)), is added instead of the noise asked for."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return a logistic variable."""
        u = supply.uniform()
        return math.log(u) - math.log1p(-u)


class ExponentialNoise(ScanSelector):
    """Exponential noise is added instead of Gumbel and Laplace noise."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return an exponential variable."""
        return -math.log(supply.uniform())


class GumbelOfMinima(ScanSelector):
    """The Gumbel law of minima is used: the noise has the wrong sign."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return the negative of a noise; Laplace noise stays what it was."""
        return -super().standard_noise(supply)


class LaplaceWithoutItsLowerTail(ScanSelector):
    """Laplace noise has lost its sign: only its upper half is drawn."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return the absolute value of a Laplace noise."""
        value = super().standard_noise(supply)
        return abs(value) if supply.noise is NoiseKind.LAPLACE else value


class AlwaysGumbel(ScanSelector):
    """Gumbel noise is drawn even if Laplace noise is asked for."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return a Gumbel noise."""
        return super().standard_noise(replace(supply, noise=NoiseKind.GUMBEL))


class CutList(RankFreeList):
    """A noise list cut off at ten scales on both sides."""

    def value(self, level: float) -> float:
        """Return a noise between -10 and 10."""
        return max(-10.0, min(10.0, super().value(level)))


class NoiseCutAtTenScales(ThresholdSelector):
    """The noise is cut off at ten scales on both sides."""

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return a fresh list without tails."""
        return CutList(m, 1.0, noise)


class DoorsOfCoarseUniforms(RankFreeList):
    """A noise list whose largest uniform is a double, so no noise exceeds 36.7 scales."""

    def smallest_unseen(self) -> float:
        """Return a level that went through a uniform of 53 bits."""
        level = super().smallest_unseen()
        return -math.log(min(math.exp(-level), 1 - 2**-53)) if level < math.inf else level


class UniformsOf53Bits(ThresholdSelector):
    """The noise list is stored as uniforms of 53 bits, too coarse for the top of a huge list."""

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return a list that has lost its top."""
        return DoorsOfCoarseUniforms(m, 1.0, noise)


class TailNoiseNotConditioned(TwoPhaseSelector):
    """Items of the second phase get an unconditioned noise, not one above the bar."""

    def tail_level(self, chance: float, uniform: Uniform) -> float:
        """Return an unconditioned level."""
        return -math.log(uniform())


class TailChanceOfGumbel(TwoPhaseSelector):
    """The second phase uses the chance of Gumbel noise, whatever the noise is."""

    def chance(self, noise: NoiseKind, bar: float) -> float:
        """Return the probability that a Gumbel noise exceeds the bar."""
        return super().chance(NoiseKind.GUMBEL, bar)


class HiddenNoiseDrawnTwice(TwoPhaseSelector):
    """The second phase runs twice: items that it left out get another draw."""

    second_phases = 2


class NoSecondPhase(TwoPhaseSelector):
    """Items beyond the prefix are never considered."""

    def tail(self, m: int, read: dict[int, float], chance: float) -> list[int]:
        """Return nothing."""
        return []


MUTANTS: Final = (
    mutant(NoiseOfDoubleScale, USUAL_SLIP, "selector.set-law"),
    mutant(NoiseOfHalfScale, USUAL_SLIP, "selector.set-law"),
    mutant(FivePercentLessNoise, USUAL_SLIP, "selector.tail"),
    mutant(RateForScale, USUAL_SLIP, "selector.set-law"),
    mutant(GaussianNoise, USUAL_SLIP, "selector.tail"),
    mutant(LogisticNoise, USUAL_SLIP, "selector.set-law"),
    mutant(ExponentialNoise, USUAL_SLIP, "selector.set-law"),
    mutant(GumbelOfMinima, USUAL_SLIP, "selector.tail"),
    mutant(LaplaceWithoutItsLowerTail, USUAL_SLIP, "selector.set-law"),
    mutant(AlwaysGumbel, USUAL_SLIP, "selector.many-items"),
    mutant(NoiseCutAtTenScales, PRIVACY_BUG, "selector.tail"),
    mutant(UniformsOf53Bits, USUAL_SLIP, "selector.tail"),
    mutant(TailNoiseNotConditioned, USUAL_SLIP, "selector.set-law"),
    mutant(TailChanceOfGumbel, USUAL_SLIP, "selector.access-cost"),
    mutant(HiddenNoiseDrawnTwice, USUAL_SLIP, "selector.leader-count"),
    mutant(NoSecondPhase, PRIVACY_BUG, "selector.set-law"),
)
