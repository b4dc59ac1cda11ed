"""Facts about adapters that select k items by a library that selects one."""

import pytest

from conformance.support_flips import Weights
from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.output_law import RankedLaw, SetLaw
from privtopk.conformance.requirements.selector.privacy import PrivacyBudget, PrivacyLaw
from privtopk.conformance.requirements.selector.shape import Refusals
from privtopk.conformance.subjects.libraries.peeling import in_order_asked, peel
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.neighbours import Relation


def test_a_winner_is_taken_out() -> None:
    """Each choice is made among the remaining items."""
    seen_scores: list[list[int]] = []

    def second(scores: list[int]) -> int:
        seen_scores.append(list(scores))
        return 1

    assert peel((5, 7, 9, 1), 3, second) == [2, 3, 4]
    assert seen_scores == [[5, 7, 9, 1], [5, 9, 1], [5, 1]]


def test_only_a_ranking_keeps_the_order() -> None:
    """A set is listed by number, so that its order reveals nothing."""
    assert in_order_asked([4, 1], Question(2, 1.0, is_ranked=True)) == [4, 1]
    assert in_order_asked([4, 1], Question(2, 1.0)) == [1, 4]


def test_a_choice_gets_an_equal_share() -> None:
    """Epsilon is divided by k, and by 2 if one score may rise while another falls."""
    subject = Weights()
    assert subject.rate(Question(4, 2.0), 10) == 0.5
    assert subject.rate(Question(4, 2.0, relation=Relation.SWAP), 10) == 0.25
    assert subject.rate(Question(4, 2.0, relation=Relation.L_INFINITY), 10) == 0.25


def test_a_delta_is_declined() -> None:
    """A question that the library does not support is declined."""
    with pytest.raises(NotImplementedError, match=r"^the library takes no delta$"):
        Weights().sample((1, 2), Question(1, 1.0, 0.1), 1)


@pytest.mark.parametrize("k", [0, 3, 1.5])
def test_k_is_checked_where_the_library_has_none(k: int) -> None:
    """The adapter refuses a k that is not a whole number from 1 to m."""
    with pytest.raises(SelectionError, match="k must be"):
        Weights().sample((1, 2), Question(k, 1.0), 1)


@pytest.mark.parametrize("requirement", [SetLaw(), RankedLaw(), PrivacyLaw(), PrivacyBudget()])
def test_a_right_choice_has_the_law_of_noisy_scores(requirement: SetLaw) -> None:
    """k peels pass; a false alarm of one of them has probability at most 1.2e-7."""
    assert run_case(Weights(), requirement, budget=0.3).verdict is CaseVerdict.PASS


def test_a_wrong_weight_is_found() -> None:
    """An adapter that gives a vote twice the allowed weight fails."""
    assert run_case(Weights(2.0), SetLaw(), budget=4).verdict is CaseVerdict.FAIL


def test_a_choice_that_checks_nothing_is_found() -> None:
    """An adapter of a library that accepts any epsilon fails the requirement of refusals."""

    class Careless(Weights):
        """Takes any epsilon."""

        def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
            """Return the first place."""
            return 0

    case = run_case(Careless(), Refusals())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "epsilon=0 was accepted; it must be refused",
    )
