"""The catalogue of wrong subjects, and the right ones that they deviate from."""

import math
from collections import Counter
from itertools import combinations

import pytest

from privtopk.conformance.mutants.catalogue import HOSTILE_MODULES, MUTANTS
from privtopk.conformance.mutants.mutant import HOSTILE, Mutant, erratum
from privtopk.conformance.mutants.right.bases import (
    RIGHT,
    address_of,
    right_index,
    right_lock,
    right_names,
    right_noise_list,
    right_noise_sampler,
    right_online_list,
    right_optimist,
    right_order_statistics,
    right_random_scan,
    right_rows,
    right_scan,
    right_snapshot,
    right_source,
    right_tape,
    right_threshold,
    right_two_phase,
)
from privtopk.conformance.requirements.registry import requirement_of
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.kinds import Kind, abilities_of
from privtopk.conformance.subjects.loading import load
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores, SparseScoreList
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.noise.distributions import NoiseKind

SELECTORS = (right_scan, right_random_scan, right_tape, right_threshold, right_two_phase)
SCORES = (3, 1, 0, 2, 0)
HARMFUL = {module.__name__ for module in HOSTILE_MODULES}
WRONG_SELECTORS = [
    mutant for mutant in MUTANTS if mutant.kind is Kind.SELECTOR and mutant.module not in HARMFUL
]


def select(subject: object, question: Question, scores: tuple[int, ...] = SCORES) -> list[int]:
    """Return what a subject selects from a small histogram."""
    doors, _ = open_doors(ListedScores(scores, seed=1))
    return list(subject.select(doors, question))  # type: ignore[attr-defined]


def test_there_are_many_mutants() -> None:
    """The catalogue has at least 150 mutants."""
    assert len(MUTANTS) >= 150


def test_names_differ() -> None:
    """No two mutants have the same name."""
    assert [name for name, n in Counter(m.name for m in MUTANTS).items() if n > 1] == []


def test_bugs_differ() -> None:
    """No two mutants have the same bug, and each is one sentence."""
    assert [bug for bug, n in Counter(m.bug for m in MUTANTS).items() if n > 1] == []
    assert [m.bug for m in MUTANTS if not m.bug.endswith(".")] == []


def test_every_kind_is_there() -> None:
    """Every kind of subject has at least ten mutants."""
    counts = Counter(m.kind for m in MUTANTS)
    assert {kind for kind in Kind if counts[kind] < 10} == set()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_address_loads(mutant: Mutant) -> None:
    """An address leads to a subject of the kind that the catalogue says."""
    assert abilities_of(load(mutant.address)).kind is mutant.kind


def test_every_killer_is_a_requirement_of_its_kind() -> None:
    """The killer of a mutant is a requirement of its kind."""
    assert [m.name for m in MUTANTS if requirement_of(m.killer).kind is not m.kind] == []


def test_origins_are_known() -> None:
    """An origin is an erratum or one of four words."""
    errata = {erratum(n) for n in range(1, 34)}
    assert {m.origin for m in MUTANTS} - errata == {"peer", "usual slip", "privacy bug", HOSTILE}


@pytest.mark.parametrize("name", RIGHT)
def test_every_right_subject_loads(name: str) -> None:
    """The addresses of the right subjects load."""
    assert load(address_of(name)) is not None


@pytest.mark.parametrize("mutant", WRONG_SELECTORS, ids=lambda mutant: mutant.name)
def test_wrong_selectors_answer(mutant: Mutant) -> None:
    """A wrong selector that is not hostile answers an ordinary question."""
    subject = load(mutant.address)
    answers = [select(subject, Question(2, 2.0, noise=noise)) for noise in NoiseKind]
    assert all(answers)


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize("subject", SELECTORS)
def test_right_selectors_prefer_the_best(subject: object, noise: NoiseKind) -> None:
    """With a large budget the right selectors return the true top k, by number."""
    assert select(subject, Question(2, 400.0, noise=noise)) == [1, 4]


@pytest.mark.parametrize("subject", SELECTORS)
def test_right_selectors_rank_best_first(subject: object) -> None:
    """With a large budget a ranked list is that of the scores."""
    assert select(subject, Question(3, 600.0, is_ranked=True)) == [1, 4, 2]


@pytest.mark.parametrize("subject", SELECTORS)
def test_right_selectors_can_select_any_pair(subject: object) -> None:
    """With a small budget every pair of five items turns up in 600 runs.

    A pair is missing with a probability of about 0.9^600 < 10^-27.
    """
    pairs = {tuple(select(subject, Question(2, 0.01))) for _ in range(600)}
    assert pairs == set(combinations(range(1, 6), 2))


@pytest.mark.parametrize("subject", SELECTORS)
def test_right_selectors_refuse_before_they_read(subject: object) -> None:
    """An invalid question is refused before any access."""
    doors, meter = open_doors(ListedScores(SCORES))
    with pytest.raises(SelectionError) as refusal:
        subject.select(doors, Question(6, 1.0))  # type: ignore[attr-defined]
    assert (refusal.value.reason, meter.round_trips) == (Reason.K_OUT_OF_RANGE, 0)


@pytest.mark.parametrize("subject", SELECTORS)
def test_right_selectors_refuse_a_ranking_under_laplace_noise(subject: object) -> None:
    """A ranked list under Laplace noise is refused, because Laplace noise protects the set only."""
    with pytest.raises(SelectionError) as refusal:
        select(subject, Question(2, 1.0, noise=NoiseKind.LAPLACE, is_ranked=True))
    assert refusal.value.reason is Reason.RANKED_LAPLACE


def test_right_threshold_selector_works_on_a_huge_domain() -> None:
    """A leader far ahead of 2^60 items is found in a few rounds."""
    doors, meter = open_doors(SparseScoreList(2**60, {5: 200}))
    assert (right_threshold.select(doors, Question(1, 1.0)), meter.accesses <= 8) == ([5], True)


def test_right_threshold_selector_follows_served_noise() -> None:
    """With the noise served, the answer is the top k of the sums."""
    scores, _ = open_doors(ListedScores(SCORES))
    noises, _ = open_doors(ListedScores((0.25, -1.0, 2.5, 0.0, 2.0)))
    assert right_threshold.select_with_noise(scores, noises, Question(2, 1.0)) == [1, 3]


def test_right_tape_selector_is_a_function_of_its_tape() -> None:
    """With coins that favour item 2, the selector returns it."""
    coins = iter((0.1, 0.1, 1 - 2**-50, 0.1, 0.1))
    scores, _ = open_doors(ListedScores(SCORES))
    selected = right_tape.select_with_uniforms(scores, lambda: next(coins), Question(1, 1.0))
    assert selected == [2]


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize(("subject", "m"), [(right_noise_list, 2**60), (right_online_list, 2**20)])
def test_right_lists_agree_with_themselves(subject: type, m: int, noise: NoiseKind) -> None:
    """Sorted access descends, and both doors give an item the same noise."""
    noises = subject(m, 2.0, noise)
    noises.random_access(7)
    entries = [noises.sorted_access() for _ in range(50)]
    values = [value for _, value in entries]
    assert values == sorted(values, reverse=True)
    assert [noises.random_access(item) for item, _ in entries] == values


def test_right_lists_end() -> None:
    """After m deliveries every item was delivered once, and the next is refused."""
    noises = right_noise_list(20, 1.0, NoiseKind.GUMBEL)
    assert sorted(noises.sorted_access()[0] for _ in range(20)) == list(range(1, 21))
    with pytest.raises(SelectionError, match="all m=20 items have been delivered"):
        noises.sorted_access()


@pytest.mark.parametrize("m", [4, 2**50])
def test_right_order_statistics_descend(m: int) -> None:
    """Values at ascending positions descend, in whatever order they were asked for."""
    noises = right_order_statistics(m, 2.0, NoiseKind.LAPLACE)
    asked = {j: noises.value(j) for j in (3, 1, m, 2)}
    values = [asked[j] for j in sorted(asked)]
    assert values == sorted(values, reverse=True)
    assert noises.value(3) == asked[3]


def test_right_order_statistics_have_the_right_median() -> None:
    """The largest of 2^40 Gumbel noises exceeds its median, 28.09, in half of 400 lists.

    The count is Binomial(400, 1/2); a deviation of 60 has probability 2e-9.
    """
    m = 2**40
    median = -math.log(math.log(2) / m)
    above = 0
    for _ in range(400):
        noises = right_order_statistics(m, 1.0, NoiseKind.GUMBEL)
        noises.value(m // 2)
        above += noises.value(1) > median
    assert abs(above - 200) < 60


def test_right_sampler_returns_fresh_values() -> None:
    """A sampler returns the requested number of distinct values, on both sides of 0."""
    values = right_noise_sampler(0.5, NoiseKind.LAPLACE, 1000)
    assert len(set(values)) == 1000
    assert min(values) < 0 < max(values)


def test_right_index_finds_neighbours() -> None:
    """Predecessor and successor are strict."""
    index = right_index(2**40)
    for key in (5, 2**39, 0, 5):
        index.insert(key)
    assert [index.predecessor(0), index.predecessor(5), index.predecessor(6)] == [None, 0, 5]
    assert [index.successor(5), index.successor(2**39)] == [2**39, None]
    assert (5 in index, 6 in index) == (True, False)


def test_right_source_pages_through_the_list() -> None:
    """Pages cover the sorted list, and scores come in the order asked for."""
    source = right_source(SCORES)
    assert [*source.top(1, 2), *source.top(3, 9)] == [(1, 3), (4, 2), (2, 1), (3, 0), (5, 0)]
    assert source.scores([5, 1, 1]) == [0, 3, 3]


def test_right_rows_are_filled_up() -> None:
    """Items without a row come after those with one, also if a row has score 0."""
    source = right_rows(SCORES)
    assert source.rows == {1: 3, 2: 1, 3: 0, 4: 2, 5: 0}
    sparse = right_rows((0, 0, 0, 4))
    assert (sparse.rows, sparse.scores([2, 4])) == ({1: 0, 3: 0, 4: 4}, [0, 4])
    assert [*sparse.top(1, 2), *sparse.top(3, 9)] == [(4, 4), (1, 0), (3, 0), (2, 0)]


def test_right_snapshot_does_not_see_other_writers() -> None:
    """A snapshot shows the scores at the time of opening until it is closed."""
    source = right_snapshot((1, 0))
    source.rewrite((0, 2))
    assert (source.top(1, 1), source.scores([2]), source.live.scores([2])) == ([(1, 1)], [0], [2])


def test_right_optimist_refuses_at_the_end() -> None:
    """The optimistic source raises when it is closed, if it was written to since it was opened."""
    source = right_optimist((1, 0))
    source.close()
    source.rewrite((1, 0))
    with pytest.raises(SelectionError) as refusal:
        source.close()
    assert refusal.value.reason is Reason.CHANGED_SOURCE


def test_right_lock_keeps_writers_out() -> None:
    """A locked source stores nothing while it is open."""
    source = right_lock((1, 0))
    assert (source.rewrite((0, 2)), source.scores([1, 2])) == (False, [1, 0])


def test_right_names_are_kept() -> None:
    """Items have their given names, or else their numbers as text."""
    assert [right_names((1, 0)).name(item) for item in (1, 2)] == ["item 1", "item 2"]
    source = right_names.named(["a", "A"], (1, 0))
    assert ([source.name(1), source.name(2)], source.scores([2, 1])) == (["a", "A"], [0, 1])


def test_every_new_requirement_on_sources_has_many_mutants() -> None:
    """Snapshots, items without votes and names have at least four mutants each."""
    killers = Counter(mutant.killer for mutant in MUTANTS)
    wanted = ("source.snapshot", "source.sparse", "source.names", "source.given-names")
    assert [name for name in wanted if killers[name] < 4] == []
