"""The stored rows of one snapshot, as every database adapter offers them.

An adapter translates these four questions into its own language and nothing more; numbering,
items without a row, and the checks of what comes back are the same for all of them.
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
    """Stored rows by column: items as the store calls them, and their scores as it sent them."""

    items: Sequence[Any]
    scores: Sequence[Any]


class Query(Protocol):
    """What can be asked of the rows of one snapshot."""

    def rewind(self) -> None:
        """Go back to the first row."""

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score, ties in one fixed order; fewer at the end."""

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items, in any order; nothing for items without a row."""

    def all(self) -> Rows:
        """Return all rows, in any order."""


def whole(scores: Sequence[Any]) -> Integers:
    """Return scores as a store sent them as integers, or refuse them; no message tells one."""
    numbers = np.asarray(scores if len(scores) else np.empty(0, dtype=np.int64))
    if np.ma.is_masked(scores) or (numbers.dtype.kind == "O" and None in numbers):
        raise SelectionError(Reason.MISSING_SCORE, "no score may be NULL")
    if numbers.dtype.kind == "O":
        return unboxed(numbers.tolist())
    if numbers.dtype.kind == "f":
        if not bool(np.all(np.isfinite(numbers) & (numbers == np.floor(numbers)))):
            raise fractional()
        require_range(numbers.min(), numbers.max())
    elif numbers.dtype.kind not in "iu":
        raise fractional()
    return numbers.astype(np.int64, copy=False)


def unboxed(scores: list[Any]) -> Integers:
    """Return Python's own numbers, decimal ones among them, as integers."""
    try:
        numbers = [int(score) for score in scores]
        is_whole = numbers == scores
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole:
        raise fractional()
    require_range(min(numbers), max(numbers))
    return np.array(numbers, dtype=np.int64)


def fractional() -> SelectionError:
    """Return the error of a score that is not a whole number."""
    return SelectionError(Reason.WRONG_TYPE, "every score must be a whole number")


def twice() -> SelectionError:
    """Return the error of an item with two rows."""
    return SelectionError(Reason.DUPLICATE_ITEM, "an item has more than one row")
