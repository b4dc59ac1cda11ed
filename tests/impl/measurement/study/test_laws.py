"""Facts about the laws that bound the cost of an engine."""

import math

import numpy as np
import pytest

from privtopk.impl.engines.batched import WASTE, latest_prefix
from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.study.laws import (
    CostLaw,
    ScanLaw,
    StagedLaw,
    ThresholdLaw,
    candidates_of,
    early_stage,
    largest_mean,
    law_of,
    log_mean,
    log_tail,
    share_law,
)
from privtopk.impl.plan import plan
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.top_k import top_k
from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail_float
from privtopk.spec.upper_bounds.access import expected_rounds, rounds_tail_float
from privtopk.spec.upper_bounds.batched import two_phase_cost_bound

LEVEL = math.log(1e-9)


@pytest.mark.parametrize(("m", "k"), [(1, 1), (50, 3), (10**5, 10)])
def test_mean_of_the_threshold_law(m: int, k: int) -> None:
    """The mean is twice the expected rounds."""
    assert ThresholdLaw(m, k).mean == pytest.approx(2 * expected_rounds(m, k))


@pytest.mark.parametrize("rounds", [5, 8, 12, 16])
def test_the_threshold_tail_is_bounded(rounds: int) -> None:
    """One run with m = 50, k = 3 exceeds a cost with at most the probability of the bound."""
    exact = rounds_tail_float(50, 3, rounds)
    assert log_tail(ThresholdLaw(50, 3), 1, 2 * (rounds + 1)) >= math.log(exact)


@pytest.mark.parametrize(("m", "k"), [(1000, 2), (10**5, 10), (10**5, 1000)])
def test_mean_of_the_staged_law(m: int, k: int) -> None:
    """The mean is that of the two-phase algorithm with m items beside its prefix, and early noise.

    The latter adds at most 1/512 of the prefix, so that the plan has the larger number.
    """
    prefix, law = latest_prefix(m, k, 1, 1), StagedLaw(m, k, 1, 1)
    least = float(two_phase_cost_bound(m + prefix, k, prefix))
    assert least * (1 - 1e-4) <= law.mean <= (least + WASTE * prefix) * (1 + 1e-4)
    assert law.mean <= plan(m, k, epsilon=1).expected_accesses * (1 + 1e-4)


@pytest.mark.parametrize("candidates", [60, 100, 200, 300])
def test_the_staged_tail_is_bounded(candidates: int) -> None:
    """With m = 1000, k = 5 the number of candidates of a flat input has a tail below the bound."""
    prefix = latest_prefix(1000, 5, 1, 1)
    exact = negative_hypergeometric_tail_float(1000 + prefix, prefix, 5, candidates)
    bound = log_tail(StagedLaw(1000, 5, 1, 1), 1, prefix + candidates)
    assert math.log(exact) <= bound <= 0


def test_early_stages() -> None:
    """Noise is opened early at 2k, 32k, ... items as long as this wastes little."""
    assert early_stage(10**6, 10, 1, 1) == 320
    assert early_stage(10**5, 1000, 1, 1) == 2000
    assert early_stage(100, 1, 1, 1) == 0


def test_candidates_without_early_noise() -> None:
    """Without early noise each of m items is read with probability P."""
    shares = np.array([0.1, 0.5])
    assert candidates_of(shares, 0, 0.0, 100, 3, 20).tolist() == [10.0, 50.0]


def test_candidates_with_early_noise() -> None:
    """With all early noise above P nothing is read at the end; else some items are read twice.

    P is 0.5 or 0.05, and a tenth of all noises was opened after 5 of 20 items were delivered. Of
    those 5 a tenth is read by chance. Of the 15 others three quarters of the 2 above P are read
    with a chance of 0.1/0.5; or, if P is below, of the 3 down to it and of 5/95 of the 17 others.
    """
    low, high = candidates_of(np.array([0.05, 0.5]), 5, 0.1, 100, 3, 20).tolist()
    twice = 1 - 0.1 / 16
    assert high == pytest.approx(80 * 0.5 + 20 * 0.4 / 0.9 + (0.5 + 0.75 * 0.4) / twice)
    assert low == pytest.approx(80 * 0.1 + (0.5 + 0.75 * (3 + 17 * 0.05 / 0.95)) / twice)


def test_prices_scale_the_law() -> None:
    """Doubling both prices doubles the cost."""
    once, twice = StagedLaw(1000, 5, 1, 3), StagedLaw(1000, 5, 2, 6)
    assert twice.mean == pytest.approx(2 * once.mean)
    assert largest_mean(twice, 10, LEVEL) == pytest.approx(2 * largest_mean(once, 10, LEVEL))


def test_a_whole_list_leaves_no_candidates() -> None:
    """If sorted access reads everything, random access reads only items opened early."""
    law = StagedLaw(1000, 5, 1, 10**6)
    assert 1000 <= law.mean <= 1000 * (1 + WASTE)


@pytest.mark.parametrize(
    "law", [ThresholdLaw(10**4, 10), StagedLaw(10**4, 10, 1, 1), StagedLaw(10**4, 1, 5, 1)]
)
def test_the_limit_is_where_the_tail_meets_the_level(law: CostLaw) -> None:
    """The limit is above the mean of the law, has the level as its tail, and falls with runs."""
    limits = [largest_mean(law, runs, LEVEL) for runs in (10, 100, 1000)]
    assert limits == sorted(limits, reverse=True)
    assert limits[-1] > law.mean
    assert [log_tail(law, 10, limits[0]), log_tail(law, 10, law.mean)] == pytest.approx([LEVEL, 0])


def test_a_scan_has_no_band() -> None:
    """The limit of a constant cost is that cost."""
    law = ScanLaw(100.0)
    assert (law.mean, law.largest, law.log_moment(2.0)) == (100, 100, 200)
    assert (log_tail(law, 5, 100.0), log_tail(law, 5, 100.1)) == (0, -math.inf)
    assert largest_mean(law, 5, LEVEL) == 100


@pytest.mark.parametrize(
    ("engine", "m", "k", "kind"),
    [
        (Engine.ONE_SHOT, 10**5, 10, ScanLaw),
        (Engine.RANK_FREE, 10**5, 10, ThresholdLaw),
        (Engine.BATCHED, 10**3, 10, StagedLaw),
        (Engine.EXACT, 10**5, 10, StagedLaw),
        (Engine.EXACT, 10**3, 10, ScanLaw),
        (Engine.EXACT, 10**5, 5000, ScanLaw),
    ],
)
def test_engines_have_their_law(engine: Engine, m: int, k: int, kind: type) -> None:
    """Each engine has the law of its algorithm, and the exact one scans where the default does."""
    assert type(law_of(engine, m, k, 1, 1)) is kind


def test_expensive_sorted_accesses_are_a_scan() -> None:
    """If no prefix pays, the engine with stages reads m items by random access."""
    assert law_of(Engine.BATCHED, 1000, 10, 10**6, 3) == ScanLaw(3000.0)


def test_share_law_is_a_beta_law() -> None:
    """Points and probabilities have the mean and the variance of Beta(3, 18)."""
    shares, chances = share_law(3, 20)
    mean = float(shares @ chances)
    assert mean == pytest.approx(3 / 21, rel=1e-4)
    assert float((shares - mean) ** 2 @ chances) == pytest.approx(3 * 18 / 21**2 / 22, rel=1e-3)


def test_log_mean_does_not_overflow() -> None:
    """The mean of e^1000 and e^1000 is e^1000."""
    assert log_mean(np.array([1000.0, 1000.0]), np.array([0.5, 0.5])) == pytest.approx(1000)


@pytest.mark.parametrize("engine", [Engine.BATCHED, Engine.RANK_FREE])
def test_engines_meet_their_law_on_the_worst_input(engine: Engine) -> None:
    """On the worst input the mean of 60 seeded runs lies within the limit, and near the law.

    Null: the law. The upper limit fails with probability 1e-9. The lower one guards against a law
    that is far too large: a cost has a standard deviation of a third of its mean, so 0.8 of the
    mean is 4.6 standard errors below it.
    """
    scores = np.zeros(2000, dtype=np.int64)
    scores[: latest_prefix(2000, 10, 1, 1)] = 10**9
    source, generator = IndexedScores(scores), np.random.default_rng(11)
    costs = [
        top_k(source, 10, epsilon=1, engine=engine, rng=generator).audit.accesses for _ in range(60)
    ]
    law = law_of(engine, 2000, 10, 1, 1)
    assert 0.8 * law.mean < np.mean(costs) < largest_mean(law, 60, LEVEL) < 1.6 * law.mean
