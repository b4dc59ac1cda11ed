"""Facts about the answers of a source: which of them fit one state."""

from typing import Any

import pytest

from privtopk.conformance.evidence.trial import Experiment, Trial, ViolationError
from privtopk.conformance.requirements.source.states import (
    ItemQuery,
    QueryLog,
    RankQuery,
    is_one_state,
    labelled_answers,
)
from privtopk.conformance.subjects.calls import Caller, SubjectError
from privtopk.conformance.subjects.kinds import Abilities
from privtopk.conformance.subjects.subject import Subject

H = (5, 3, 3, 0)


@pytest.mark.parametrize(
    "transcript",
    [
        [],
        [(RankQuery(1, 2), [(1, 5), (2, 3)]), (RankQuery(3, 2), [(3, 3), (4, 0)])],
        [
            (RankQuery(1, 2), [(1, 5), (3, 3)]),
            (RankQuery(2, 1), [(3, 3)]),
            (RankQuery(3, 1), [(2, 3)]),
        ],
        [(RankQuery(3, 9), [(2, 3), (4, 0)]), (ItemQuery((4, 1, 1)), [0, 5, 5])],
    ],
)
def test_one_state(transcript: QueryLog) -> None:
    """Ties may come in any order, as long as it is always the same."""
    assert is_one_state(transcript, H)


@pytest.mark.parametrize(
    "transcript",
    [
        [(ItemQuery((1,)), [4])],
        [(ItemQuery((1, 2)), [5])],
        [(RankQuery(1, 1), [(2, 5)])],
        [(RankQuery(1, 1), [(2, 3)])],
        [(RankQuery(1, 2), [(1, 5)])],
        [(RankQuery(2, 1), [(2, 3), (3, 3)])],
        [(RankQuery(2, 1), [(9, 3)])],
        [(RankQuery(4, 1), [(0, 0)])],
        [(RankQuery(2, 2), [(2, 3), (2, 3)])],
        [(RankQuery(2, 1), [(2, 3)]), (RankQuery(3, 1), [(2, 3)])],
        [(RankQuery(2, 1), [(2, 3)]), (RankQuery(2, 1), [(3, 3)])],
    ],
)
def test_no_state(transcript: QueryLog) -> None:
    """Wrong scores, missing entries, unknown items and changing ranks fit no state."""
    assert not is_one_state(transcript, H)


def test_answers_are_reported_with_the_state_that_they_are_of() -> None:
    """Each answer is labelled old, new, both or neither; a long one is cut."""
    transcript: QueryLog = [
        (RankQuery(1, 1), [(1, 5)]),
        (ItemQuery((2, 1)), [3, 6]),
        (ItemQuery((4,)), [0]),
        (ItemQuery((4,)), [1]),
        (ItemQuery((1,) * 12), [5] * 12),
    ]
    assert labelled_answers(transcript, H, (6, 3, 3, 0)) == (
        "top(1, 1) = [(1, 5)] is old; scores([2, 1]) = [3, 6] is new; scores([4]) = [0] is both; "
        "scores([4]) = [1] is neither; scores(...) = [5, 5, ...] is old"
    )


class Given:
    """Returns given answers."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def top(self, start: int, count: int) -> Any:
        """Answer."""
        return self._answer()

    def scores(self, items: Any) -> Any:
        """Answer."""
        return self._answer()


TRIAL = Trial(Subject(None, Abilities()), Experiment("", 1), 1, None, Caller(1.0))  # type: ignore[arg-type]


@pytest.mark.parametrize("asked", [RankQuery(1, 1), ItemQuery((1,))])
@pytest.mark.parametrize("answer", [[2.5], [(1, 2.5)], [(1, 2, 3)], ["a"], [None]])
def test_what_is_not_made_of_numbers_is_no_refusal(asked: Any, answer: Any) -> None:
    """An answer that cannot be read is a breach, not an error of the source's own."""
    with pytest.raises(ViolationError, match=r"^an answer must consist of whole numbers: "):
        asked.ask(TRIAL, Given(lambda: answer))


@pytest.mark.parametrize("asked", [RankQuery(1, 1), ItemQuery((1,))])
def test_what_a_source_raises_is_its_own(asked: Any) -> None:
    """An error of the source is distinguished from a wrong answer."""

    def refuse() -> Any:
        raise ValueError("changed")

    with pytest.raises(SubjectError, match=r"^raised ValueError: changed$"):
        asked.ask(TRIAL, Given(refuse))
