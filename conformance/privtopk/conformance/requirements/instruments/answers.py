"""The form of a selector's answer, whatever its law: k different items of the domain."""

from collections.abc import Iterator, Sequence
from typing import Final

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.subjects.answers import plain_items
from privtopk.conformance.subjects.calls import AnswerError
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores, ScoreList
from privtopk.spec.model.values import Histogram


def checked_items(answer: object, k: int, m: int) -> tuple[int, ...]:
    """Return the items of an answer; raise `ViolationError` if it is malformed."""
    try:
        items = plain_items(answer, k)
    except AnswerError as fault:
        raise ViolationError(str(fault)) from fault
    for item in items:
        if not 1 <= item <= m:
            raise ViolationError(f"items must lie between 1 and m={m}, got {item}")
    if len(items) != k:
        raise ViolationError(f"must return k={k} items, got {len(items)} (m={m})")
    if len(set(items)) != k:
        raise ViolationError(f"must return different items, got {_items_text(items)}")
    return tuple(items)


def _items_text(items: Sequence[int]) -> str:
    return ", ".join(map(str, items[:10])) + (", ..." if len(items) > 10 else "")


AT_ONCE: Final = 64
"""Number of selections per call of a sampler, within the time limit of one call."""


def select_from(
    trial: Trial, scores: ScoreList, question: Question
) -> tuple[tuple[int, ...], Meter]:
    """Let the subject select from a list, and return its items and the meter of its accesses."""
    doors, meter = open_doors(scores)
    answer = trial.call(trial.subject.select, doors, question)
    return checked_items(answer, question.k, scores.size), meter


def selections(trial: Trial, histogram: Histogram, question: Question) -> Iterator[tuple[int, ...]]:
    """Yield one selection from a histogram per trial, with ties in another order each time.

    A sampler makes many selections per call, so only the law of the selections may be tested.
    """
    k, m = question.k, len(histogram)
    if not trial.subject.abilities.is_sampler:
        for _ in range(trial.count):
            scores = ListedScores(histogram, trial.coins.getrandbits(32))
            yield select_from(trial, scores, question)[0]
        return
    for start in range(0, trial.count, AT_ONCE):
        count = min(AT_ONCE, trial.count - start)
        for answer in trial.call(trial.subject.sample, histogram, question, count):
            yield checked_items(answer, k, m)
