"""The stored rows of one snapshot, in the form that every database adapter delivers.

An adapter translates the four methods of `Query` into its own language and does nothing else.
Numbering items, adding items without a row, and checking the rows is the same for all databases.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import require_range
from privtopk.spec.model.errors import Reason, SelectionError


@dataclass(frozen=True, slots=True)
class Rows:
    """Stored rows by column: items in the store's own spelling, and scores as the store sent them.

    The two columns have the same length.
    """

    items: Sequence[Any]
    scores: Sequence[Any]


class Query(Protocol):
    """The queries that an adapter answers about one snapshot."""

    def rewind(self) -> None:
        """Go back to the first row."""

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score, ties in one fixed order; fewer at the end."""

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items, in any order; items without a row are left out."""

    def all(self) -> Rows:
        """Return all rows, in any order."""


def by_column(pairs: Sequence[Sequence[Any]]) -> Rows:
    """Return pairs of item and score as two columns."""
    return Rows(*zip(*pairs, strict=True)) if pairs else Rows((), ())


def whole_scores(scores: Sequence[Any]) -> Integers:
    """Return the scores that a store sent as integers, or refuse them; no message shows a score."""
    numbers = np.asarray(scores if len(scores) else np.empty(0, dtype=np.int64))
    if np.ma.is_masked(scores) or (numbers.dtype.kind == "O" and None in numbers):
        raise SelectionError(Reason.MISSING_SCORE, "no score may be NULL")
    if numbers.dtype.kind == "O":
        return unbox_scores(numbers.tolist())
    if numbers.dtype.kind == "f":
        if not bool(np.all(np.isfinite(numbers) & (numbers == np.floor(numbers)))):
            raise fractional_score_error()
        require_range(numbers.min(), numbers.max())
    elif numbers.dtype.kind not in "iu":
        raise fractional_score_error()
    return numbers.astype(np.int64, copy=False)


def unbox_scores(scores: list[Any]) -> Integers:
    """Return Python's own numbers, `Decimal` included, as an array of integers."""
    try:
        numbers = [int(score) for score in scores]
        is_whole = numbers == scores
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole:
        raise fractional_score_error()
    require_range(min(numbers), max(numbers))
    return np.array(numbers, dtype=np.int64)


def fractional_score_error() -> SelectionError:
    """Return the error of a score that is not a whole number."""
    return SelectionError(Reason.WRONG_TYPE, "every score must be a whole number")


def duplicate_item_error() -> SelectionError:
    """Return the error of an item with two rows."""
    return SelectionError(Reason.DUPLICATE_ITEM, "an item has more than one row")
