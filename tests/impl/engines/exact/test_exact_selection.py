"""Facts about the exact engine: on given bits it returns what a scan of all of them returns."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines import batched
from privtopk.impl.engines import one_shot as one_shot_module
from privtopk.impl.engines.exact import contest, quantile
from privtopk.impl.engines.exact.bits import CoinBits
from privtopk.impl.engines.exact.contest import ExactContest
from privtopk.impl.engines.exact.enclosure import Contender, compare
from privtopk.impl.engines.exact.hidden_bits import BitStrings, HiddenBits
from privtopk.impl.engines.exact.quantile import (
    CertifiedGumbel,
    CertifiedNoise,
    certified_noise,
)
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.scores.memory import ArrayScores, IndexedScores
from privtopk.impl.scores.reader import Reader
from privtopk.spec.laws.gumbel import float_weights, ranked_law
from privtopk.spec.noise.distributions import NoiseKind
from support import fits, seeded_coins
from support_exact import (
    LAST,
    Instance,
    RecordedWords,
    nearly_balancing_words,
    random_table,
)
from support_served import ServedWords

HALF = 2**62
EDGES = [0, 1, 2, 2**55, HALF - 1, HALF, HALF + 1, LAST - 1, LAST]
"""Words next to 0, to 1/2 and to 1, and where bits begin to be too few."""


def run_exact(
    reader: Reader,
    k: int,
    rate: Fraction,
    noise: CertifiedNoise,
    bits: BitStrings,
    costs: tuple[int, int] = (1, 1),
) -> EngineRun:
    """Run the staged algorithm on bits."""
    contest = ExactContest(k, rate, noise, bits)
    return batched.select_in_stages(reader, k, contest, bits, costs)


def scan(
    reader: Reader, k: int, rate: Fraction, noise: CertifiedNoise, bits: BitStrings
) -> EngineRun:
    """Run the one-shot mechanism on bits."""
    return one_shot(reader, ExactContest(k, rate, noise, bits), bits)


def size_and_k(generator: np.random.Generator) -> tuple[int, int]:
    """Return a size up to 60 and one of the numbers of items between 1 and all."""
    m = int(generator.integers(1, 61))
    return m, int(generator.choice([1, m, int(generator.integers(1, m + 1)), min(m, 2)]))


def flat(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """All scores are tied."""
    m, k = size_and_k(generator)
    return Instance([3] * m, random_table(generator, m), k, Fraction(1, 3), kind)


def small(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """Scores differ by about as much as noise does."""
    m, k = size_and_k(generator)
    scores = generator.integers(0, 9, size=m).tolist()
    return Instance(scores, random_table(generator, m), k, Fraction(7, 10), kind)


def tiny_gaps(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """Scores differ by next to nothing in noise scales, and are large."""
    m, k = size_and_k(generator)
    scores = (2**53 - generator.integers(0, 1000, size=m)).tolist()
    return Instance(scores, random_table(generator, m), k, Fraction(0.1) / 2**40, kind)


def huge_gaps(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """Scores differ by up to 2^53 noise scales and more, with ties among them."""
    m, k = size_and_k(generator)
    scores = generator.choice([0, 1, 2**52, 2**53 - 1, 2**53], size=m).tolist()
    rate = Fraction(int(generator.integers(1, 10**9)), 997)
    return Instance(scores, random_table(generator, m), k, rate, kind)


def shared_bits(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """Tied items have two to eight words in common: only further words decide."""
    m, k = size_and_k(generator)
    words = random_table(generator, m)
    for item in range(1, m, 2):
        common = int(generator.integers(2, 9))
        words[item, :common] = words[item - 1, :common]
    scores = np.repeat(generator.integers(0, 3, size=m), 2)[:m].tolist()
    return Instance(scores, words, k, Fraction(1, 2), kind)


def edges(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """First and second words lie next to 0, to 1/2 and to 1."""
    m, k = size_and_k(generator)
    words = random_table(generator, m)
    for column in (0, 1):
        at_edge = generator.random(m) < 0.6
        words[at_edge, column] = generator.choice(EDGES, size=int(at_edge.sum()))
    scores = generator.integers(0, 3, size=m).tolist()
    return Instance(scores, words, k, Fraction(1), kind)


def balanced(generator: np.random.Generator, kind: NoiseKind) -> Instance:
    """Items that differ by one vote have bits with which their noisy scores almost agree."""
    m = 2 * int(generator.integers(1, 25))
    words = random_table(generator, m)
    rate = Fraction(int(generator.integers(1, 40)), 16)
    for item in range(0, m, 2):
        words[item + 1, :2] = nearly_balancing_words(words[item, :2], float(rate), kind, generator)
    scores = [1, 0] * (m // 2)
    return Instance(scores, words, int(generator.integers(1, m + 1)), rate, kind)


SHAPES: list[Callable[[np.random.Generator, NoiseKind], Instance]] = [
    flat,
    small,
    tiny_gaps,
    huge_gaps,
    shared_bits,
    edges,
    balanced,
]

shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
kinds = pytest.mark.parametrize("kind", NoiseKind)


def mismatches(
    shape: Callable[[np.random.Generator, NoiseKind], Instance],
    kind: NoiseKind,
    tables: int,
    seed: int,
) -> list[int]:
    """Return the tables on which the engine or the scan differs from Arb."""
    generator = np.random.default_rng([seed, SHAPES.index(shape), list(NoiseKind).index(kind)])
    wrong = []
    for number in range(tables):
        instance = shape(generator, kind)
        wanted = instance.best_items()
        source, noise = IndexedScores(instance.scores), certified_noise(kind)
        costs = (1, int(generator.choice([1, 1, 3])))
        field, whole = ServedWords(instance.words), ServedWords(instance.words)
        run = run_exact(Reader(source), instance.k, instance.rate, noise, field, costs)
        twin = scan(Reader(source), instance.k, instance.rate, noise, whole)
        if not run.items == twin.items == wanted:
            wrong.append(number)
    return wrong


@pytest.fixture
def many_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start prefixes at k, double them, and open noise early: small tables get several stages."""
    monkeypatch.setattr(batched, "FIRST", 1)
    monkeypatch.setattr(batched, "GROWTH", 2)
    monkeypatch.setattr(batched, "early_prefix", lambda m, k, *costs: m)


@pytest.fixture
def inflated_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the assumed errors so large that the filter leaves most comparisons in doubt."""
    monkeypatch.setattr(quantile, "RADIUS", 0.25)
    monkeypatch.setattr(contest, "SCORE_RADIUS", 2.0**-10)
    monkeypatch.setattr(contest, "BAR_RADIUS", 2.0**-6)


@shapes
@kinds
def test_the_engine_returns_what_a_scan_of_the_bits_returns(
    shape: Callable[[np.random.Generator, NoiseKind], Instance], kind: NoiseKind
) -> None:
    """Engine, scan and Arb agree on 40 tables per shape and noise."""
    assert mismatches(shape, kind, 40, 1) == []


@shapes
@kinds
@pytest.mark.usefixtures("many_stages")
def test_more_stages_change_nothing(
    shape: Callable[[np.random.Generator, NoiseKind], Instance], kind: NoiseKind
) -> None:
    """With prefixes that double from k on, engine, scan and Arb agree."""
    assert mismatches(shape, kind, 20, 2) == []


@shapes
@kinds
@pytest.mark.usefixtures("inflated_errors", "many_stages")
def test_doubt_changes_nothing(
    shape: Callable[[np.random.Generator, NoiseKind], Instance], kind: NoiseKind
) -> None:
    """With most comparisons in doubt, engine, scan and Arb agree."""
    assert mismatches(shape, kind, 10, 3) == []


@pytest.mark.slow
@pytest.mark.heavy
@shapes
@kinds
@pytest.mark.parametrize("seed", range(10, 20))
def test_the_engine_returns_what_a_scan_returns_on_many_tables(
    shape: Callable[[np.random.Generator, NoiseKind], Instance], kind: NoiseKind, seed: int
) -> None:
    """They agree on 40 more tables for each of ten seeds: 5,600 in all."""
    assert mismatches(shape, kind, 40, seed) == []


def completed_run(m: int, k: int, kind: NoiseKind, seed: int) -> tuple[object, object]:
    """Return what the engine finds with its own bits, and what Arb finds on the completed table."""
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, 4, size=m).tolist()
    field = RecordedWords(m, CoinBits(seeded_coins(seed)))
    run = run_exact(Reader(IndexedScores(scores)), k, Fraction(1, 2), certified_noise(kind), field)
    table = field.completed_table(generator)
    return run.items, Instance(scores, table, k, Fraction(1, 2), kind).best_items()


@kinds
@pytest.mark.usefixtures("many_stages")
def test_bits_that_were_never_revealed_do_not_matter(kind: NoiseKind) -> None:
    """If fair bits complete those of a run, a scan of all bits finds the same items."""
    runs = [completed_run(120, 2, kind, seed) for seed in range(30)]
    assert [found for found, wanted in runs if found != wanted] == []


@pytest.mark.slow
@pytest.mark.usefixtures("many_stages")
def test_the_ranked_list_has_its_law() -> None:
    """With bits of its own, the engine ranks two of four items as peeling does.

    Null: Plackett and Luce. 2,100 draws, false alarms 1e-9, power 0.99 from a defect of 0.047.
    """
    scores = (1, 0, 2, 1)
    law = ranked_law(float_weights(scores, 0.5), 2)
    source, bits, noise = IndexedScores(scores), CoinBits(seeded_coins(5)), CertifiedGumbel()
    drawn = [
        run_exact(Reader(source), 2, Fraction(1, 2), noise, HiddenBits(4, bits)).items
        for _ in range(2_100)
    ]
    ranked = [tuple(item + 1 for item in items) for items in drawn]
    assert fits(ranked, law, 2_100, 0.047)


@kinds
def test_few_items_are_read(kind: NoiseKind) -> None:
    """On 4,000 tied scores the engine reads less than a tenth of them."""
    m = 4_000
    reader = Reader(IndexedScores([1] * m))
    field = ServedWords(random_table(np.random.default_rng(1), m))
    run_exact(reader, 2, Fraction(1), certified_noise(kind), field)
    assert reader.sorted_accesses + reader.random_accesses < m / 10


@pytest.mark.usefixtures("many_stages")
def test_tables_have_several_stages() -> None:
    """At least a fourth of the runs above open noise more than once."""
    generator = np.random.default_rng(1)
    openings = []
    for _ in range(60):
        instance = small(generator, NoiseKind.GUMBEL)
        field = ServedWords(instance.words)
        reader = Reader(IndexedScores(instance.scores))
        run_exact(reader, 1, instance.rate, certified_noise(NoiseKind.GUMBEL), field)
        openings.append(field.openings)
    assert sum(count >= 2 for count in openings) >= 15


@pytest.mark.parametrize("shape", [shared_bits, edges, balanced], ids=lambda shape: shape.__name__)
def test_tables_leave_doubles_in_doubt(
    shape: Callable[[np.random.Generator, NoiseKind], Instance], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least a fourth of the runs above need comparisons by Arb."""
    comparisons: list[int] = []

    def count_and_compare(one: Contender, other: Contender) -> int:
        comparisons[-1] += 1
        return compare(one, other)

    monkeypatch.setattr(contest, "compare", count_and_compare)
    generator = np.random.default_rng(1)
    for _ in range(40):
        instance = shape(generator, NoiseKind.GUMBEL)
        field, noise = ServedWords(instance.words), certified_noise(NoiseKind.GUMBEL)
        comparisons.append(0)
        scan(Reader(IndexedScores(instance.scores)), instance.k, instance.rate, noise, field)
    assert sum(count > 0 for count in comparisons) >= 10


@pytest.mark.parametrize("kind", NoiseKind)
@pytest.mark.parametrize("block", [1, 7, 1000])
def test_blocks_change_nothing(
    kind: NoiseKind, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every block size the scan returns what Arb returns, and reads every item once."""
    monkeypatch.setattr(one_shot_module, "FIRST", block)
    monkeypatch.setattr(one_shot_module, "BLOCK", 2 * block)
    generator = np.random.default_rng(block)
    for k in (1, 5, 60):
        scores = generator.integers(0, 6, size=60).tolist()
        instance = Instance(scores, random_table(generator, 60), k, Fraction(2, 3), kind)
        reader, field = Reader(ArrayScores(scores)), ServedWords(instance.words)
        run = scan(reader, k, instance.rate, certified_noise(kind), field)
        assert run.items == instance.best_items()
        assert (reader.sorted_accesses, reader.random_accesses, run.noise_draws) == (0, 60, 60)


def test_most_items_show_one_word() -> None:
    """Of 20,000 tied items fewer than one in ten shows a second word."""
    m = 20_000
    field = ServedWords(random_table(np.random.default_rng(1), m))
    scan(Reader(ArrayScores([0] * m)), 3, Fraction(1), certified_noise(NoiseKind.GUMBEL), field)
    assert sum(number == 1 for _, number in field.revealed) < m / 10
