"""A list of scores from a caller: first its shape is checked, which is public, then its values.

The two steps are separate, so that a wrong k is refused before any score is read.
"""

from collections.abc import Hashable, Sequence
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_size

Numbers: TypeAlias = NDArray[Any]
Names: TypeAlias = Sequence[Hashable] | NDArray[Any]


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
    return array if array is scores else keep_integers(array, scores)


def keep_integers(array: Numbers, scores: ArrayLike) -> Numbers:
    """Return an array of scores, or their objects if numpy has rounded a large integer.

    Of integers and floats in one list numpy makes floats, and 2^53 + 1 becomes 2^53.
    """
    is_mixed = isinstance(scores, list | tuple) and array.dtype.kind == "f"
    if is_mixed and not bool(np.all(np.abs(array) < LARGEST_SCORE)):
        return np.array(scores, dtype=object)
    return array


def whole_scores(scores: ArrayLike) -> Integers:
    """Return scores as integers; raise if they are not counts from 0 to 2^53."""
    array = score_list(scores)
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
    """Return whole numbers of any size as an array, clipped just outside the allowed range."""
    if not all(is_whole(score) for score in scores):
        raise SelectionError(Reason.WRONG_TYPE, "every score must be a whole number")
    return np.array([min(max(int(score), -1), LARGEST_SCORE + 1) for score in scores])


def is_whole(score: object) -> bool:
    """Return whether a score is an integer or a whole float; a boolean is not one."""
    if isinstance(score, float | np.floating):
        return score.is_integer()
    return isinstance(score, Integral) and not isinstance(score, bool)


def names_of(names: Names, size: int) -> Names:
    """Return the names if there is one per item and all differ; a pandas index knows that."""
    if len(names) != size:
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            f"there must be one name for each of the m={size} items, got {len(names)}",
        )
    if getattr(names, "is_unique", False):
        return names
    different = len(set(names))
    if different != size:
        raise SelectionError(
            Reason.DUPLICATE_ITEM,
            f"items must be distinct, got {size} items of which {different} differ",
        )
    return names
