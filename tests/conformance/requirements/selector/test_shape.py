"""Facts about the shape of answers and about refusals, and how wrong subjects are found."""

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from conformance.support_selectors import Scan
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.shape import INVALID_QUESTIONS, Refusals, Shape
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import spec_selector
from privtopk.impl.subjects import batched, one_shot, online, rank_free, threshold

SHAPE, REFUSALS = Shape(), Refusals()
RIGHT = [batched, one_shot, threshold, online, rank_free, spec_selector, Scan()]


class FromZero(Scan):
    """Counts items from 0."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Return indices."""
        return [item - 1 for item in super().best(noisy, question)]


class OneShort(Scan):
    """Returns one item too few."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Return k - 1 items."""
        return super().best(noisy, question)[1:]


class WithScores(Scan):
    """Returns items with their noisy scores."""

    def best(self, noisy: dict[int, float], question: Question) -> Any:
        """Return pairs."""
        return [(item, noisy[item]) for item in super().best(noisy, question)]


class Peeking(Scan):
    """Returns an item that it has not read."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Read all items but the last, and make that one up."""
        last = scores.size
        items = range(1, last)
        return {**dict(zip(items, scores.values(items), strict=True)), last: 1e6}


class Twice(Scan):
    """Draws with replacement."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Return the best item k times."""
        return [max(noisy, key=lambda item: noisy[item])] * question.k


class Trusting(Scan):
    """Checks no question."""

    def checked_rate(self, question: Question, m: int) -> float:
        """Divide the budget without any check."""
        return 1.0


class Late(Scan):
    """Checks the question when everything is read."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Read first."""
        return super().read(scores)

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Read, then check."""
        self.read(scores)
        return super().select(scores, question)


class Chatty(Scan):
    """Counts its calls in the error, which so differs between two calls."""

    calls = 0

    def checked_rate(self, question: Question, m: int) -> float:
        """Count the call, and raise with the count."""
        self.calls += 1
        try:
            return super().checked_rate(question, m)
        except Exception as error:
            raise ValueError(f"call {self.calls}: {error}") from error


class Exiting(Scan):
    """Exits the process on an invalid question."""

    def checked_rate(self, question: Question, m: int) -> float:
        """Leave."""
        try:
            return super().checked_rate(question, m)
        except Exception as error:
            raise SystemExit(2) from error


@pytest.mark.parametrize("selector", RIGHT)
def test_a_right_selector_has_the_right_shape(selector: Any) -> None:
    """Every engine returns k different items that it has read."""
    case = run_case(selector, SHAPE, budget=0.25)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("selector", RIGHT)
def test_a_right_selector_refuses(selector: Any) -> None:
    """Every engine refuses invalid questions before it reads."""
    case = run_case(selector, REFUSALS)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (FromZero(), "items must lie between 1 and m=1, got 0"),
        (OneShort(), "must return k=1 items, got 0 (m=1)"),
        (WithScores(), "items must be integers, got tuple"),
        (Twice(), "must return different items, got 2, 2"),
        (Peeking(), "returned item 1 of m=1 without reading its score"),
        (lambda scores, question: None, "must return a sequence of items, got NoneType"),
        (
            lambda scores, question: 1 // 0,
            "the subject raised ZeroDivisionError: integer division or modulo by zero",
        ),
    ],
)
def test_a_malformed_answer_is_reported(selector: Any, message: str) -> None:
    """A selector that answers with anything but k different items that it has read fails."""
    case = run_case(selector, SHAPE)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message == message


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (Trusting(), "k=0 was accepted; it must be refused"),
        (Late(), "k=0 was refused only after 5 accesses"),
        (Chatty(), "k=0: the error depends on the scores"),
        (Exiting(), "the subject raised SystemExit: 2"),
    ],
)
def test_a_bad_refusal_is_reported(selector: Any, message: str) -> None:
    """Accepting an invalid question, reading first, errors that vary and exits are breaches."""
    case = run_case(selector, REFUSALS)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("name", INVALID_QUESTIONS)
def test_every_bad_question_is_asked(name: str) -> None:
    """A selector that accepts one invalid question is found by that question."""

    class Lenient(Scan):
        """Accepts one invalid question."""

        def select(self, scores: Doors, question: Question) -> Sequence[int]:
            """Answer the bad question and no other."""
            changes = INVALID_QUESTIONS[name]
            if all(_same(getattr(question, key), value) for key, value in changes.items()):
                return [1]
            return super().select(scores, question)

    case = run_case(Lenient(), REFUSALS)
    message = f"{name} was accepted; it must be refused"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))
