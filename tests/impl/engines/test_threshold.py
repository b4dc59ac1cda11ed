"""Facts about Algorithm 3 over a source and a noise oracle."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.engines.threshold import NoisyScores, ThresholdStop, select_by_threshold
from privtopk.impl.noise.distributions import StandardNoise, standard_noise
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import FullNoiseList, NoiseOracle, ServedOracle
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import Floats, Integers, Randomness
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.spec import Door, Item, NoiseKind, Reading, StoredList
from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.algorithms.threshold import meeting_round
from privtopk.spec.laws.gumbel import float_weights, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.access import theorem_u_cost
from support import refusal, seeded_coins

GUMBEL = standard_noise(NoiseKind.GUMBEL)
LAPLACE = standard_noise(NoiseKind.LAPLACE)
NOISES = {"gumbel": GUMBEL, "laplace": LAPLACE}
every_noise = pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)

ORACLES: dict[str, Callable[[int, Randomness], NoiseOracle]] = {
    "threshold": FullNoiseList,
    "online": OnlineLevelOracle,
    "rank-free": RankFreeLevelOracle,
}


class Table:
    """A source over a list of scores; ties go to the smaller item."""

    def __init__(self, scores: Sequence[int]) -> None:
        """Sort the scores."""
        self._scores = np.array(scores, dtype=np.int64)
        self.order = np.argsort(-self._scores, kind="stable")
        self.size = len(scores)

    def top(self, start: int, count: int) -> Page:
        """Return the entries at some ranks."""
        items = self.order[start : start + count]
        return Page(items, self._scores[items])

    def scores(self, items: Integers) -> Integers:
        """Return the scores of some items."""
        return self._scores[items]

    def name(self, item: int) -> object:
        """Return the item itself."""
        return item


def exact_noises(levels: Floats, epsilon: float, noise: StandardNoise) -> list[Fraction]:
    """Return the exact noises of levels, in units of scores."""
    return [Fraction(noise.value(level)) / Fraction(epsilon) for level in levels.tolist()]


def serve(
    scores: Sequence[int],
    levels: Floats,
    k: int,
    epsilon: float = 0.5,
    noise: StandardNoise = GUMBEL,
    block: int = 1,
) -> tuple[ThresholdStop, Reader]:
    """Return a run over given scores and levels, and the reader that counted its accesses."""
    reader = Reader(Table(scores))
    return select_by_threshold(reader, ServedOracle(levels), k, epsilon, noise, block), reader


def random_tables(seed: int, count: int, largest: int) -> list[tuple[list[int], Floats, int]]:
    """Return scores with many ties, levels and k, for sizes up to the largest."""
    generator = np.random.default_rng(seed)
    tables = []
    for _ in range(count):
        m = int(generator.integers(1, largest, endpoint=True))
        scores = generator.integers(0, int(generator.integers(1, 12)), m).tolist()
        k = int(generator.integers(1, m, endpoint=True))
        tables.append((scores, generator.standard_exponential(m), k))
    return tables


@every_noise
@pytest.mark.parametrize("block", [1, 3, 1000])
def test_selection_is_that_of_the_one_shot_mechanism(noise: StandardNoise, block: int) -> None:
    """With the same noise, the engine and Algorithm 2 return the same ranking."""
    for scores, levels, k in random_tables(1, 60, 60):
        run, _ = serve(scores, levels, k, 0.5, noise, block)
        expected = select_with(tuple(scores), exact_noises(levels, 0.5, noise), k)
        assert run.items == tuple(item - 1 for item in expected)


@every_noise
def test_trace_is_that_of_the_specification(noise: StandardNoise) -> None:
    """For k < 32, rounds and accesses are those of the specification with memoised reading."""
    for scores, levels, k in random_tables(2, 60, 31):
        run, reader = serve(scores, levels, k, 0.5, noise)
        score_list = StoredList(scores)
        noise_list = StoredList(exact_noises(levels, 0.5, noise))
        specified = private_threshold(score_list, noise_list, k, Reading.MEMOISED)
        assert (run.rounds, reader.sorted_accesses, reader.random_accesses, run.seen) == (
            specified.rounds,
            score_list.ledger.count(Door.SORTED),
            score_list.ledger.count(Door.RANDOM),
            len(score_list.ledger.distinct_items),
        )


def test_large_k_stops_a_little_later_at_most() -> None:
    """For k >= 32 the engine stops at most k/16 rounds after the specification would."""
    for scores, levels, k in random_tables(3, 12, 400):
        run, _ = serve(scores, levels, k)
        noises = StoredList(exact_noises(levels, 0.5, GUMBEL))
        rounds = private_threshold(StoredList(scores), noises, k).rounds
        assert rounds <= run.rounds <= rounds + k // 16


def meeting_round_of(scores: Sequence[int], levels: Floats, k: int) -> int:
    """Return the round in which both lists have delivered k items in common."""
    by_score = [Item(int(i) + 1) for i in Table(scores).order]
    by_noise = [Item(int(i) + 1) for i in np.argsort(levels, kind="stable")]
    return meeting_round(by_score, by_noise, k)


def test_rounds_never_exceed_the_meeting_round() -> None:
    """When both lists have delivered k items in common, the engine has stopped."""
    for scores, levels, k in random_tables(4, 60, 200):
        run, _ = serve(scores, levels, k)
        assert run.rounds <= meeting_round_of(scores, levels, k)


def test_large_k_stops_when_the_lists_meet() -> None:
    """With as many leaders as the meeting round, the engine stops close to it and never later.

    The floor alone, tested every k/16 rounds, would often stop later.
    """
    generator = np.random.default_rng(9)
    for _ in range(10):
        levels, k = generator.standard_exponential(1000), 160
        meeting = meeting_round_of([0] * 1000, levels, k)
        run, _ = serve([1000] * meeting + [0] * (1000 - meeting), levels, k)
        assert meeting - k // 16 <= run.rounds <= meeting


def test_a_round_costs_at_most_two_accesses() -> None:
    """Each round reads one entry by sorted access and at most one score by random access."""
    for scores, levels, k in random_tables(5, 50, 200):
        run, reader = serve(scores, levels, k)
        assert reader.sorted_accesses == run.rounds
        assert reader.random_accesses <= run.rounds


@pytest.mark.parametrize("block", [2, 7, 64])
def test_blocks_trade_accesses_for_round_trips(block: int) -> None:
    """A block of b rounds takes two round trips, and adds at most b - 1 rounds."""
    generator = np.random.default_rng(6)
    scores, levels = generator.integers(0, 9, 2000).tolist(), generator.standard_exponential(2000)
    single, _ = serve(scores, levels, 20)
    run, reader = serve(scores, levels, 20, block=block)
    assert run.items == single.items
    assert single.rounds <= run.rounds < single.rounds + block
    assert reader.round_trips <= 2 * math.ceil(run.rounds / block)


@pytest.mark.parametrize("block", [1, 5])
def test_all_items_can_be_selected(block: int) -> None:
    """With k = m every item is selected, ranked by noisy score."""
    scores, levels = [3, 1, 4, 1, 5], np.array([0.3, 0.001, 2.0, 0.7, 1.0])
    run, _ = serve(scores, levels, 5, block=block)
    expected = select_with(tuple(scores), exact_noises(levels, 0.5, GUMBEL), 5)
    assert run.items == tuple(item - 1 for item in expected)


def test_one_item_is_selected_by_one_access() -> None:
    """With m = 1 there is one round and one access."""
    run, reader = serve([7], np.array([0.5]), 1)
    assert (run, reader.sorted_accesses, reader.random_accesses) == (
        ThresholdStop((0,), 1, 1),
        1,
        0,
    )


def test_leader_with_small_noise_needs_few_rounds() -> None:
    """A leader far ahead is certain after the first round."""
    run, _ = serve([1000, *([0] * 99)], np.linspace(1, 2, 100), 1)
    assert (run.items, run.rounds) == ((0,), 1)


def test_ties_of_noisy_scores_go_to_the_smaller_item() -> None:
    """Equal scores with equal noise rank by item."""
    run, _ = serve([2, 2, 2], np.array([0.5, 0.5, 0.5]), 3)
    assert run.items == (0, 1, 2)


@every_noise
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1e6])
def test_leader_does_not_round_away_the_noise(noise: StandardNoise, epsilon: float) -> None:
    """Next to a leader with 2^53 votes the others still compare by all digits of their noise."""
    scores = [2**53, *([0] * 40)]
    levels = np.array([1 + 1e-15 * (i * 17 % 41) for i in range(41)])
    run, _ = serve(scores, levels, 3, epsilon, noise)
    expected = select_with(tuple(scores), exact_noises(levels, epsilon, noise), 3)
    assert run.items == tuple(item - 1 for item in expected)


@pytest.mark.parametrize("epsilon", [1e300, 1.7e308])
def test_huge_epsilon_selects_the_true_top(epsilon: float) -> None:
    """With negligible noise the largest scores are selected, ties by noise."""
    run, _ = serve([5, 9, 5, 7, 5], np.array([0.9, 5.0, 0.1, 5.0, 0.5]), 4, epsilon)
    assert run.items == (1, 3, 2, 4)


def test_tiny_epsilon_selects_by_noise() -> None:
    """With overwhelming noise the largest noises are selected."""
    run, _ = serve([5, 9, 5, 7, 5], np.array([0.9, 5.0, 0.1, 4.0, 0.5]), 3, 1e-300)
    assert run.items == (2, 4, 0)


def test_noisy_scores_are_in_units_of_the_noise_scale() -> None:
    """The noisy score of h and E is epsilon h + Z, times 2^60."""
    level = math.exp(-0.75)
    value = NoisyScores(0.5, GUMBEL).value(3, level)
    assert value == 3 * 2**59 + int(GUMBEL.value(level) * 2**60)


@pytest.mark.parametrize("name", ORACLES)
def test_mean_accesses_stay_below_theorem_u(name: str) -> None:
    """On a plateau of sqrt(mk) leaders, a bad case, the mean cost is at most 1 + sqrt(4mk + 1).

    Null hypothesis: the bound holds; 100 runs at m = 400, k = 4, whose standard deviation is
    below 25, tested six standard errors above; a mean a third above the bound is found.
    """
    costs = []
    for seed in range(100):
        reader = Reader(Table([1000] * 40 + [0] * 360))
        select_by_threshold(reader, ORACLES[name](400, seeded_coins(seed)), 4, 0.5, GUMBEL)
        costs.append(reader.sorted_accesses + reader.random_accesses)
    assert 40 < float(np.mean(costs)) < theorem_u_cost(400, 4) + 6 * 25 / math.sqrt(100)
    assert float(np.std(costs)) < 25


def test_tied_scores_take_k_rounds() -> None:
    """When all scores are equal, the k largest noises decide, and k rounds find them."""
    levels = np.random.default_rng(8).standard_exponential(1000)
    run, _ = serve([5] * 1000, levels, 20)
    assert (run.rounds, set(run.items)) == (20, set(np.argsort(levels)[:20].tolist()))


HISTOGRAM = (3, 2, 2, 1, 0)


def law_of(noise: StandardNoise, k: int) -> dict[frozenset[Item], float]:
    """Return the exact law of the selected set at epsilon = 1/2."""
    if noise is GUMBEL:
        return dict(set_law(float_weights(HISTOGRAM, 0.5), k))
    return laplace_set_law(HISTOGRAM, k, 0.5)


def fits(
    observed: Counter[frozenset[Item]], law: dict[frozenset[Item], float], defect: float
) -> bool:
    """Return whether counts fit a law by chi-square, false alarms 1e-9.

    The test checks that sum (p - q)^2/q >= defect is found with power 0.99.
    """
    n, freedom = observed.total(), len(law) - 1
    limit = stats.chi2.isf(1e-9, freedom)
    assert set(observed) <= set(law)
    assert min(law.values()) * n >= 5
    assert stats.ncx2.sf(limit, freedom, defect * n) >= 0.99
    return bool(sum((observed[s] - p * n) ** 2 / (p * n) for s, p in law.items()) < limit)


def selected_sets(
    name: str, noise: StandardNoise, k: int, n: int, epsilon: float = 0.5
) -> Counter[frozenset[Item]]:
    """Return how often an engine selects each set in n runs, in the items of the specification."""
    randomness, table = seeded_coins(k + n), Table(HISTOGRAM)
    counts: Counter[frozenset[Item]] = Counter()
    for _ in range(n):
        oracle = ORACLES[name](table.size, randomness)
        run = select_by_threshold(Reader(table), oracle, k, epsilon, noise)
        counts[frozenset(Item(item + 1) for item in run.items)] += 1
    return counts


@every_noise
@pytest.mark.parametrize("name", ORACLES)
def test_selected_sets_have_the_exact_law(name: str, noise: StandardNoise) -> None:
    """With every noise oracle, selected sets of 2 of 5 items have the exact law.

    Null hypothesis: the law of the specification; n = 1,000, ten cells, false alarms 1e-9; a
    law with sum (p - q)^2/q >= 0.12 is found with power 0.99.
    """
    assert fits(selected_sets(name, noise, 2, 1000), law_of(noise, 2), 0.12)


@pytest.mark.slow
@every_noise
@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_selected_sets_have_the_exact_law_closely(name: str, noise: StandardNoise, k: int) -> None:
    """The same holds for k = 1, 2 and m - 1, tested with more runs.

    Null hypothesis: the law of the specification; n = 4,000, at most ten cells, false alarms 1e-9;
    a law with sum (p - q)^2/q >= 0.03 is found with power 0.99.
    """
    assert fits(selected_sets(name, noise, k, 4000), law_of(noise, k), 0.03)


def test_wrong_epsilon_is_found() -> None:
    """With epsilon instead of epsilon/2 the same test rejects the law."""
    assert not fits(selected_sets("rank-free", GUMBEL, 2, 1000, 1.0), law_of(GUMBEL, 2), 0.12)


@pytest.mark.parametrize(
    ("k", "epsilon", "block", "reason", "message"),
    [
        (0, 0.5, 1, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 0"),
        (4, 0.5, 1, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4"),
        (1, 0.0, 1, Reason.EPSILON_OUT_OF_RANGE, "epsilon must be positive and finite, got 0.0"),
        (1, 0.5, 0, Reason.SIZE_OUT_OF_RANGE, "block must be at least 1, got 0"),
    ],
)
def test_parameters_out_of_range_are_refused(
    k: int, epsilon: float, block: int, reason: Reason, message: str
) -> None:
    """Parameters are checked before anything is read."""
    reader = Reader(Table([1, 2, 3]))
    oracle = ServedOracle(np.array([1.0, 2.0, 3.0]))
    call = lambda: select_by_threshold(reader, oracle, k, epsilon, GUMBEL, block)  # noqa: E731
    assert refusal(call) == (reason, message)
    assert reader.round_trips == 0


def test_different_domains_are_refused() -> None:
    """Source and noise list must have as many items."""
    reader, oracle = Reader(Table([1, 2, 3])), ServedOracle(np.array([1.0, 2.0]))
    assert refusal(lambda: select_by_threshold(reader, oracle, 1, 0.5, GUMBEL)) == (
        Reason.DIFFERENT_DOMAINS,
        "source and noise must have one domain, got m=3 and m=2",
    )


class Repeating(Table):
    """A source that delivers its first item every time."""

    def top(self, start: int, count: int) -> Page:
        """Return the first entry."""
        return super().top(0, count)


class Contradicting(Table):
    """A source whose doors disagree."""

    def scores(self, items: Integers) -> Integers:
        """Return the scores less one vote."""
        return np.maximum(super().scores(items) - 1, 0)


class Passing(Table):
    """A source that delivers its best item last."""

    def __init__(self, scores: Sequence[int]) -> None:
        """Put the first item last."""
        super().__init__(scores)
        self.order = np.roll(self.order, -1)


@pytest.mark.parametrize(
    ("source", "noises", "k", "message"),
    [
        (Repeating([1, 1, 1]), [1.0, 2.0, 3.0], 3, "the source delivered an item twice"),
        (
            Contradicting([5, 4, 3]),
            [3.0, 1.0, 0.5],
            3,
            "the two doors of the source disagree on a score",
        ),
        (
            Passing([9, 4, 3]),
            [0.5, 1.0, 3.0],
            1,
            "the source passed over an item in the order of scores",
        ),
    ],
)
def test_a_faulty_source_ends_the_selection(
    source: Table, noises: list[float], k: int, message: str
) -> None:
    """A repeated item, doors that disagree and a passed-over item end the selection."""
    reader, oracle = Reader(source), ServedOracle(np.array(noises))
    call = lambda: select_by_threshold(reader, oracle, k, 0.5, GUMBEL)  # noqa: E731
    assert refusal(call) == (Reason.FAULTY_SOURCE, message)


def test_refusal_of_a_source_comes_through() -> None:
    """An exception of the source ends the selection and is its cause."""

    class Broken(Table):
        """A source that cannot read."""

        def scores(self, items: Integers) -> Integers:
            """Raise."""
            raise OSError("no disk")

    reader, oracle = Reader(Broken([9, 4, 3])), ServedOracle(np.array([1.0, 0.5, 3.0]))
    with pytest.raises(SelectionError) as caught:
        select_by_threshold(reader, oracle, 1, 0.5, GUMBEL)
    assert isinstance(caught.value.__cause__, OSError)
