"""Facts about a subject as the requirements use it."""

import math
from collections.abc import Sequence

import pytest

from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.kinds import Kind, abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import spec_selector
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject

QUESTION = Question(1, 0.5)


class Fixed:
    """Always selects item 2, and declares its rate."""

    def __init__(self, rate: float = 0.25) -> None:
        self._rate = rate

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return item 2."""
        return [2]

    def rate(self, question: Question, m: int) -> float:
        """Return the rate."""
        return self._rate


def subject_of(thing: object) -> Subject:
    """Return an object as a subject."""
    return Subject(thing, abilities_of(thing))


def test_a_method_and_a_function_are_called_alike() -> None:
    """A selector is an object with `select`, or a function."""
    doors, _ = open_doors(ListedScores([1, 2]))
    assert subject_of(Fixed()).select(doors, QUESTION) == [2]
    assert subject_of(lambda scores, question: [scores.size]).select(doors, QUESTION) == [2]


class Shown:
    """Selects the best items of a whole histogram, and returns a few selections too many."""

    def __init__(self, surplus: int = 0) -> None:
        self._surplus = surplus

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> Sequence[Sequence[int]]:
        """Return the same selection every time."""
        best = sorted(range(1, len(histogram) + 1), key=lambda item: -histogram[item - 1])
        return [best[: question.k]] * (trials + self._surplus)


def test_a_sampler_takes_the_whole_histogram() -> None:
    """A selector without doors gets the scores by item; all of them count as read."""
    doors, meter = open_doors(ListedScores([1, 7, 2]))
    assert subject_of(Shown()).select(doors, QUESTION) == [2]
    assert meter.items == {1, 2, 3}


def test_a_sampler_makes_one_selection_per_trial() -> None:
    """A wrong number of selections is an error of the subject."""
    assert subject_of(Shown()).sample([0, 1], QUESTION, 3) == [[2], [2], [2]]
    with pytest.raises(ValueError, match=r"^sample must return 3 selections, got 4$"):
        subject_of(Shown(1)).sample([0, 1], QUESTION, 3)


def test_the_largest_rate_is_taken_for_granted() -> None:
    """A subject that declares no rate is taken to use the smallest noise that the budget allows."""
    assert subject_of(lambda scores, question: [1]).rate(Question(4, 2.0), 10) == 0.5


def test_a_declared_rate_is_believed() -> None:
    """A subject may add more noise, if it declares the rate."""
    assert subject_of(Fixed()).rate(QUESTION, 10) == 0.25


@pytest.mark.parametrize("rate", [0.0, -1.0, math.inf, math.nan])
def test_a_rate_is_positive_and_finite(rate: float) -> None:
    """The error about an invalid rate names the question."""
    with pytest.raises(ValueError, match=r"^rate must be positive and finite, got ") as caught:
        subject_of(Fixed(rate)).rate(QUESTION, 10)
    message = f"rate must be positive and finite, got {rate} for {QUESTION}"
    assert str(caught.value) == message


def test_a_subject_is_found_by_its_address() -> None:
    """In process, an address leads to the object, with its own kind or that of the caller."""
    address = "python:privtopk.conformance.subjects.reference:spec_selector"
    found = subject_at(address, is_in_process=True)
    assert found == Subject(spec_selector, abilities_of(spec_selector))
    assert subject_at(address, Kind.SOURCE, is_in_process=True).abilities.kind is Kind.SOURCE
