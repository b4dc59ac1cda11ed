"""Checks of parameters, each with its own message, made before anything is read.

Functions of the specification check m, k, epsilon, delta, costs and histograms here before
they use them.

Deviates: erratum:threshold-edge-cases (1 <= k <= m is required), erratum:parameter-ranges.
"""

import math
import sys
from collections.abc import Collection, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeVar

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.number_types import text_of
from privtopk.spec.model.values import Histogram, Item, Number

Member = TypeVar("Member", bound=StrEnum)

SMALLEST: Final = 5e-324
"""The smallest positive double."""


def require_integer(name: str, value: object) -> int:
    """Return value if it is an integer; a boolean is not one."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise SelectionError(
            Reason.WRONG_TYPE, f"{name} must be an integer, got {text_of(value, repr)}"
        )
    return value


def require_number(name: str, value: object) -> Number:
    """Return value if it is an int, a float or a Fraction, and neither a boolean nor NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise SelectionError(
            Reason.WRONG_TYPE, f"{name} must be a number, got {text_of(value, repr)}"
        )
    if value != value:
        raise SelectionError(Reason.NOT_A_NUMBER, f"{name} must be a number, got nan")
    return value


def is_finite(value: Number) -> bool:
    """Return whether a number is in the range of doubles; an exact one may be larger."""
    return -sys.float_info.max <= value <= sys.float_info.max


def require_size(m: object) -> int:
    """Return the domain size m >= 1."""
    size = require_integer("m", m)
    if size < 1:
        raise SelectionError(Reason.EMPTY_DOMAIN, f"m must be at least 1, got {text_of(size)}")
    return size


def require_between(name: str, value: object, low: int, high: int) -> int:
    """Return an integer parameter with low <= value <= high."""
    number = require_integer(name, value)
    if not low <= number <= high:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"{name} must be between {low} and {high}, got {text_of(number)}",
        )
    return number


def require_at_least(name: str, value: object, low: int) -> int:
    """Return an integer parameter with value >= low."""
    number = require_integer(name, value)
    if number < low:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE, f"{name} must be at least {low}, got {text_of(number)}"
        )
    return number


def require_k(k: object, m: int) -> int:
    """Return the number k of items to select, 1 <= k <= m.

    Deviates: erratum:threshold-edge-cases.
    """
    count = require_integer("k", k)
    if not 1 <= count <= m:
        raise SelectionError(
            Reason.K_OUT_OF_RANGE, f"k must be between 1 and m={text_of(m)}, got {text_of(count)}"
        )
    return count


def require_epsilon(epsilon: object, name: str = "epsilon") -> Number:
    """Return a privacy parameter that is positive and finite."""
    return _require_positive(name, epsilon, Reason.EPSILON_OUT_OF_RANGE)


def require_loss(epsilon: object) -> Number:
    """Return a privacy parameter that may be 0 (perfect privacy) but not infinite."""
    return _require_nonnegative("epsilon", epsilon, Reason.EPSILON_OUT_OF_RANGE)


def require_delta(delta: object) -> Number:
    """Return a privacy parameter delta in [0, 1).

    Deviates: erratum:parameter-ranges.
    """
    return _require_below_one("delta", delta, Reason.DELTA_OUT_OF_RANGE)


def require_probability(name: str, value: object) -> Number:
    """Return a probability strictly between 0 and 1."""
    number = require_number(name, value)
    if not 0 < number < 1:
        raise SelectionError(
            Reason.PROBABILITY_OUT_OF_RANGE,
            f"{name} must be strictly between 0 and 1, got {text_of(value)}",
        )
    return number


def require_failure(name: str, value: object) -> Number:
    """Return a probability of failure: 0 is allowed, 1 is not."""
    return _require_below_one(name, value, Reason.PROBABILITY_OUT_OF_RANGE)


def require_cost(name: str, value: object) -> Number:
    """Return the price of an access, positive and finite."""
    return _require_positive(name, value, Reason.COST_OUT_OF_RANGE)


def require_order(c: object) -> Number:
    """Return the order c of a moment E[e^(c L)] of the privacy loss, positive and finite."""
    return _require_positive("c", c, Reason.ORDER_OUT_OF_RANGE)


def require_accuracy(alpha: object) -> Number:
    """Return the error alpha that a selection may make, at least 0 and finite."""
    return _require_nonnegative("alpha", alpha, Reason.ACCURACY_OUT_OF_RANGE)


def _require_positive(name: str, value: object, reason: Reason) -> Number:
    number = require_number(name, value)
    if not (number > 0 and is_finite(number)):
        raise SelectionError(reason, f"{name} must be positive and finite, got {text_of(value)}")
    if number < SMALLEST:
        raise SelectionError(
            reason, f"{name} must be at least {SMALLEST}, the smallest double, got {text_of(value)}"
        )
    return number


def _require_nonnegative(name: str, value: object, reason: Reason) -> Number:
    number = require_number(name, value)
    if not (number >= 0 and is_finite(number)):
        raise SelectionError(reason, f"{name} must be at least 0 and finite, got {text_of(value)}")
    return number


def _require_below_one(name: str, value: object, reason: Reason) -> Number:
    number = require_number(name, value)
    if not 0 <= number < 1:
        raise SelectionError(reason, f"{name} must be at least 0 and below 1, got {text_of(value)}")
    return number


def require_member(name: str, value: object, kind: type[Member]) -> Member:
    """Return value if it is a member of the enumeration; an equal string is not one."""
    if not isinstance(value, kind):
        raise SelectionError(
            Reason.WRONG_TYPE, f"{name} must be a {kind.__name__}, got {text_of(value, repr)}"
        )
    return value


def require_base(base: object) -> Fraction:
    """Return the base e^epsilon of an exact law: a rational number above 1."""
    number = _require_rational("base", base)
    if not number > 1:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE, f"base must be above 1, got {text_of(number)}"
        )
    return number


def require_shrinkage(shrinkage: object) -> Fraction:
    """Return e^-epsilon as an exact number above 0 and at most 1."""
    number = _require_rational("shrinkage", shrinkage)
    if not 0 < number <= 1:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"shrinkage must be above 0 and at most 1, got {text_of(number)}",
        )
    return number


def _require_rational(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"{name} must be an integer or a fraction, got {text_of(value, repr)}",
        )
    return Fraction(value)


def require_weights(weights: Sequence[object]) -> int:
    """Return the number m of weights, one per item, each positive and finite."""
    require_size(len(weights))
    for index, weight in enumerate(weights, start=1):
        value = require_number(f"the weight of item {index}", weight)
        if not 0 < value < math.inf:
            raise SelectionError(
                Reason.WEIGHT_OUT_OF_RANGE,
                f"the weight of item {index} must be positive and finite, got {text_of(value)}",
            )
    return len(weights)


def require_item(item: object, m: int) -> Item:
    """Return an item of the domain 1, ..., m."""
    number = require_integer("item", item)
    if not 1 <= number <= m:
        raise SelectionError(
            Reason.UNKNOWN_ITEM, f"item must be between 1 and m={m}, got {text_of(number)}"
        )
    return Item(number)


def require_distinct_items(items: Collection[object], m: int) -> frozenset[Item]:
    """Return items of the domain as a set; no item may occur twice."""
    distinct = frozenset(require_item(item, m) for item in items)
    if len(distinct) != len(items):
        raise SelectionError(
            Reason.DUPLICATE_ITEM,
            f"items must be distinct, got {len(items)} items of which {len(distinct)} differ",
        )
    return distinct


def require_histogram(scores: Sequence[object]) -> Histogram:
    """Return scores as a histogram: at least one item, each score an integer >= 0.

    The message names the item and not its score.
    """
    require_size(len(scores))
    for index, score in enumerate(scores, start=1):
        if isinstance(score, bool) or not isinstance(score, int):
            raise SelectionError(Reason.WRONG_TYPE, f"the score of item {index} must be an integer")
        if score < 0:
            raise SelectionError(
                Reason.NEGATIVE_SCORE, f"the score of item {index} must not be negative"
            )
    return tuple(score for score in scores if isinstance(score, int))
