"""Facts about the blocked scan: the specification's set for the same noise, and its law."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.impl.engines import one_shot as module
from privtopk.impl.engines.float_contest import FloatContest
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.noise.hidden_noise import HiddenLevels
from privtopk.impl.randomness.generators import Integers, Randomness, SeededRandomness
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.impl.top_k import top_k
from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.laws.gumbel import float_weights, ranked_law, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.distributions import NoiseKind, noise_of
from support import fits, refusal
from support_served import ServedLevels

DRAWS = 20_000
DEFECT = 0.0053
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""

kinds = pytest.mark.parametrize("kind", NoiseKind)


class WithoutBlocks:
    """A source with both doors and no optional method."""

    size = 5

    def top(self, start: int, count: int) -> Page:
        """Refuse: a scan needs no sorted access."""
        raise NotImplementedError

    def scores(self, items: Integers) -> Integers:
        """Return the scores."""
        return np.array([4, 9, 0, 9, 1])[items]

    def name(self, item: int) -> object:
        """Return the item."""
        return item


def scan(reader: Reader, k: int, epsilon: float, kind: NoiseKind, coins: Randomness) -> EngineRun:
    """Scan a source with noise in doubles."""
    contest = FloatContest(k, epsilon, standard_noise(kind))
    return one_shot(reader, contest, HiddenLevels(reader.size, coins))


def run(
    histogram: Iterable[int], k: int, epsilon: float, kind: NoiseKind, coins: Randomness
) -> EngineRun:
    """Scan an array."""
    reader = Reader(ArrayScores(np.array(list(histogram))))
    return scan(reader, k, epsilon, kind, coins)


def from_one(items: Iterable[int]) -> tuple[int, ...]:
    """Return items numbered from 1, as in the specification."""
    return tuple(item + 1 for item in items)


@st.composite
def problems(draw: st.DrawFn) -> tuple[tuple[int, ...], list[float], int, int, int]:
    """Draw a histogram with many ties, levels far from each other, k, and two block sizes."""
    m = draw(st.integers(1, 9))
    histogram = draw(st.lists(st.integers(0, 3), min_size=m, max_size=m))
    steps = draw(st.lists(st.integers(1, 3000), min_size=m, max_size=m))
    levels = [step / 100 for step in steps]
    sizes = st.integers(1, m)
    return tuple(histogram), levels, draw(sizes), draw(sizes), draw(sizes)


@kinds
@settings(deadline=None)
@given(problem=problems(), epsilon=st.sampled_from([0.37137, 1.90719]))
def test_the_specified_list_for_the_same_noise(
    kind: NoiseKind,
    problem: tuple[tuple[int, ...], list[float], int, int, int],
    epsilon: float,
) -> None:
    """With the noise of the specification, the scan returns the same list."""
    histogram, levels, k, block, first = problem
    noises = [noise_of(kind, epsilon).from_exponential(level) for level in levels]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        patch.setattr(module, "FIRST", first)
        contest = FloatContest(k, epsilon, standard_noise(kind))
        found = one_shot(Reader(ArrayScores(histogram)), contest, ServedLevels(levels))
    assert from_one(found.items) == select_with(histogram, noises, k)


@pytest.mark.slow
@pytest.mark.parametrize("block", [2, 16])
def test_the_ranked_law_under_gumbel_noise(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranked lists have the Plackett-Luce law, in one block and in several."""
    monkeypatch.setattr(module, "BLOCK", block)
    coins = SeededRandomness(np.random.default_rng(block))
    histogram = (2, 0, 2, 1)
    drawn = [from_one(run(histogram, 2, 0.7, NoiseKind.GUMBEL, coins).items) for _ in range(DRAWS)]
    assert fits(drawn, ranked_law(float_weights(histogram, 0.7), 2), DRAWS, DEFECT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("histogram", "k"),
    [((3, 3, 1, 0, 0), 2), ((2, 1, 1, 0), 3)],
)
@kinds
def test_the_law_of_the_set(kind: NoiseKind, histogram: tuple[int, ...], k: int) -> None:
    """Selected sets have the exact law of the specification, with ties and k = m - 1."""
    epsilon = 0.6
    coins = SeededRandomness(np.random.default_rng(len(histogram) + k))
    law = (
        set_law(float_weights(histogram, epsilon), k)
        if kind is NoiseKind.GUMBEL
        else laplace_set_law(histogram, k, epsilon)
    )
    drawn = [
        frozenset(from_one(run(histogram, k, epsilon, kind, coins).items)) for _ in range(DRAWS)
    ]
    assert fits(drawn, law, DRAWS, DEFECT)


@kinds
def test_everything_is_selected(kind: NoiseKind) -> None:
    """With k = m every item is selected."""
    coins = SeededRandomness(np.random.default_rng(1))
    assert sorted(run((3, 0, 0), 3, 0.5, kind, coins).items) == [0, 1, 2]


@kinds
def test_one_item(kind: NoiseKind) -> None:
    """The only item is selected."""
    coins = SeededRandomness(np.random.default_rng(1))
    assert run((0,), 1, 0.5, kind, coins) == EngineRun(items=(0,), noise_draws=1)


@pytest.mark.parametrize(
    "source", [ArrayScores([4, 9, 0, 9, 1]), IndexedScores([4, 9, 0, 9, 1]), WithoutBlocks()]
)
def test_every_item_is_read_once_by_random_access(source: ArrayScores) -> None:
    """A scan makes m random accesses with one noise each, and no sorted access."""
    reader = Reader(source)
    coins = SeededRandomness(np.random.default_rng(1))
    found = scan(reader, 2, 1e6, NoiseKind.GUMBEL, coins)
    assert (found, reader.sorted_accesses, reader.random_accesses, reader.round_trips) == (
        EngineRun(items=found.items, noise_draws=5),
        0,
        5,
        1,
    )
    assert set(found.items) == {1, 3}


def test_blocks_end_where_the_domain_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A last block that is not full is read as far as it goes."""
    monkeypatch.setattr(module, "BLOCK", 4)
    reader = Reader(SparseScores(10, {9: 50}))
    coins = SeededRandomness(np.random.default_rng(1))
    found = scan(reader, 1, 10.0, NoiseKind.GUMBEL, coins)
    assert (found.items, reader.random_accesses, reader.round_trips) == ((9,), 10, 3)


@pytest.mark.parametrize("engine", ["one-shot", "batched", "exact"])
def test_a_scan_for_days_is_refused(engine: str) -> None:
    """A scan of 2^40 items is refused before anything is read, whichever engine would scan."""
    source = SparseScores(2**40, {9: 50})
    costs = (10**15, 1)
    assert refusal(lambda: top_k(source, 1, epsilon=1, engine=engine, costs=costs)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "a scan reads at most m=68719476736 items, got m=1099511627776; "
        "use an indexed source and the engine batched",
    )
