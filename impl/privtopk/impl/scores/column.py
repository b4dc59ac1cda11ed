"""Lists of scores and lists of items from a caller.

Of scores the shape, which is public, and the values are checked in separate steps, so that a wrong
k is refused before any score is read.
"""

from numbers import Integral
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_size

Numbers: TypeAlias = NDArray[Any]

DICTIONARY_KEYS: Final[type] = type({}.keys())
"""What has no repeated items by construction."""


def score_list(scores: ArrayLike) -> Numbers:
    """Return scores as one non-empty list of numbers; the values are not checked."""
    if np.ma.is_masked(scores):
        raise SelectionError(Reason.WRONG_TYPE, "no score may be missing")
    try:
        array = np.asarray(scores)
    except (TypeError, ValueError) as error:
        raise SelectionError(Reason.WRONG_TYPE, "scores must be one list of numbers") from error
    if array.ndim != 1 or array.dtype.kind not in "iufO":
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"scores must be one list of numbers, got {array.ndim} dimensions of {array.dtype}",
        )
    require_size(len(array))
    return array


def whole_scores(scores: ArrayLike) -> Integers:
    """Return scores as integers; raise if they are not counts from 0 to 2^53."""
    array = score_list(scores)
    if array.dtype.kind == "f" and isinstance(scores, list | tuple):
        array = np.array(scores, dtype=object)  # as doubles, 2^53 + 1 would become 2^53
    if array.dtype.kind == "O":
        array = integers_within_range(array)
    if array.dtype.kind == "f" and not bool(
        np.all(np.isfinite(array) & (array == np.floor(array)))
    ):
        raise SelectionError(Reason.WRONG_TYPE, "every score must be a whole number")
    if bool(array.min() < 0):
        raise SelectionError(Reason.NEGATIVE_SCORE, "no score may be negative")
    if bool(array.max() > LARGEST_SCORE):
        raise SelectionError(
            Reason.SCORE_OUT_OF_RANGE, f"no score may exceed 2^53 = {LARGEST_SCORE}"
        )
    return array.astype(np.int64, copy=False)


def integers_within_range(scores: Numbers) -> Integers:
    """Return Python numbers of any size as an array, clipped just outside the allowed range."""
    if not all(map(is_whole_number, scores)):
        raise SelectionError(Reason.WRONG_TYPE, "every score must be a whole number")
    return np.array([min(max(int(score), -1), LARGEST_SCORE + 1) for score in scores])


def is_whole_number(score: object) -> bool:
    """Return whether a score is an integer, or a float without a fraction; booleans are neither."""
    if isinstance(score, float):
        return score.is_integer()
    return isinstance(score, Integral) and not isinstance(score, bool)


def distinct_items(items: Any) -> Any:
    """Return items as a list of Python values; refuse a missing, a repeated or a mutable one.

    A pandas index that knows that it has no such items is returned as it is.
    """
    if is_clean_index(items):
        return items
    listed = plain_values(items)
    if not set(map(type, listed)) <= {int, str} and any(map(is_missing, listed)):
        raise SelectionError(Reason.UNKNOWN_ITEM, "no item may be missing: None, NaN or NaT")
    try:
        different = len(listed) if isinstance(items, DICTIONARY_KEYS) else len(set(listed))
    except TypeError:
        raise SelectionError(
            Reason.WRONG_TYPE,
            "every item must be hashable, such as a number, a text, a date or a tuple of these",
        ) from None
    if different != len(listed):
        raise SelectionError(
            Reason.DUPLICATE_ITEM,
            f"items must be distinct, got {len(listed)} items of which {different} differ",
        )
    return listed


def is_clean_index(items: Any) -> bool:
    """Return whether a pandas index, which remembers both, has neither gaps nor repetitions.

    An index of objects does not look for gaps within tuples.
    """
    if not hasattr(items, "nlevels") or str(items.dtype) == "object":
        return False
    return bool(items.is_unique) and not items.hasnans


def plain_values(column: Any) -> list[Any]:
    """Return a column, an index, a list or a set as a list of Python values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def is_missing(item: object) -> bool:
    """Return whether an item is None or differs from itself, as NaN and NaT do; also in tuples."""
    if isinstance(item, tuple | frozenset):
        return any(map(is_missing, item))
    try:
        return item is None or bool(item != item)
    except Exception:  # pandas.NA and signalling NaNs refuse to be compared
        return True
