"""Facts about the two-phase algorithm with fixed and adaptive prefix, and about its stages."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privtopk.spec.algorithms.batched import (
    BatchedRun,
    Prefix,
    adaptive_prefix,
    fixed_prefix,
    multi_stage,
    two_phase,
)
from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.laws.gumbel import float_weights, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.access import Door, Entry, Ledger, StoredList
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.field import LazyNoise, NoiseField, ServedNoise
from support import fits, refusal

Algorithm = Callable[[StoredList, NoiseField, int, Noise], BatchedRun]

DRAWS = 20_000
DEFECT = 0.0053
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""
GUMBEL = Gumbel(0.5)


def fixed(r: int) -> Algorithm:
    """Return the two-phase algorithm with a prefix of r items."""
    return lambda source, field, k, noise: two_phase(source, field, k, fixed_prefix(r))


def adaptive(source: StoredList, field: NoiseField, k: int, noise: Noise) -> BatchedRun:
    """Run the two-phase algorithm with the adaptive prefix."""
    return two_phase(source, field, k, adaptive_prefix(source.size, k, source.size))


def stages(first: int, growth: int, latest: int) -> Algorithm:
    """Return the algorithm with stages."""
    return lambda source, field, k, noise: multi_stage(
        source, field, k, noise, latest, first, growth
    )


@st.composite
def problems(draw: st.DrawFn) -> tuple[Histogram, tuple[float, ...], int]:
    """Draw a histogram with many ties, noises that make no ties, and k."""
    m = draw(st.integers(1, 8))
    histogram = draw(st.lists(st.integers(0, 3), min_size=m, max_size=m))
    steps = draw(st.lists(st.integers(-40, 40), min_size=m, max_size=m))
    # Multiples of 1/64 add exactly, and their fractional parts make ties impossible.
    noises = tuple(step / 8 + i / 64 for i, step in enumerate(steps))
    return tuple(histogram), noises, draw(st.integers(1, m))


def check(
    problem: tuple[Histogram, tuple[float, ...], int], algorithm: Algorithm
) -> tuple[BatchedRun, Ledger]:
    """Run on served noise and compare with the full scan, ranks and scores included."""
    histogram, noises, k = problem
    source = StoredList(histogram)
    run = algorithm(source, ServedNoise(noises, GUMBEL), k, GUMBEL)
    assert run.selected == tuple(
        Entry(item, histogram[item - 1] + noises[item - 1])
        for item in select_with(histogram, noises, k)
    )
    return run, source.ledger


@settings(max_examples=50)
@given(problems(), st.integers(0, 9))
def test_fixed_prefix_returns_the_one_shot_ranking(
    problem: tuple[Histogram, tuple[float, ...], int], r: int
) -> None:
    """With the same noise every prefix, even below k or above m, gives the full scan."""
    check(problem, fixed(r))


@settings(max_examples=50)
@given(problems(), st.data())
def test_adaptive_prefix_returns_the_one_shot_ranking(
    problem: tuple[Histogram, tuple[float, ...], int], data: st.DataObject
) -> None:
    """With the same noise the adaptive prefix gives the full scan, for all prices."""
    m, k = len(problem[0]), problem[2]
    latest = data.draw(st.integers(k, m))
    prices = data.draw(st.tuples(*[st.sampled_from((1, 3, Fraction(1, 3), 0.01))] * 2))
    rule = adaptive_prefix(m, k, latest, *prices)
    check(problem, lambda source, field, k, noise: two_phase(source, field, k, rule))


@settings(max_examples=50)
@given(problems(), st.data())
def test_any_stopping_rule_returns_the_one_shot_ranking(
    problem: tuple[Histogram, tuple[float, ...], int], data: st.DataObject
) -> None:
    """A rule that stops arbitrarily does not change the selection."""
    decisions = iter(data.draw(st.lists(st.booleans(), min_size=9, max_size=9)))
    check(
        problem,
        lambda source, field, k, noise: two_phase(source, field, k, lambda prefix: next(decisions)),
    )


@settings(max_examples=50)
@given(problems(), st.data())
def test_stages_return_the_one_shot_ranking(
    problem: tuple[Histogram, tuple[float, ...], int], data: st.DataObject
) -> None:
    """With the same noise all stages give the full scan."""
    m, k = len(problem[0]), problem[2]
    latest = data.draw(st.integers(k, m))
    check(problem, stages(data.draw(st.integers(k, m)), data.draw(st.integers(2, 4)), latest))


@settings(max_examples=50)
@given(problems(), st.integers(0, 9))
def test_run_counts_its_accesses(problem: tuple[Histogram, tuple[float, ...], int], r: int) -> None:
    """A two-phase run reads its prefix by sorted access, its candidates by random access, once."""
    run, ledger = check(problem, fixed(r))
    assert (run.prefix, run.candidates) == (ledger.count(Door.SORTED), ledger.count(Door.RANDOM))
    assert run.prefix == min(r, len(problem[0]))
    assert len(ledger.distinct_items) == ledger.cost


@settings(max_examples=50)
@given(problems(), st.data())
def test_staged_run_counts_its_accesses(
    problem: tuple[Histogram, tuple[float, ...], int], data: st.DataObject
) -> None:
    """Each door counts an item at most once, even if an earlier stage has opened it."""
    m, k = len(problem[0]), problem[2]
    latest = data.draw(st.integers(k, m))
    run, ledger = check(problem, stages(data.draw(st.integers(k, m)), 2, latest))
    assert (run.prefix, run.candidates) == (ledger.count(Door.SORTED), ledger.count(Door.RANDOM))
    assert run.prefix <= latest
    assert len(set(ledger.accesses)) == ledger.cost


def test_candidates_are_the_noises_above_the_needed_one() -> None:
    """After 2 of 4 items B = M_1 - s = 5 - 2 = 3, and only item 4 has a larger noise."""
    source = StoredList((4, 2, 2, 0))
    run = two_phase(source, ServedNoise((1, 0, 2.5, 4), GUMBEL), 1, fixed_prefix(2))
    assert (run, source.ledger.accesses) == (
        BatchedRun((Entry(Item(1), 5),), prefix=2, candidates=1),
        ((Door.SORTED, 1), (Door.SORTED, 2), (Door.RANDOM, 4)),
    )


def test_empty_prefix_reads_everything_by_random_access() -> None:
    """With r = 0 there is no bar and every item is a candidate."""
    run = two_phase(StoredList((4, 2, 2)), ServedNoise((0, 1, 2), GUMBEL), 1, fixed_prefix(0))
    assert (run.prefix, run.candidates) == (0, 3)


def test_full_prefix_leaves_no_candidates() -> None:
    """With r = m phase two has nothing to do, and a longer prefix is the same."""
    runs = [
        two_phase(StoredList((4, 2, 2)), ServedNoise((0, 1, 2), GUMBEL), 1, fixed_prefix(r))
        for r in (3, 7)
    ]
    assert [(run.prefix, run.candidates) for run in runs] == [(3, 0), (3, 0)]


def test_items_are_the_selected_ones_without_order() -> None:
    """The set of a run has neither ranks nor scores."""
    run = BatchedRun((Entry(Item(3), 6), Entry(Item(1), 5)), 2, 0)
    assert run.items == frozenset({1, 3})


def test_rule_sees_length_and_chance_only() -> None:
    """The rule is called before every access; the chance is 1 until there is a bar."""
    asked: list[Prefix] = []

    def rule(prefix: Prefix) -> bool:
        asked.append(prefix)
        return False

    two_phase(StoredList((4, 2, 0)), ServedNoise((0.5, 3.0, 0.0), GUMBEL), 1, rule)
    assert asked == [
        Prefix(0, 1.0),
        Prefix(1, GUMBEL.survival(0.5)),
        Prefix(2, GUMBEL.survival(3.0)),
    ]


@pytest.mark.parametrize(("length", "expected"), [(0, False), (2, False), (3, True), (9, True)])
def test_fixed_rule_stops_at_its_length(length: int, expected: bool) -> None:
    """A prefix of three ends after three items, for all chances."""
    assert fixed_prefix(3)(Prefix(length, 0.0)) is expected


@pytest.mark.parametrize(
    ("length", "chance", "expected"),
    [(1, 0.0, False), (2, 0.75, True), (2, 0.76, False), (6, 0.9, False), (8, 0.9, True)],
)
def test_adaptive_rule_weighs_both_doors(length: int, chance: float, expected: bool) -> None:
    """With m = 10, k = 2, latest 8 it stops from k on once (m - r) q <= latest - r."""
    assert adaptive_prefix(10, 2, 8)(Prefix(length, chance)) is expected


@pytest.mark.parametrize(
    ("prices", "expected"), [((1, 1), True), ((1, 2), False), ((Fraction(1, 2), 1), False)]
)
def test_adaptive_rule_weighs_prices(prices: tuple[int, int], expected: bool) -> None:
    """If random access is expensive, or sorted access cheap, it goes on."""
    assert adaptive_prefix(10, 2, 8, *prices)(Prefix(2, 0.75)) is expected


def test_easy_input_is_finished_after_the_first_stage() -> None:
    """A leader by 100 votes costs 2k = 2 accesses of 1,000 items."""
    histogram = (1000, 900, *[0] * 998)
    run = multi_stage(
        StoredList(histogram), LazyNoise(1000, Gumbel(1), seeded_tape(1)), 1, Gumbel(1), 32
    )
    assert (run.items, run.prefix, run.candidates) == (frozenset({1}), 2, 0)


def test_hard_input_goes_through_every_stage() -> None:
    """With high noise on low scores the prefix grows to 1, 2, 4, 8, 16 before it ends."""
    source = StoredList([10] * 20 + [0] * 44)
    field = ServedNoise([0.0] * 63 + [5.0], Gumbel(1))
    run = multi_stage(source, field, 1, Gumbel(1), latest=16, first=1, growth=2)
    assert (run, source.ledger.cost) == (
        BatchedRun((Entry(Item(1), 10),), prefix=16, candidates=1),
        17,
    )


def test_item_of_an_early_stage_may_be_read_again_by_a_later_prefix() -> None:
    """Item 6, read by random access in stage 1, is read once more by the prefix of stage 4."""
    source = StoredList((10, 10, 8, 8, 5, 5, 5, 5, *[0] * 56))
    field = ServedNoise([0.0] * 5 + [4.9] + [0.0] * 58, Gumbel(1))
    run = multi_stage(source, field, 1, Gumbel(1), latest=16, first=1, growth=2)
    assert run == BatchedRun((Entry(Item(1), 10),), prefix=8, candidates=1)
    assert [door for door, item in source.ledger.accesses if item == 6] == [
        Door.RANDOM,
        Door.SORTED,
    ]


def test_stage_reads_all_noise_above_its_frontier_before_it_stops() -> None:
    """Item 64 lifts the bar over the frontier 4.15 of stage one, and item 40 lies between them."""
    field = ServedNoise([0.0] * 39 + [4.5] + [0.0] * 23 + [5.3], Gumbel(1))
    run = multi_stage(
        StoredList([10] * 63 + [9]), field, 1, Gumbel(1), latest=16, first=1, growth=2
    )
    assert run == BatchedRun((Entry(Item(40), 14.5),), prefix=1, candidates=2)


def test_equal_scores_need_one_stage() -> None:
    """On equal scores a noise above the first frontier ends the run far below m accesses."""
    source = StoredList([7] * 1000)
    multi_stage(source, LazyNoise(1000, Gumbel(1), seeded_tape(2)), 1, Gumbel(1), 32)
    assert source.ledger.cost < 40


def test_first_stage_is_twice_k_by_default() -> None:
    """By default the first stage reads 2k items, but never more than the latest prefix."""
    easy = (50, 40, 30, 20, 0, 0, 0, 0)
    lengths = [
        multi_stage(
            StoredList(easy), ServedNoise([0.0] * 8, Gumbel(9)), 2, Gumbel(9), latest
        ).prefix
        for latest in (2, 3, 4, 8)
    ]
    assert lengths == [2, 3, 4, 4]


ALGORITHMS: dict[str, Algorithm] = {
    "fixed": fixed(3),
    "adaptive": adaptive,
    "stages": stages(2, 2, 5),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=ALGORITHMS)
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_run_replays(algorithm: Algorithm, noise: Noise) -> None:
    """The same tape gives the same run and the same accesses."""

    def replayed() -> tuple[BatchedRun, Ledger]:
        source = StoredList((3, 1, 0, 2, 1))
        return algorithm(source, LazyNoise(5, noise, seeded_tape(3)), 2, noise), source.ledger

    assert replayed() == replayed()


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=ALGORITHMS)
def test_all_items_are_selected_when_k_is_m(algorithm: Algorithm) -> None:
    """For k = m the set is the domain, for all noise."""
    whole = stages(5, 2, 5) if algorithm is ALGORITHMS["stages"] else algorithm
    run = whole(StoredList((3, 1, 0, 2, 1)), LazyNoise(5, GUMBEL, seeded_tape(4)), 5, GUMBEL)
    assert run.items == frozenset(items_of(5))


@pytest.mark.parametrize("algorithm", [fixed(0), fixed(1), adaptive, stages(1, 2, 1)])
def test_single_item_is_selected(algorithm: Algorithm) -> None:
    """For m = 1 there is one outcome."""
    run = algorithm(StoredList((3,)), LazyNoise(1, GUMBEL, seeded_tape(5)), 1, GUMBEL)
    assert run.items == frozenset({1})


@pytest.mark.parametrize("noise", [Gumbel(1), Laplace(1)])
@pytest.mark.parametrize("gap", [0, 30, 500, 700, 709, 715, 730, 744, 746, 800, 10**6])
def test_no_gap_between_scores_breaks_a_run(noise: Noise, gap: int) -> None:
    """A run ends with one item for all gaps between scores: an error would leak them."""
    runs = [
        two_phase(
            StoredList((gap, 0, 0)), LazyNoise(3, noise, seeded_tape(seed)), 1, fixed_prefix(2)
        )
        for seed in range(5)
    ]
    assert [len(run.items) for run in runs] == [1] * 5


BAD_K = [
    (0, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 0"),
    (4, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4"),
    (True, Reason.WRONG_TYPE, "k must be an integer, got True"),
    (1.0, Reason.WRONG_TYPE, "k must be an integer, got 1.0"),
    ("1", Reason.WRONG_TYPE, "k must be an integer, got '1'"),
]


@pytest.mark.parametrize(("k", "reason", "message"), BAD_K)
def test_bad_k_is_refused_before_any_access(k: Any, reason: Reason, message: str) -> None:
    """k lies between 1 and m; otherwise nothing is read."""
    source, field = StoredList((1, 2, 3)), ServedNoise((0, 0, 0), GUMBEL)
    assert refusal(lambda: two_phase(source, field, k, fixed_prefix(2))) == (reason, message)
    assert refusal(lambda: multi_stage(source, field, k, GUMBEL, 3)) == (reason, message)
    assert refusal(lambda: adaptive_prefix(3, k, 3)) == (reason, message)
    assert source.ledger == Ledger()


def test_noise_of_another_size_is_refused_before_any_access() -> None:
    """Scores and noise have one domain; otherwise nothing is read."""
    source, field = StoredList((1, 2, 3)), ServedNoise((0, 0), GUMBEL)
    expected = (
        Reason.DIFFERENT_DOMAINS,
        "scores and noise must have one common domain, got sizes 3 and 2",
    )
    assert refusal(lambda: two_phase(source, field, 1, fixed_prefix(2))) == expected
    assert refusal(lambda: multi_stage(source, field, 1, GUMBEL, 3)) == expected
    assert source.ledger == Ledger()


@pytest.mark.parametrize(
    ("r", "reason", "message"),
    [
        (-1, Reason.SIZE_OUT_OF_RANGE, f"r must be between 0 and {2**60}, got -1"),
        (True, Reason.WRONG_TYPE, "r must be an integer, got True"),
        (2.0, Reason.WRONG_TYPE, "r must be an integer, got 2.0"),
        (math.nan, Reason.WRONG_TYPE, "r must be an integer, got nan"),
    ],
)
def test_bad_prefixes_are_refused(r: Any, reason: Reason, message: str) -> None:
    """The length of a prefix is an integer of at least 0."""
    assert refusal(lambda: fixed_prefix(r)) == (reason, message)


@pytest.mark.parametrize(
    ("m", "reason", "message"),
    [
        (0, Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (True, Reason.WRONG_TYPE, "m must be an integer, got True"),
        ("3", Reason.WRONG_TYPE, "m must be an integer, got '3'"),
    ],
)
def test_adaptive_rule_refuses_a_bad_size(m: Any, reason: Reason, message: str) -> None:
    """The rule needs a domain."""
    assert refusal(lambda: adaptive_prefix(m, 1, 1)) == (reason, message)


@pytest.mark.parametrize("latest", [1, 4])
def test_latest_prefixes_outside_are_refused_before_any_access(latest: int) -> None:
    """The latest prefix lies between k and m; otherwise nothing is read."""
    source, field = StoredList((1, 2, 3)), ServedNoise((0, 0, 0), GUMBEL)
    expected = (Reason.SIZE_OUT_OF_RANGE, f"latest must be between 2 and 3, got {latest}")
    assert refusal(lambda: adaptive_prefix(3, 2, latest)) == expected
    assert refusal(lambda: multi_stage(source, field, 2, GUMBEL, latest)) == expected
    assert source.ledger == Ledger()


@pytest.mark.parametrize("name", ["sorted_cost", "random_cost"])
@pytest.mark.parametrize(
    ("price", "reason", "requirement"),
    [
        (0, Reason.COST_OUT_OF_RANGE, "must be positive and finite, got 0"),
        (-1.5, Reason.COST_OUT_OF_RANGE, "must be positive and finite, got -1.5"),
        (math.inf, Reason.COST_OUT_OF_RANGE, "must be positive and finite, got inf"),
        (math.nan, Reason.NOT_A_NUMBER, "must be a number, got nan"),
        (True, Reason.WRONG_TYPE, "must be a number, got True"),
        ("1", Reason.WRONG_TYPE, "must be a number, got '1'"),
    ],
)
def test_bad_prices_are_refused(name: str, price: Any, reason: Reason, requirement: str) -> None:
    """Both doors have a positive and finite price."""
    assert refusal(lambda: adaptive_prefix(3, 1, 3, **{name: price})) == (
        reason,
        f"{name} {requirement}",
    )


@pytest.mark.parametrize(
    ("options", "reason", "message"),
    [
        ({"first": 1}, Reason.SIZE_OUT_OF_RANGE, "first must be between 2 and 3, got 1"),
        ({"first": 4}, Reason.SIZE_OUT_OF_RANGE, "first must be between 2 and 3, got 4"),
        ({"first": True}, Reason.WRONG_TYPE, "first must be an integer, got True"),
        ({"growth": 1}, Reason.SIZE_OUT_OF_RANGE, "growth must be between 2 and 1048576, got 1"),
        ({"growth": 2.0}, Reason.WRONG_TYPE, "growth must be an integer, got 2.0"),
    ],
)
def test_bad_stages_are_refused_before_any_access(
    options: dict[str, Any], reason: Reason, message: str
) -> None:
    """Stages start at k or later and at least double; otherwise nothing is read."""
    source, field = StoredList((1, 2, 3)), ServedNoise((0, 0, 0), GUMBEL)
    assert refusal(lambda: multi_stage(source, field, 2, GUMBEL, 3, **options)) == (reason, message)
    assert source.ledger == Ledger()


@settings(max_examples=50)
@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3).map(tuple))
def test_refusals_do_not_depend_on_the_scores(histogram: Histogram) -> None:
    """With k = 4 of three items the refusal is the same for all scores."""
    field = ServedNoise((0, 0, 0), GUMBEL)
    assert refusal(lambda: two_phase(StoredList(histogram), field, 4, fixed_prefix(1))) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )


CASES: dict[str, tuple[Algorithm, Histogram, int]] = {
    "fixed, shorter than k": (fixed(1), (3, 1, 0, 2), 2),
    "fixed": (fixed(2), (3, 1, 0, 2), 2),
    "fixed, k = m - 1": (fixed(3), (3, 1, 0, 2), 3),
    "adaptive": (adaptive, (3, 1, 0, 2), 2),
    "adaptive, k = m - 1": (adaptive, (3, 1, 0, 2), 3),
    "stages with a tiny first one": (stages(1, 2, 8), (4, 3, 3, 2, 1, 0, 0, 0), 1),
    "stages, k = 2": (stages(2, 2, 5), (3, 1, 0, 2, 2), 2),
    "stages on equal scores": (stages(1, 2, 4), (1, 1, 1, 1), 1),
}


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize(("algorithm", "histogram", "k"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_set_has_the_exact_law(
    algorithm: Algorithm, histogram: Histogram, k: int, noise: Noise
) -> None:
    """With noise drawn on demand the set has the law of Algorithm 2.

    Null hypothesis: the exact set law at epsilon 0.5; n = 20,000, false alarms 1e-9; a law
    with sum (p - q)^2/q >= 0.0053 is found with power 0.99.
    """
    tape, m = seeded_tape(3000), len(histogram)
    drawn = [
        algorithm(StoredList(histogram), LazyNoise(m, noise, tape), k, noise).items
        for _ in range(DRAWS)
    ]
    is_gumbel = isinstance(noise, Gumbel)
    law = (
        set_law(float_weights(histogram, 0.5), k)
        if is_gumbel
        else laplace_set_law(histogram, k, 0.5)
    )
    assert fits(drawn, law, DRAWS, DEFECT)


@pytest.mark.slow
def test_peeking_rule_is_rejected() -> None:
    """The control: a rule that stops when a hidden noise is small breaks the law.

    m = 2, k = 1 on equal scores: phase one ends early only if the noise of item 2, drawn
    beforehand, is below its median; then it is drawn again.
    """
    tape = seeded_tape(4000)

    def peeking() -> frozenset[Item]:
        first, hidden = (GUMBEL.quantile(float(tape.uniform())) for _ in range(2))
        if hidden < GUMBEL.quantile(0.5):
            field: NoiseField = LazyNoise(2, GUMBEL, tape)
            return two_phase(StoredList((0, 0)), field, 1, fixed_prefix(1)).items
        field = ServedNoise((first, hidden), GUMBEL)
        return two_phase(StoredList((0, 0)), field, 1, fixed_prefix(2)).items

    assert not fits(
        [peeking() for _ in range(DRAWS)], {frozenset({1}): 0.5, frozenset({2}): 0.5}, DRAWS, DEFECT
    )


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_candidates_on_equal_scores_have_the_exact_law(noise: Noise) -> None:
    """On equal scores the number of candidates is beta-binomial with mean (m - r) k/(r + 1).

    Null hypothesis: N ~ BetaBinomial(m - r, k, r - k + 1), here m = 9, r = 4, k = 2; n =
    20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.0053 is found with power 0.99.
    """
    tape, law = seeded_tape(5000), stats.betabinom(5, 2, 3)
    drawn = [
        two_phase(StoredList([1] * 9), LazyNoise(9, noise, tape), 2, fixed_prefix(4)).candidates
        for _ in range(DRAWS)
    ]
    assert law.mean() == pytest.approx((9 - 4) * 2 / (4 + 1))
    assert fits(drawn, {n: float(law.pmf(n)) for n in range(6)}, DRAWS, DEFECT)
