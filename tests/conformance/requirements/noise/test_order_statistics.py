"""Facts about the requirements on order statistics."""

import math
from typing import Any

import numpy as np
import pytest

from conformance.requirements.noise.support_noise import ListSubject
from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.mutants.noise.order_statistics import (
    BetaByNormals,
    OneGammaForAll,
    UniformsFromTheWrongEnd,
)
from privtopk.conformance.requirements.noise.order_statistics import (
    DescendingValues,
    FromTheTop,
    OrderStatisticsFreshness,
    OrderStatisticsLaw,
)
from privtopk.impl.subjects import order_statistics
from privtopk.spec.noise.distributions import NoiseKind, noise_of

HUGE = 2**50


class BetaList:
    """Right order statistics by the Beta law between neighbours, in uniforms 1 - U."""

    def __init__(self, m: int, rate: float, noise: NoiseKind) -> None:
        """Check the parameters."""
        if m < 1:
            raise ValueError(f"m must be positive, got {m}")
        self.m = m
        self.law = noise_of(noise, rate)
        self.coins = np.random.default_rng()
        self.uppers: dict[int, float] = {0: 0.0, m + 1: 1.0}

    def neighbours(self, position: int) -> tuple[int, int]:
        """Return the nearest revealed positions."""
        left = max(p for p in self.uppers if p < position)
        return left, min(p for p in self.uppers if p > position)

    def beta(self, a: int, b: int) -> float:
        """Return a Beta variable."""
        return float(self.coins.beta(a, b))

    def draw(self, position: int) -> float:
        """Return 1 - U at a position."""
        left, right = self.neighbours(position)
        low, high = self.uppers[left], self.uppers[right]
        return low + (high - low) * self.beta(position - left, right - position)

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        if not 1 <= position <= self.m:
            raise IndexError(position)
        if position not in self.uppers:
            self.uppers[position] = self.draw(position)
        return self.law.upper_quantile(self.uppers[position])


class Subject(ListSubject):
    """A class of order statistics as a subject."""

    kind = "order-statistics"
    largest = 10**6


class Forgetful(BetaList):
    """Draws again at every query."""

    def value(self, position: int) -> float:
        """Forget the position first."""
        if 0 < position <= self.m:
            self.uppers.pop(position, None)
        return super().value(position)


class Upside(BetaList):
    """Takes position 1 for the smallest."""

    def value(self, position: int) -> float:
        """Turn the list around."""
        return super().value(self.m + 1 - position)


class Wrapping(BetaList):
    """Takes any position."""

    def value(self, position: int) -> float:
        """Map the position into the list."""
        return super().value((position - 1) % self.m + 1)


class Shiftless(BetaList):
    """Theorem 4.10 as printed: case 3 lacks its shift."""

    def draw(self, position: int) -> float:
        """Leave out the left neighbour if there are two."""
        left, right = self.neighbours(position)
        if left == 0 or right > self.m:
            return super().draw(position)
        low, high = self.uppers[left], self.uppers[right]
        return max(low, (high - low) * self.beta(position - left, right - position))


class Swapped(BetaList):
    """The parameters of the Beta variable are swapped if there are two neighbours."""

    def draw(self, position: int) -> float:
        """Swap them."""
        left, right = self.neighbours(position)
        if left == 0 or right > self.m:
            return super().draw(position)
        low, high = self.uppers[left], self.uppers[right]
        return low + (high - low) * self.beta(right - position, position - left)


class NoPredecessor(BetaList):
    """A position above all revealed ones is drawn as if nothing were revealed."""

    def draw(self, position: int) -> float:
        """Forget the right neighbour, and stay in order by taking its place."""
        left, right = self.neighbours(position)
        if left > 0 or right > self.m:
            return super().draw(position)
        return min(self.beta(position, self.m + 1 - position), self.uppers[right])


class OffByOne(BetaList):
    """The last parameter counts one position too few."""

    def beta(self, a: int, b: int) -> float:
        """Leave one out."""
        return super().beta(a, max(1, b - 1))


class Normal(BetaList):
    """Beta variables of large parameters are normal."""

    def beta(self, a: int, b: int) -> float:
        """Approximate from 20 on, on one side at least."""
        if max(a, b) < 20:
            return super().beta(a, b)
        mean = a / (a + b)
        spread = math.sqrt(mean * (1 - mean) / (a + b + 1))
        drawn = self.coins.normal(mean, spread)
        return float(min(max(drawn, 1e-300), 1 - 2.0**-53))


class WideScale(BetaList):
    """Noise five percent too large."""

    def value(self, position: int) -> float:
        """Return the noise times 1.05."""
        return 1.05 * super().value(position)


class SameSeed(BetaList):
    """Every list has the same randomness."""

    def __init__(self, m: int, rate: float, noise: NoiseKind) -> None:
        """Start from seed 5."""
        super().__init__(m, rate, noise)
        self.coins = np.random.default_rng(5)


def test_order_accepts_ours() -> None:
    """Our order statistics descend and never change."""
    case = run_case(order_statistics, DescendingValues(), budget=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("requirement", [OrderStatisticsLaw(), OrderStatisticsFreshness()])
def test_laws_accept_ours(requirement: Requirement) -> None:
    """Our order statistics have their conditional laws."""
    case = run_case(order_statistics, requirement, budget=0.2)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    "requirement", [DescendingValues(), OrderStatisticsLaw(), OrderStatisticsFreshness()]
)
def test_the_list_that_is_broken_below_is_right(requirement: Requirement) -> None:
    """The right list that the wrong ones are derived from passes every requirement."""
    assert run_case(Subject(BetaList), requirement, budget=0.1).verdict is CaseVerdict.PASS


@pytest.mark.parametrize("wrong", [Forgetful, Upside, Wrapping])
def test_order_kills(wrong: type[BetaList]) -> None:
    """Values that change, ascend or lie outside the list fail."""
    assert run_case(Subject(wrong), DescendingValues(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("wrong", [Shiftless, Swapped, NoPredecessor, OffByOne, Normal, WideScale])
def test_law_kills(wrong: type[BetaList]) -> None:
    """A wrong case, wrong parameters, an approximation and a wrong scale fail."""
    assert run_case(Subject(wrong), OrderStatisticsLaw(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.slow
def test_law_kills_uniforms_at_huge_sizes() -> None:
    """Order statistics held as U and not as 1 - U lose the top of a huge list."""

    class Rounded(BetaList):
        def draw(self, position: int) -> float:
            return max(2.0**-53, 1 - (1 - super().draw(position)))

    assert (
        run_case(Subject(Rounded, HUGE), OrderStatisticsLaw(), budget=3).verdict is CaseVerdict.FAIL
    )


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [BetaByNormals, UniformsFromTheWrongEnd, OneGammaForAll])
def test_reading_from_the_top_kills(wrong: Any) -> None:
    """An approximated law, a coarse top and a variable that is used twice fail."""
    assert run_case(wrong, FromTheTop(), budget=2).verdict is CaseVerdict.FAIL


def test_reading_from_the_top_accepts_ours() -> None:
    """Our order statistics have their laws; a false alarm has probability at most 1.5e-7."""
    assert run_case(order_statistics, FromTheTop(), budget=0.25).verdict is CaseVerdict.PASS


def test_freshness_kills() -> None:
    """Lists with the same randomness fail."""
    assert (
        run_case(Subject(SameSeed), OrderStatisticsFreshness(), budget=4).verdict
        is CaseVerdict.FAIL
    )
