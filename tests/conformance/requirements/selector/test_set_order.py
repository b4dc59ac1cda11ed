"""Facts about `selector.set-order`."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.right import bases
from privtopk.conformance.mutants.selector import order
from privtopk.conformance.requirements.selector.set_order import SetOrder, distance
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.impl import subjects
from privtopk.impl.top_k import top_k
from privtopk.spec.noise.distributions import NoiseKind

WRONG = (
    order.SetByNoisyScore,
    order.LaplaceSetByNoisyScore,
    order.SetByTrueScore,
    order.SetWinnerLast,
    order.LongSetByTrueScore,
    order.SetByTrueScoreUnderSwaps,
    order.TiedSetAsRead,
    order.SetInHashOrder,
    order.SetReversedIfVotesAreOdd,
)


@pytest.mark.parametrize("name", ["batched", "rank_free", "one_shot", "threshold"])
def test_our_engines_list_a_set_by_the_set_only(name: str) -> None:
    """Engines that list a set by item pass. False alarms: at most 4 % of 1e-6."""
    case = run_case(getattr(subjects, name), SetOrder(), budget=0.25)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    "selector",
    [
        bases.right_scan,
        bases.right_reversed,
        bases.right_hashed,
        bases.right_shuffled,
        bases.right_alternating,
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_order_that_reveals_nothing_passes(selector: object) -> None:
    """A set may be listed upwards, downwards, by its hashes, shuffled, or in turns.

    Null: the order depends on the set only. False alarms: at most 4 % of 1e-6 per subject.
    """
    case = run_case(selector, SetOrder())
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("selector", WRONG, ids=lambda one: one.__name__)
def test_an_order_that_depends_on_more_than_the_set_fails(selector: type) -> None:
    """Each order that depends on scores, noise or places fails with the usual trials.

    Each dependence shows in at least 40 of the 96 trials of some experiment, which is more than
    evidence of 1/alpha needs (about 37 wins of 37 for a fair bit).
    """
    assert run_case(selector(), SetOrder()).verdict is CaseVerdict.FAIL


class FromMemory:
    """Scores in memory whose own order is that of the scores, best first, given to `top_k`."""

    noises = tuple(NoiseKind)

    def __init__(self, form: Callable[[dict[int, float]], Any]) -> None:
        self.form = form

    def select(self, scores: Doors, question: Question) -> Sequence[Any]:
        """Read everything, and select from it as a user of the library does."""
        source = self.form(dict(scores.top(scores.size)))
        return top_k(
            source,
            question.k,
            epsilon=question.epsilon,
            delta=question.delta,
            noise=question.noise,
            neighbours=question.relation,
            domain="public",
            ranked=False,
        ).items


def in_series(votes: dict[int, float]) -> Any:
    """Return what `value_counts` of pandas returns."""
    return pytest.importorskip("pandas").Series(votes)


def in_pandas(votes: dict[int, float]) -> Any:
    """Return a frame of pandas with the columns item and score."""
    columns = {"item": list(votes), "score": list(votes.values())}
    return pytest.importorskip("pandas").DataFrame(columns)


def in_polars(votes: dict[int, float]) -> Any:
    """Return the same as a frame of polars."""
    columns = {"item": list(votes), "score": list(votes.values())}
    return pytest.importorskip("polars").DataFrame(columns)


@pytest.mark.slow
@pytest.mark.parametrize("form", [dict, Counter, in_series, in_pandas, in_polars])
def test_a_source_that_is_sorted_by_score_passes(form: Callable[[dict[int, float]], Any]) -> None:
    """`Counter.most_common`, `value_counts` and sorted frames reveal no order of the scores."""
    case = run_case(FromMemory(form), SetOrder(), budget=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_the_report_names_the_order_of_the_scores() -> None:
    """The message about a list by score says what it looks like."""
    case = run_case(order.SetByTrueScore(), SetOrder())
    assert case.message.endswith(
        "; it looks like a list in the order of the scores or noisy scores"
    )


def test_every_noise_relation_and_delta_is_tried() -> None:
    """A selector with all abilities is asked with every noise, relation and kind of budget."""
    subject = Subject(bases.right_scan, abilities_of(bases.right_scan))
    asked = {one.setting.question for one in SetOrder().experiments(subject)}
    assert {(q.noise, q.relation, q.delta > 0) for q in asked} == {
        (noise, relation, is_approximate)
        for noise in NoiseKind
        for relation in subject.abilities.relations
        for is_approximate in (False, True)
    }


def test_an_ability_that_a_subject_lacks_is_not_asked_for() -> None:
    """A selector without Laplace noise and without a delta is asked neither."""

    class Plain:
        approximate = False
        largest = 6

        def select(self, scores: object, question: object) -> list[int]:
            return []

    subject = Subject(Plain(), abilities_of(Plain()))
    settings = [one.setting for one in SetOrder().experiments(subject)]
    assert {(s.question.noise, s.question.delta) for s in settings} == {(NoiseKind.GUMBEL, 0.0)}
    assert {s.m for s in settings} == {4, 5, 6}


def test_the_distance_counts_swaps_of_neighbours() -> None:
    """Kendall's distance of all orders of three items from 1, 2, 3."""
    assert [distance(one, (1, 2, 3)) for one in permutations((1, 2, 3))] == [0, 1, 1, 2, 2, 3]
