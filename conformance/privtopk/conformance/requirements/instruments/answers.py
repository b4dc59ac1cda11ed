"""The form of a selector's answer, whatever its law: k different items of the domain."""

import operator
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.subjects.calls import describe_error
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores, ScoreList
from privtopk.spec.model.values import Histogram


def checked_items(answer: object, k: int, m: int) -> tuple[int, ...]:
    """Return the items of an answer; raise `ViolationError` if it is malformed."""
    if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
        raise ViolationError(f"must return a sequence of items, got {type(answer).__name__}")
    try:
        count, entries = len(answer), tuple(islice(answer, k + 1))
    except Exception as error:
        raise ViolationError(f"the answer cannot be read: {describe_error(error)}") from error
    items = tuple(_item(entry, m) for entry in entries)
    if count != k or len(items) != k:
        raise ViolationError(f"must return k={k} items, got {count} (m={m})")
    if len(set(items)) != k:
        raise ViolationError(f"must return different items, got {_items_text(items)}")
    return items


def _item(entry: object, m: int) -> int:
    if isinstance(entry, bool) or not hasattr(entry, "__index__"):
        raise ViolationError(f"items must be integers, got {type(entry).__name__}")
    try:
        item = operator.index(entry)
    except Exception as error:
        raise ViolationError(
            f"items must be integers, got {type(entry).__name__}: {describe_error(error)}"
        ) from error
    if not 1 <= item <= m:
        raise ViolationError(f"items must lie between 1 and m={m}, got {item}")
    return item


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
