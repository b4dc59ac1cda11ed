"""Facts about every noise oracle: served, full, online with either index, and rank-free."""

import math
from bisect import bisect_left, insort
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scipy import stats

from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import FullNoiseList, NoiseOracle, ServedOracle
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import Randomness, SystemRandomness
from privtopk.spec.model.errors import Reason
from support import refusal, seeded_coins

LEVEL = 1e-9
"""False-alarm rate of one statistical test."""

Maker = Callable[[int, Randomness], NoiseOracle]

LAZY: dict[str, Maker] = {
    "online": OnlineLevelOracle,
    "online with van Emde Boas": lambda m, r: OnlineLevelOracle(m, r, VanEmdeBoasIndex(m + 1)),
    "rank-free": RankFreeLevelOracle,
}
ORACLES: dict[str, Maker] = {"full": FullNoiseList, **LAZY}
every_oracle = pytest.mark.parametrize("maker", ORACLES.values(), ids=ORACLES)
every_lazy_oracle = pytest.mark.parametrize("maker", LAZY.values(), ids=LAZY)


class Residuals:
    """Queries an oracle and turns every answer into variables that must be i.i.d. uniform.

    Let a sorted prefix end at level c, with R unseen items, and let p be the smallest level that
    random access has revealed and sorted access has not delivered. For a new item of random access
    e^-(E - c) is uniform. For the smallest unseen level W, e^-R(W - c) is uniform; if the item at p
    is delivered, W is only known to exceed p. The item of W is uniform among the unseen.
    """

    def __init__(self, oracle: NoiseOracle, generator: np.random.Generator) -> None:
        """Start with nothing revealed."""
        self.oracle = oracle
        self.generator = generator
        self.levels: dict[int, float] = {}
        self.seen: list[int] = []
        self.pending: list[float] = []
        self.frontier = 0.0
        self.last = 0
        self.revealed: list[float] = []
        self.delivered: list[float] = []
        self.chosen: list[float] = []

    def random_access(self, item: int) -> None:
        """Read an item; a known item gives no residual."""
        level = self.oracle.random_access(item)
        if item in self.levels:
            assert level == self.levels[item]
            return
        self.revealed.append(math.exp(self.frontier - level))
        self._see(item, level)
        insort(self.pending, level)

    def sorted_access(self) -> None:
        """Read the next item."""
        unseen = self.oracle.size - len(self.seen)
        item, level = self.oracle.sorted_access()
        if item in self.levels:
            assert level == self.levels[item] == self.pending.pop(0)
            censored = math.exp(-unseen * (level - self.frontier))
            if unseen:
                self.delivered.append(censored * self.generator.random())
        else:
            assert not self.pending or level <= self.pending[0]
            self.delivered.append(math.exp(-unseen * (level - self.frontier)))
            place = item - bisect_left(self.seen, item)
            self.chosen.append((place + self.generator.random()) / unseen)
            self._see(item, level)
        self.frontier = level
        self.last = item

    def _see(self, item: int, level: float) -> None:
        self.levels[item] = level
        insort(self.seen, item)


def as_algorithm_three(run: Residuals, rounds: int) -> None:
    """Alternate random access to a random item and sorted access."""
    for _ in range(rounds):
        run.random_access(int(run.generator.integers(run.oracle.size)))
        run.sorted_access()


def adaptively(run: Residuals, rounds: int) -> None:
    """Read the neighbours of the last item, more of them after a large level."""
    for _ in range(rounds):
        run.sorted_access()
        questions = 1 + (run.frontier * run.oracle.size > rounds / 2)
        for step in range(questions):
            run.random_access((run.last + step + 1) % run.oracle.size)


SCRIPTS = {"as Algorithm 3": as_algorithm_three, "adaptively": adaptively}


def is_uniform(residuals: list[float], distance: float) -> bool:
    """Return whether residuals are uniform by the Kolmogorov-Smirnov test at LEVEL.

    The level is exact for every n (Dvoretzky, Kiefer, Wolfowitz, Massart); the test checks
    that a law at the given distance is found with power 0.99.
    """
    n = len(residuals)
    limit = math.sqrt(math.log(2 / LEVEL) / (2 * n))
    assert limit + math.sqrt(math.log(2 / 0.01) / (2 * n)) <= distance
    return bool(stats.kstest(residuals, "uniform").statistic < limit)


def are_independent(residuals: list[float], defect: float) -> bool:
    """Return whether successive pairs fill 25 equal cells evenly, by chi-square at LEVEL.

    The test checks that a law with sum (p - q)^2/q >= defect is found with power 0.99.
    """
    pairs = (5 * np.array(residuals[: len(residuals) // 2 * 2])).astype(np.int64).reshape(-1, 2)
    counts = np.bincount(5 * pairs[:, 0] + pairs[:, 1], minlength=25)
    limit, mean = stats.chi2.isf(LEVEL, 24), len(pairs) / 25
    assert mean >= 5
    assert stats.ncx2.sf(limit, 24, defect * len(pairs)) >= 0.99
    return bool(((counts - mean) ** 2 / mean).sum() < limit)


def pooled_residuals(
    maker: Maker, m: int, rounds: int, script: Callable[[Residuals, int], None]
) -> tuple[list[float], list[float], list[float]]:
    """Return the residuals of random access, sorted access and items: 4,000 to 20,000 of each."""
    randomness, generator = seeded_coins(m % 1009 + rounds), np.random.default_rng(rounds)
    revealed: list[float] = []
    delivered: list[float] = []
    chosen: list[float] = []
    while min(len(revealed), len(delivered), len(chosen)) < 4000:
        run = Residuals(maker(m, randomness), generator)
        script(run, rounds)
        revealed += run.revealed
        delivered += run.delivered
        chosen += run.chosen
    return revealed, delivered, chosen


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize(("m", "rounds"), [(3, 3), (100, 25), (2**50, 60)])
@pytest.mark.parametrize("maker", [OnlineLevelOracle, RankFreeLevelOracle])
def test_answers_have_the_joint_law_of_a_list(
    maker: Maker, m: int, rounds: int, script: Callable[[Residuals, int], None]
) -> None:
    """For any adaptive order of queries the residuals are i.i.d. uniform.

    Null hypothesis: uniform residuals of random access, of sorted access and of the items
    chosen, at least 4,000 of each; false alarms 1e-9 for each of six tests. A distance of
    0.08 is found with power 0.99, and so is a law of pairs with sum (p - q)^2/q >= 0.06.
    """
    for residuals in pooled_residuals(maker, m, rounds, script):
        assert is_uniform(residuals, 0.08)
        assert are_independent(residuals, 0.06)


def test_wrong_scale_is_found() -> None:
    """A list whose levels are a third too large does not pass the same test."""

    def stretched(m: int, randomness: Randomness) -> NoiseOracle:
        return ServedOracle(randomness.exponentials(m) * 4 / 3)

    revealed, delivered, _ = pooled_residuals(stretched, 100, 25, as_algorithm_three)
    assert not is_uniform(revealed, 0.08)
    assert not is_uniform(delivered, 0.08)


def test_preferred_items_are_found() -> None:
    """A list in which small levels go to small items does not pass the same test."""

    def slanted(m: int, randomness: Randomness) -> NoiseOracle:
        return ServedOracle(randomness.exponentials(m) * (1 + np.arange(m) / m))

    _, _, chosen = pooled_residuals(slanted, 100, 25, as_algorithm_three)
    assert not is_uniform(chosen, 0.08)


@every_oracle
@pytest.mark.parametrize("m", [1, 2, 3, 50, 1000])
def test_sorted_access_delivers_every_item_once(maker: Maker, m: int) -> None:
    """m sorted accesses deliver each item once, with levels that never decrease."""
    oracle = maker(m, seeded_coins(m))
    entries = [oracle.sorted_access() for _ in range(m)]
    assert sorted(item for item, _ in entries) == list(range(m))
    assert all(first <= second for (_, first), (_, second) in pairwise(entries))
    assert all(0 < level < math.inf for _, level in entries)


@every_oracle
def test_both_doors_show_one_list(maker: Maker) -> None:
    """Both doors return the same level of an item, in either order."""
    oracle = maker(40, seeded_coins(1))
    revealed = {item: oracle.random_access(item) for item in range(0, 40, 2)}
    delivered = dict(oracle.sorted_access() for _ in range(40))
    assert {item: delivered[item] for item in revealed} == revealed
    assert {item: oracle.random_access(item) for item in range(40)} == delivered


@every_oracle
def test_all_items_can_be_told_before_one_is_delivered(maker: Maker) -> None:
    """After m random accesses the sorted list is the sorted table."""
    oracle = maker(30, seeded_coins(2))
    table = {item: oracle.random_access(item) for item in range(30)}
    delivered = [oracle.sorted_access() for _ in range(30)]
    assert delivered == sorted(table.items(), key=lambda entry: entry[1])


@every_oracle
def test_exhausted_list_is_refused(maker: Maker) -> None:
    """After m sorted accesses the next is refused."""
    oracle = maker(2, seeded_coins(3))
    oracle.random_access(1)
    oracle.sorted_access()
    oracle.sorted_access()
    expected = (Reason.LIST_EXHAUSTED, "all m=2 items have been delivered")
    assert refusal(oracle.sorted_access) == expected


@every_oracle
@pytest.mark.parametrize("item", [-1, 3])
def test_unknown_items_are_refused(maker: Maker, item: int) -> None:
    """Items are numbered 0 to m - 1."""
    oracle = maker(3, seeded_coins(4))
    assert refusal(lambda: oracle.random_access(item)) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 0 and 2, got {item}",
    )


@every_oracle
def test_empty_domains_are_refused(maker: Maker) -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, "m must be at least 1, got 0")
    assert refusal(lambda: maker(0, seeded_coins(5))) == expected


@every_oracle
def test_coins_decide_everything(maker: Maker) -> None:
    """The same randomness and queries give the same answers; other randomness gives others."""

    def transcript(seed: int) -> list[object]:
        oracle = maker(50, seeded_coins(seed))
        return [
            answer
            for i in range(20)
            for answer in (oracle.random_access(i), oracle.sorted_access())
        ]

    assert transcript(6) == transcript(6)
    assert transcript(6) != transcript(7)


@every_oracle
def test_secure_coins_serve_too(maker: Maker) -> None:
    """With secure randomness two lists differ."""
    first, second = (maker(100, SystemRandomness()) for _ in range(2))
    assert first.sorted_access() != second.sorted_access()


@every_lazy_oracle
def test_top_of_a_huge_list_is_fine(maker: Maker) -> None:
    """Of 2^50 items ten are delivered with ten different levels close to j 2^-50."""
    oracle = maker(2**50, seeded_coins(8))
    entries = [oracle.sorted_access() for _ in range(10)]
    assert len({item for item, _ in entries}) == 10
    assert len({level for _, level in entries}) == 10
    assert 1 < entries[-1][1] * 2**50 < 40


def test_served_levels_come_back() -> None:
    """Both doors return the table; of tied items the smaller comes first."""
    oracle = ServedOracle(np.array([0.5, 0.2, 0.5, 0.1]))
    assert [oracle.sorted_access() for _ in range(4)] == [(3, 0.1), (1, 0.2), (0, 0.5), (2, 0.5)]
    assert [oracle.random_access(item) for item in range(4)] == [0.5, 0.2, 0.5, 0.1]


def test_full_list_is_the_drawn_table() -> None:
    """The full list holds m standard exponential variables, item by item."""
    oracle = FullNoiseList(5, seeded_coins(9))
    drawn = seeded_coins(9).exponentials(5).tolist()
    assert [oracle.random_access(item) for item in range(5)] == drawn


@pytest.mark.parametrize("m", [2**28, 2**40])
def test_a_list_too_long_for_the_memory_is_refused(m: int) -> None:
    """A whole list of more than 2^27 noises is refused before any is drawn."""
    assert refusal(lambda: FullNoiseList(m, SystemRandomness())) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"the noise of at most m=134217728 items is drawn in advance, got m={m}; "
        "use an engine that draws it on demand, such as batched or rank-free",
    )


class OracleMachine(RuleBasedStateMachine):
    """An oracle beside a dictionary of revealed levels and a list of delivered items."""

    @initialize(m=st.integers(1, 8), name=st.sampled_from(sorted(ORACLES)), seed=st.integers(0))
    def start(self, m: int, name: str, seed: int) -> None:
        """Start with nothing read."""
        self.m = m
        self.oracle = ORACLES[name](m, seeded_coins(seed))
        self.revealed: dict[int, float] = {}
        self.delivered: list[tuple[int, float]] = []

    @rule(data=st.data())
    def random_access(self, data: st.DataObject) -> None:
        """Read an item, known or not."""
        item = data.draw(st.integers(0, self.m - 1))
        level = self.oracle.random_access(item)
        assert self.revealed.setdefault(item, level) == level

    @precondition(lambda self: len(self.delivered) < self.m)
    @rule()
    def sorted_access(self) -> None:
        """Read the next item."""
        item, level = self.oracle.sorted_access()
        self.delivered.append((item, level))
        assert self.revealed.setdefault(item, level) == level

    @precondition(lambda self: len(self.delivered) == self.m)
    @rule()
    def sorted_access_past_the_end(self) -> None:
        """Read after the last item."""
        assert refusal(self.oracle.sorted_access)[0] is Reason.LIST_EXHAUSTED

    @invariant()
    def answers_belong_to_one_list(self) -> None:
        """Items are delivered once and in order, before those that only random access revealed."""
        if not hasattr(self, "oracle"):
            return
        items = [item for item, _ in self.delivered]
        levels = [level for _, level in self.delivered]
        assert len(set(items)) == len(items)
        assert levels == sorted(levels)
        pending = [level for item, level in self.revealed.items() if item not in items]
        assert not levels or all(level >= levels[-1] for level in pending)


OracleMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestOracleMachine = OracleMachine.TestCase
