"""Facts about the private threshold algorithm on all three kinds of noise list."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.algorithms.one_shot import one_shot_ranked, one_shot_set, select_with
from privtopk.spec.algorithms.private_threshold import noise_list, private_threshold
from privtopk.spec.algorithms.threshold import Reading
from privtopk.spec.laws.gumbel import float_weights, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger, StoredList
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import Tape, seeded_tape, tape_of
from privtopk.spec.model.values import Histogram, exact_sum, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.online_oracle import OnlineOracle
from privtopk.spec.noise.rank_free import RankFreeOracle
from support import fits, refusal

Source = Callable[[int, Noise, Tape], DualAccess]

SOURCES: dict[str, Source] = {
    "list": lambda m, noise, tape: noise_list(noise, m, tape),
    "online": OnlineOracle,
    "rank-free": RankFreeOracle,
}
"""The three kinds of noise list."""

DRAWS = 20_000
DEFECT = 0.0053
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""


@st.composite
def problems(draw: st.DrawFn) -> tuple[Histogram, tuple[float, ...], int]:
    """Draw a histogram, distinct noises and k."""
    m = draw(st.integers(1, 7))
    histogram = draw(st.lists(st.integers(0, 4), min_size=m, max_size=m))
    steps = draw(st.lists(st.integers(-200, 200), min_size=m, max_size=m, unique=True))
    # Multiples of 1/64 add exactly, and their fractional parts make ties impossible.
    noises = tuple(step / 8 + i / 64 for i, step in enumerate(steps))
    return tuple(histogram), noises, draw(st.integers(1, m))


@settings(max_examples=50)
@given(problems(), st.sampled_from(Reading))
def test_served_noise_gives_the_one_shot_ranking(
    problem: tuple[Histogram, tuple[float, ...], int], reading: Reading
) -> None:
    """With the same noise the run selects the items of the full scan, in its order."""
    histogram, noises, k = problem
    run = private_threshold(StoredList(histogram), StoredList(noises), k, reading)
    assert tuple(entry.item for entry in run.selected) == select_with(histogram, noises, k)


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_same_tape_gives_the_one_shot_ranking(seed: int, k: int) -> None:
    """A noise list from a tape gives the ranking of Algorithm 2 from the same tape."""
    histogram, noise = (4, 0, 3, 3, 1, 2), Gumbel(0.5)
    noises = noise_list(noise, 6, seeded_tape(seed))
    run = private_threshold(StoredList(histogram), noises, k)
    assert tuple(entry.item for entry in run.selected) == one_shot_ranked(
        histogram, k, noise, seeded_tape(seed)
    )


def test_noise_list_reads_one_uniform_per_item() -> None:
    """Item i has the noise of the i-th uniform, and the list is sorted."""
    noise = Laplace(2)
    drawn = noise_list(noise, 3, tape_of(0.2, 0.9, 0.6))
    entries = [drawn.sorted_access() for _ in range(3)]
    assert [entry.item for entry in entries] == [2, 3, 1]
    assert [float(entry.value) for entry in entries] == pytest.approx(
        [noise.quantile(u) for u in (0.9, 0.6, 0.2)], rel=1e-14
    )


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_all_items_are_selected_when_k_is_m(source: Source, noise: Noise) -> None:
    """For k = m the set is the domain, for all noise."""
    run = private_threshold(StoredList((0, 5, 2, 2)), source(4, noise, seeded_tape(1)), 4)
    assert run.items == frozenset(items_of(4))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_single_item_is_selected(source: Source) -> None:
    """For m = 1 there is one outcome, after one round."""
    run = private_threshold(StoredList((3,)), source(1, Gumbel(1), seeded_tape(1)), 1)
    assert (run.items, run.rounds) == (frozenset({1}), 1)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_run_replays(source: Source, noise: Noise) -> None:
    """The same tape gives the same run and the same accesses to both lists."""

    def replayed() -> tuple[object, Ledger, Ledger]:
        scores, noises = StoredList((4, 0, 3, 3)), source(4, noise, seeded_tape(17))
        return private_threshold(scores, noises, 2), scores.ledger, noises.ledger

    assert replayed() == replayed()


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_score_list_is_read_twice_per_round(source: Source) -> None:
    """A run of R rounds makes R sorted and R random accesses to either list."""
    scores, noises = StoredList(tuple(range(40))), source(40, Gumbel(0.1), seeded_tape(2))
    rounds = private_threshold(scores, noises, 3).rounds
    assert [
        (ledger.count(Door.SORTED), ledger.count(Door.RANDOM))
        for ledger in (scores.ledger, noises.ledger)
    ] == [(rounds, rounds)] * 2


@pytest.mark.parametrize(("reading", "factor"), [(Reading.LITERAL, 3), (Reading.SKIP_DELIVERED, 2)])
def test_reading_decides_what_a_round_costs(reading: Reading, factor: int) -> None:
    """As printed, a round costs three accesses to the scores; without the repeated one, two."""
    scores, noises = StoredList(range(40)), noise_list(Gumbel(0.1), 40, seeded_tape(2))
    run = private_threshold(scores, noises, 3, reading)
    assert scores.ledger.cost == factor * run.rounds


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_selected_scores_are_score_plus_noise(source: Source) -> None:
    """Every selected entry has the score plus the noise of its item."""
    histogram = (4, 0, 3, 3, 1)
    noises = source(5, Laplace(0.7), seeded_tape(8))
    run = private_threshold(StoredList(histogram), noises, 3)
    assert run.selected == tuple(
        Entry(
            entry.item,
            exact_sum((histogram[entry.item - 1], noises.random_access(entry.item))),
        )
        for entry in run.selected
    )


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(
    ("k", "reason", "message"),
    [
        (0, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=2, got 0"),
        (3, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=2, got 3"),
        (True, Reason.WRONG_TYPE, "k must be an integer, got True"),
        (1.0, Reason.WRONG_TYPE, "k must be an integer, got 1.0"),
    ],
)
def test_bad_k_is_refused_before_any_access(
    source: Source, k: Any, reason: Reason, message: str
) -> None:
    """k lies between 1 and m; otherwise neither list is read."""
    scores, noises = StoredList((1, 2)), source(2, Gumbel(1), seeded_tape(1))
    assert refusal(lambda: private_threshold(scores, noises, k)) == (reason, message)
    assert (scores.ledger, noises.ledger) == (Ledger(), Ledger())


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_noise_of_another_size_is_refused_before_any_access(source: Source) -> None:
    """Scores and noise have one domain; otherwise neither list is read."""
    scores, noises = StoredList((1, 2)), source(3, Gumbel(1), seeded_tape(1))
    assert refusal(lambda: private_threshold(scores, noises, 1)) == (
        Reason.DIFFERENT_DOMAINS,
        "the lists must have one common domain, got sizes [2, 3]",
    )
    assert (scores.ledger, noises.ledger) == (Ledger(), Ledger())


@pytest.mark.parametrize("m", [0, -1])
def test_empty_noise_list_is_refused(m: int) -> None:
    """A noise list has at least one item; otherwise no uniform is read."""
    assert refusal(lambda: noise_list(Gumbel(1), m, tape_of())) == (
        Reason.EMPTY_DOMAIN,
        f"m must be at least 1, got {m}",
    )


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_noise_list_of_another_type_of_size_is_refused(m: Any) -> None:
    """The size of a noise list is an integer."""
    assert refusal(lambda: noise_list(Gumbel(1), m, tape_of())) == (
        Reason.WRONG_TYPE,
        f"m must be an integer, got {m!r}",
    )


def test_noise_list_needs_m_uniforms() -> None:
    """A tape with fewer uniforms is refused."""
    assert refusal(lambda: noise_list(Gumbel(1), 3, tape_of(0.5, 0.5))) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )


@settings(max_examples=50)
@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3).map(tuple))
def test_refusals_do_not_depend_on_the_scores(histogram: Histogram) -> None:
    """With k = 4 of three items the refusal is the same for all scores."""
    noises = StoredList((1, 2, 3))
    assert refusal(lambda: private_threshold(StoredList(histogram), noises, 4)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(("histogram", "k"), [((3, 1, 0, 2), 2), ((3, 1, 0, 2), 3), ((2, 0), 1)])
def test_gumbel_set_has_the_exact_law(source: Source, histogram: Histogram, k: int) -> None:
    """With Gumbel(2) noise the set has the law of Algorithm 2; k = m - 1 is among the cases.

    Null hypothesis: the exact set law at epsilon 0.5; n = 20,000, false alarms 1e-9; a law
    with sum (p - q)^2/q >= 0.0053 is found with power 0.99, epsilon 0.6 among them.
    """
    tape, m = seeded_tape(1000 + k), len(histogram)
    drawn = [
        private_threshold(StoredList(histogram), source(m, Gumbel(0.5), tape), k).items
        for _ in range(DRAWS)
    ]
    assert fits(drawn, set_law(float_weights(histogram, 0.5), k), DRAWS, DEFECT)
    assert not fits(drawn, set_law(float_weights(histogram, 0.6), k), DRAWS, DEFECT)


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_laplace_set_has_the_exact_law(source: Source) -> None:
    """With Laplace(2) noise the set has the law of Algorithm 2.

    Null hypothesis: the exact set law at epsilon 0.5; n = 20,000, false alarms 1e-9; a law
    with sum (p - q)^2/q >= 0.0053 is found with power 0.99, epsilon 0.6 among them.
    """
    tape, histogram, k = seeded_tape(2000), (3, 1, 0, 2), 2
    drawn = [
        private_threshold(StoredList(histogram), source(4, Laplace(0.5), tape), k).items
        for _ in range(DRAWS)
    ]
    assert fits(drawn, laplace_set_law(histogram, k, 0.5), DRAWS, DEFECT)
    assert not fits(drawn, laplace_set_law(histogram, k, 0.6), DRAWS, DEFECT)


def test_one_shot_is_the_same_set() -> None:
    """A run on the full list returns the set of Algorithm 2 from the same tape."""
    histogram, noise = (4, 0, 3, 3, 1, 2), Laplace(0.5)
    runs = [
        private_threshold(StoredList(histogram), noise_list(noise, 6, seeded_tape(s)), 2).items
        for s in range(50)
    ]
    assert runs == [one_shot_set(histogram, 2, noise, seeded_tape(s)) for s in range(50)]
