"""Facts about the choice of an engine, and about calling each engine by name."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.engines.choice import ENGINES, Engine, SelectionRequest, costs_of, engine_for
from privtopk.impl.noise.distributions import StandardGumbel, standard_noise
from privtopk.impl.randomness.generators import Integers, SeededRandomness
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Page, Source
from privtopk.impl.scores.reader import Reader
from privtopk.impl.top_k import top_k
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind


class Remote:
    """A source that does not declare an index, and must not be read."""

    size = 10**6

    def top(self, start: int, count: int) -> Page:
        """Refuse."""
        raise NotImplementedError

    def scores(self, items: Integers) -> Integers:
        """Refuse."""
        raise NotImplementedError

    def name(self, item: int) -> object:
        """Refuse."""
        raise NotImplementedError


def request(
    k: int, engine: Engine = Engine.AUTO, costs: tuple[Number, Number] = (1, 1)
) -> SelectionRequest:
    """Return a request with default parameters."""
    return SelectionRequest(k, 1.0, StandardGumbel(), costs, engine, is_ranked=True)


def sparse_source(size: int) -> SparseScores:
    """Return a source of a size, with an index."""
    return SparseScores(size, {})


@pytest.mark.parametrize(
    ("source", "k", "costs", "engine", "reason"),
    [
        (
            ArrayScores(np.zeros(10**5)),
            10,
            (1, 1),
            Engine.ONE_SHOT,
            "the source has no index, so a prefix would cost a scan",
        ),
        (sparse_source(9_999), 10, (1, 1), Engine.ONE_SHOT, "a scan is faster below m=10000"),
        (sparse_source(10_000), 10, (1, 1), Engine.BATCHED, "fewest round trips"),
        (sparse_source(64_000), 1_000, (1, 1), Engine.BATCHED, "fewest round trips"),
        (sparse_source(64_000), 1_001, (1, 1), Engine.ONE_SHOT, "a scan is faster above k = m/64"),
        (sparse_source(100), 1, (1, 2), Engine.BATCHED, "fewest round trips"),
        (
            sparse_source(100),
            1,
            (99, Fraction(1, 2)),
            Engine.ONE_SHOT,
            "sorted access is so expensive that a scan is cheaper",
        ),
        (Remote(), 10, (1, 1), Engine.BATCHED, "fewest round trips"),
    ],
)
def test_the_choice(
    source: Source, k: int, costs: tuple[Number, Number], engine: Engine, reason: str
) -> None:
    """The engine follows from the kind of source, m, k and the costs, and the reason says so."""
    assert engine_for(Reader(source), request(k, costs=costs)) == (engine, reason)


def test_what_a_source_says_of_its_costs_does_not_spare_a_scan() -> None:
    """If the caller gives no prices, time decides whether to scan."""
    source = sparse_source(100)
    source.costs = (1, 3)  # type: ignore[attr-defined]
    choice = engine_for(Reader(source), replace(request(1), costs=None))
    assert choice == (Engine.ONE_SHOT, "a scan is faster below m=10000")


@pytest.mark.parametrize(
    ("own", "declared", "expected"),
    [
        (None, None, (1, 1)),
        (None, (1, 3), (1, 3)),
        ((2, 1), (1, 3), (2, 1)),
    ],
)
def test_the_prices_of_the_caller_come_first(
    own: tuple[Number, Number] | None,
    declared: tuple[Number, Number] | None,
    expected: tuple[Number, Number],
) -> None:
    """Stages are sized by the caller's prices, else by those of the source, else by equal ones."""
    source = sparse_source(100)
    if declared is not None:
        source.costs = declared  # type: ignore[attr-defined]
    assert costs_of(Reader(source), replace(request(1), costs=own)) == expected


@pytest.mark.parametrize("engine", [Engine.BATCHED, Engine.EXACT])
def test_expensive_random_access_makes_the_prefix_longer(engine: Engine) -> None:
    """If a source declares its prices, they set the longest prefix."""
    scores = SparseScores(10**6, dict.fromkeys(range(6_000), 1000))
    even = top_k(scores, 10, epsilon=10, engine=engine, rng=1).audit
    scores.costs = (1, 3)  # type: ignore[attr-defined]
    priced = top_k(scores, 10, epsilon=10, engine=engine, rng=1).audit
    lengths = latest_prefix(10**6, 10, 1, 1), latest_prefix(10**6, 10, 1, 3)
    assert (even.sorted_accesses, priced.sorted_accesses) == lengths


@pytest.mark.parametrize("engine", ENGINES)
def test_a_named_engine_is_chosen(engine: Engine) -> None:
    """An engine that the caller names is used."""
    assert engine_for(Reader(sparse_source(5)), request(1, engine)) == (engine, "asked for")


def test_every_engine_runs() -> None:
    """Every engine but the choice itself is in the table."""
    assert set(ENGINES) == set(Engine) - {Engine.AUTO}


@pytest.mark.parametrize("kind", NoiseKind)
@pytest.mark.parametrize("engine", ENGINES)
def test_leaders_out_of_reach_are_selected(engine: Engine, kind: NoiseKind) -> None:
    """Every engine ranks leaders that noise can't reach by their scores."""
    source = IndexedScores([0, 9_000, 0, 5_000, 7_000, 0])
    asked = SelectionRequest(3, 1.0, standard_noise(kind), (1, 1), engine, is_ranked=True)
    coins = SeededRandomness(np.random.default_rng(1))
    assert ENGINES[engine](Reader(source), asked, coins).items == (1, 4, 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_noise_draws_are_reported(engine: Engine) -> None:
    """Every engine reports its noise draws: at least k, and at most what its algorithm needs."""
    coins = SeededRandomness(np.random.default_rng(1))
    run = ENGINES[engine](Reader(IndexedScores([0] * 50)), request(3, engine), coins)
    assert 3 <= run.noise_draws <= 150


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (IndexedScores([5, 0, 9]), "a scan is faster below m=10000"),
        (ArrayScores([5, 0, 9]), "the source has no index, so a prefix would cost a scan"),
    ],
)
def test_the_exact_engine_scans_where_the_default_would(source: Source, reason: str) -> None:
    """A short list, and one without an index, is read once from end to end; the note says why."""
    reader, coins = Reader(source), SeededRandomness(np.random.default_rng(1))
    run = ENGINES[Engine.EXACT](reader, request(1, Engine.EXACT), coins)
    assert (len(run.items), run.note) == (1, reason)
    assert (reader.sorted_accesses, reader.random_accesses) == (0, 3)


def test_the_exact_engine_reads_few_of_many_items() -> None:
    """From a large domain with an index a small part is read."""
    reader, coins = Reader(sparse_source(10**6)), SeededRandomness(np.random.default_rng(1))
    ENGINES[Engine.EXACT](reader, request(1, Engine.EXACT), coins)
    assert reader.sorted_accesses + reader.random_accesses < 2_000
