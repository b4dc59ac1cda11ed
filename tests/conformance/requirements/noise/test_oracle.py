"""Facts about the requirements on a noise oracle."""

import math
import random
from collections.abc import Callable
from statistics import NormalDist

import pytest

from conformance.requirements.noise.support_noise import ListSubject
from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.noise.oracle import (
    JointLaw,
    OracleDoors,
    OracleFreshness,
    OracleItems,
)
from privtopk.impl.subjects.noise import (
    OracleSubject,
    full_noise_list,
    online_oracle,
    rank_free_oracle,
)
from privtopk.spec.noise.distributions import NoiseKind, noise_of

Maker = Callable[[int, float, NoiseKind], object]
OURS = (rank_free_oracle, online_oracle, full_noise_list)


class LazyList:
    """A right noise list without ranks, small enough to be broken in many ways."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Check the parameters."""
        if m < 1:
            raise ValueError(f"m must be positive, got {m}")
        self.m = m
        self.law = noise_of(NoiseKind(noise), rate)
        self.coins = random.Random()
        self.levels: dict[int, float] = {}
        self.pending: dict[int, float] = {}
        self.frontier = 0.0

    def exponential(self) -> float:
        """Return a standard exponential variable."""
        return self.coins.expovariate(1) or 2.0**-60

    def noise_at(self, level: float) -> float:
        """Return the noise of a level."""
        return self.law.from_exponential(level)

    def smallest(self) -> float:
        """Return the smallest level of the unseen items."""
        return self.frontier + self.exponential() / (self.m - len(self.levels))

    def pick(self, level: float) -> int:
        """Return a uniform unseen item."""
        while True:
            item = self.coins.randint(1, self.m)
            if item not in self.levels:
                return item

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        if not 1 <= item <= self.m:
            raise IndexError(item)
        if item not in self.levels:
            self.pending[item] = self.levels[item] = self.frontier + self.exponential()
        return self.noise_at(self.levels[item])

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise."""
        first = min(self.pending, key=self.pending.__getitem__, default=0)
        level = self.smallest() if len(self.levels) < self.m else math.inf
        if first and self.pending[first] < level:
            self.frontier = self.pending.pop(first)
            return first, self.noise_at(self.frontier)
        if level == math.inf:
            raise IndexError("all items were delivered")
        item = self.pick(level)
        self.frontier = self.levels[item] = level
        return item, self.noise_at(level)


class Subject(ListSubject):
    """A class of noise lists as a subject."""

    kind = "noise-oracle"
    largest = 2**60


class Forgetful(LazyList):
    """Draws again whenever an item is looked up that was not delivered."""

    def random_access(self, item: int) -> float:
        """Forget the item first."""
        if self.pending.pop(item, None) is not None:
            del self.levels[item]
        return super().random_access(item)


class TwoLists(LazyList):
    """The two doors show different lists."""

    def random_access(self, item: int) -> float:
        """Return the noise of another list."""
        return super().random_access(item) + 0.5


class Endless(LazyList):
    """Answers past the end with the last item."""

    def sorted_access(self) -> tuple[int, float]:
        """Never refuse."""
        try:
            return super().sorted_access()
        except IndexError:
            return 1, self.noise_at(self.frontier)


class Unchecked(LazyList):
    """Takes any item for an item."""

    def random_access(self, item: int) -> float:
        """Map the item into the domain."""
        return super().random_access((item - 1) % self.m + 1)


class ZeroBased(LazyList):
    """Counts items from 0."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the item less one."""
        item, value = super().sorted_access()
        return item - 1, value


class PendingIgnored(LazyList):
    """Delivers only items that were not looked up."""

    def sorted_access(self) -> tuple[int, float]:
        """Forget that some noises are known already."""
        self.pending.clear()
        return super().sorted_access()


class Infinite(LazyList):
    """High noise overflows."""

    def noise_at(self, level: float) -> float:
        """Return infinity for high noise."""
        return math.inf if level < 0.1 else super().noise_at(level)


class OffByOne(LazyList):
    """Counts one unseen item too many."""

    def smallest(self) -> float:
        """Divide by one more."""
        return self.frontier + self.exponential() / (self.m + 1 - len(self.levels))


class PendingCounted(LazyList):
    """Counts the items whose noise is known among the unseen."""

    def smallest(self) -> float:
        """Divide by the items not delivered."""
        unseen = self.m - len(self.levels) + len(self.pending)
        return self.frontier + self.exponential() / unseen


class FewBits(LazyList):
    """Draws the largest of many uniforms as u^(1/R) with 53 bits."""

    def smallest(self) -> float:
        """Stay below 1 by one step of a double."""
        unseen = self.m - len(self.levels)
        u = min((1 - self.coins.random()) ** (1 / unseen), 1 - 2.0**-53)
        return self.frontier - math.log(u)


class Truncated(LazyList):
    """Noise stops at 10 scales."""

    def smallest(self) -> float:
        """Stop at the level of noise 10."""
        return max(super().smallest(), math.exp(-10))


class PrefixForgotten(LazyList):
    """Random access draws from the whole law and then cuts the noise at the prefix."""

    def random_access(self, item: int) -> float:
        """Draw as at the start."""
        if item not in self.levels:
            level = max(self.frontier, self.exponential())
            self.pending[item] = self.levels[item] = level
        return super().random_access(item)


class Dependent(LazyList):
    """Every second exponential is the opposite quantile of the one before."""

    before: float | None = None

    def exponential(self) -> float:
        """Return opposite pairs."""
        if self.before is None:
            self.before = super().exponential()
            return self.before
        value = -math.log(-math.expm1(-self.before))
        self.before = None
        return value


class NextItem(LazyList):
    """Replaces a taken item by the one after it."""

    def pick(self, level: float) -> int:
        """Step over taken items."""
        item = self.coins.randint(1, self.m)
        while item in self.levels:
            item = item % self.m + 1
        return item


class LowestItem(LazyList):
    """Delivers items in the order of their ids."""

    def pick(self, level: float) -> int:
        """Return the first unseen item."""
        return next(item for item in range(1, self.m + 1) if item not in self.levels)


class ItemByNoise(LazyList):
    """High noise goes to low ids."""

    def pick(self, level: float) -> int:
        """Return the smaller of two items for high noise, else the larger."""
        two = super().pick(level), super().pick(level)
        high = level - self.frontier < math.log(2) / (self.m - len(self.levels))
        return min(two) if high else max(two)


class NeverLast(LazyList):
    """Rarely delivers the last item first."""

    def pick(self, level: float) -> int:
        """Try again after the last item, once."""
        item = super().pick(level)
        return super().pick(level) if item == self.m else item


class SameSeed(LazyList):
    """Every list has the same randomness."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start from seed 5."""
        super().__init__(m, rate, noise)
        self.coins.seed(5)


class FewSeeds(LazyList):
    """Every list has one of a thousand seeds."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start from a small seed."""
        super().__init__(m, rate, noise)
        self.coins.seed(self.coins.randrange(1000))


class Gaussian(LazyList):
    """Normal noise with the mean and the spread of Gumbel noise."""

    def noise_at(self, level: float) -> float:
        """Return the normal quantile."""
        normal = NormalDist(0.5772, 1.2825)
        return -normal.inv_cdf(max(-math.expm1(-level), 1e-300)) / float(self.law.epsilon)


class WideScale(LazyList):
    """Noise five percent too large."""

    def noise_at(self, level: float) -> float:
        """Return the noise times 1.05."""
        return 1.05 * super().noise_at(level)


@pytest.mark.parametrize("ours", OURS)
def test_doors_accept_our_oracles(ours: OracleSubject) -> None:
    """Each of our oracles shows one list through both doors."""
    case = run_case(ours, OracleDoors(), budget=0.3)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.slow
@pytest.mark.parametrize("requirement", [JointLaw(), OracleItems(), OracleFreshness()])
@pytest.mark.parametrize("ours", OURS)
def test_laws_accept_our_oracles(ours: OracleSubject, requirement: Requirement) -> None:
    """Each of our oracles has the law of an i.i.d. list."""
    case = run_case(ours, requirement, budget=0.1)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    "requirement", [OracleDoors(), JointLaw(), OracleItems(), OracleFreshness()]
)
def test_the_list_that_is_broken_below_is_right(requirement: Requirement) -> None:
    """The right list that the wrong ones are derived from passes every requirement."""
    assert run_case(Subject(LazyList), requirement, budget=0.1).verdict is CaseVerdict.PASS


@pytest.mark.parametrize(
    "wrong", [Forgetful, TwoLists, Endless, Unchecked, ZeroBased, PendingIgnored, Infinite]
)
def test_doors_kill(wrong: type[LazyList]) -> None:
    """A list whose answers contradict each other or the domain fails."""
    assert run_case(Subject(wrong), OracleDoors(), budget=4).verdict is CaseVerdict.FAIL


def test_doors_kill_unchecked_rates() -> None:
    """A subject that accepts a negative rate fails, and the message says so."""
    subject = Subject(lambda m, rate, noise: LazyList(m, abs(rate), noise))
    case = run_case(subject, OracleDoors(), budget=0.1)
    text = "a list of m=4 with rate -0.5 was accepted; it must be refused"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, text)


@pytest.mark.parametrize(
    ("wrong", "largest"),
    [
        pytest.param(WideScale, 10_000, marks=pytest.mark.slow),
        (WideScale, 2**60),
        (Gaussian, 10_000),
        pytest.param(OffByOne, 10_000, marks=pytest.mark.slow),
        pytest.param(PendingCounted, 10_000, marks=pytest.mark.slow),
        (PrefixForgotten, 2**60),
        (FewBits, 2**60),
        (Truncated, 2**60),
        (Dependent, 10_000),
    ],
)
def test_joint_law_kills(wrong: type[LazyList], largest: int) -> None:
    """A list with a wrong scale, shape, tail or conditional law fails."""
    assert run_case(Subject(wrong, largest), JointLaw(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize(
    "wrong", [NextItem, LowestItem, ItemByNoise, pytest.param(NeverLast, marks=pytest.mark.slow)]
)
def test_items_kill(wrong: type[LazyList]) -> None:
    """A list whose items are not uniform, or depend on the noise, fails."""
    assert run_case(Subject(wrong, 100), OracleItems(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("wrong", [SameSeed, FewSeeds])
def test_freshness_kills(wrong: type[LazyList]) -> None:
    """A list that repeats the randomness of another fails."""
    assert run_case(Subject(wrong), OracleFreshness(), budget=4).verdict is CaseVerdict.FAIL
