"""Checks of parameters, each with its own message, made before anything is read.

Functions of the specification that take m, k, epsilon, delta, a cost or a histogram pass it
through here before they do anything with it.

Deviates: erratum:threshold-edge-cases (1 <= k <= m is required), erratum:parameter-ranges.
"""

import math
import sys
from collections.abc import Collection, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Histogram, Item, Number

Member = TypeVar("Member", bound=StrEnum)


def require_integer(name: str, value: object) -> int:
    """Return value if it is an integer and not a boolean posing as one."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise SelectionError(Reason.WRONG_TYPE, f"{name} must be an integer, got {value!r}")
    return value


def require_number(name: str, value: object) -> Number:
    """Return value if it is an int, a float or a Fraction, and neither a boolean nor NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise SelectionError(Reason.WRONG_TYPE, f"{name} must be a number, got {value!r}")
    if value != value:
        raise SelectionError(Reason.NOT_A_NUMBER, f"{name} must be a number, got nan")
    return value


def is_finite(value: Number) -> bool:
    """Return whether a number has a finite double; an exact one may lie beyond them all."""
    return -sys.float_info.max <= value <= sys.float_info.max


def require_size(m: object) -> int:
    """Return the domain size m >= 1."""
    size = require_integer("m", m)
    if size < 1:
        raise SelectionError(Reason.EMPTY_DOMAIN, f"m must be at least 1, got {size}")
    return size


def require_between(name: str, value: object, low: int, high: int) -> int:
    """Return an integer parameter with low <= value <= high."""
    number = require_integer(name, value)
    if not low <= number <= high:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"{name} must be between {low} and {high}, got {number}",
        )
    return number


def require_at_least(name: str, value: object, low: int) -> int:
    """Return an integer parameter with value >= low."""
    number = require_integer(name, value)
    if number < low:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE, f"{name} must be at least {low}, got {number}"
        )
    return number


def require_k(k: object, m: int) -> int:
    """Return the number k of items to select, 1 <= k <= m."""
    count = require_integer("k", k)
    if not 1 <= count <= m:
        raise SelectionError(Reason.K_OUT_OF_RANGE, f"k must be between 1 and m={m}, got {count}")
    return count


def require_epsilon(epsilon: object, name: str = "epsilon") -> Number:
    """Return a privacy parameter that is positive and finite."""
    value = require_number(name, epsilon)
    if not (value > 0 and is_finite(value)):
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE, f"{name} must be positive and finite, got {value}"
        )
    return value


def require_loss(epsilon: object) -> Number:
    """Return a privacy parameter that may be 0 (perfect privacy) but not infinite."""
    value = require_number("epsilon", epsilon)
    if not (value >= 0 and is_finite(value)):
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE, f"epsilon must be at least 0 and finite, got {value}"
        )
    return value


def require_delta(delta: object) -> Number:
    """Return a privacy parameter delta in [0, 1)."""
    value = require_number("delta", delta)
    if not 0 <= value < 1:
        raise SelectionError(
            Reason.DELTA_OUT_OF_RANGE, f"delta must be at least 0 and below 1, got {value}"
        )
    return value


def require_probability(name: str, value: object) -> Number:
    """Return a probability strictly between 0 and 1."""
    number = require_number(name, value)
    if not 0 < number < 1:
        raise SelectionError(
            Reason.PROBABILITY_OUT_OF_RANGE,
            f"{name} must be strictly between 0 and 1, got {number}",
        )
    return number


def require_failure(name: str, value: object) -> Number:
    """Return a probability of failure: 0 is allowed, 1 is not."""
    number = require_number(name, value)
    if not 0 <= number < 1:
        raise SelectionError(
            Reason.PROBABILITY_OUT_OF_RANGE,
            f"{name} must be at least 0 and below 1, got {number}",
        )
    return number


def require_cost(name: str, value: object) -> Number:
    """Return the price of an access, positive and finite."""
    number = require_number(name, value)
    if not (number > 0 and is_finite(number)):
        raise SelectionError(
            Reason.COST_OUT_OF_RANGE, f"{name} must be positive and finite, got {number}"
        )
    return number


def require_order(c: object) -> Number:
    """Return the order c of a moment E[e^(c L)] of the privacy loss, positive and finite."""
    number = require_number("c", c)
    if not (number > 0 and is_finite(number)):
        raise SelectionError(
            Reason.ORDER_OUT_OF_RANGE, f"c must be positive and finite, got {number}"
        )
    return number


def require_accuracy(alpha: object) -> Number:
    """Return the error alpha that a selection may make, at least 0 and finite."""
    number = require_number("alpha", alpha)
    if not (number >= 0 and is_finite(number)):
        raise SelectionError(
            Reason.ACCURACY_OUT_OF_RANGE, f"alpha must be at least 0 and finite, got {number}"
        )
    return number


def require_member(name: str, value: object, kind: type[Member]) -> Member:
    """Return a choice that is a member of its enumeration, not a string that looks like one."""
    if not isinstance(value, kind):
        raise SelectionError(Reason.WRONG_TYPE, f"{name} must be a {kind.__name__}, got {value!r}")
    return value


def require_base(base: object) -> Fraction:
    """Return the base e^epsilon of an exact law: a rational number above 1."""
    if isinstance(base, bool) or not isinstance(base, int | Fraction):
        raise SelectionError(
            Reason.WRONG_TYPE, f"base must be an integer or a fraction, got {base!r}"
        )
    if not base > 1:
        raise SelectionError(Reason.EPSILON_OUT_OF_RANGE, f"base must be above 1, got {base}")
    return Fraction(base)


def require_shrinkage(shrinkage: object) -> Fraction:
    """Return e^-epsilon as an exact number above 0 and at most 1."""
    if isinstance(shrinkage, bool) or not isinstance(shrinkage, int | Fraction):
        raise SelectionError(
            Reason.WRONG_TYPE, f"shrinkage must be an integer or a fraction, got {shrinkage!r}"
        )
    if not 0 < shrinkage <= 1:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"shrinkage must be above 0 and at most 1, got {shrinkage}",
        )
    return Fraction(shrinkage)


def require_weights(weights: Sequence[object]) -> int:
    """Return the number of the weights of items 1, ..., m, each positive and finite."""
    require_size(len(weights))
    for index, weight in enumerate(weights, start=1):
        value = require_number(f"the weight of item {index}", weight)
        if not 0 < value < math.inf:
            raise SelectionError(
                Reason.WEIGHT_OUT_OF_RANGE,
                f"the weight of item {index} must be positive and finite, got {value}",
            )
    return len(weights)


def require_item(item: object, m: int) -> Item:
    """Return an item of the domain 1, ..., m."""
    number = require_integer("item", item)
    if not 1 <= number <= m:
        raise SelectionError(Reason.UNKNOWN_ITEM, f"item must be between 1 and m={m}, got {number}")
    return Item(number)


def require_distinct_items(items: Collection[object], m: int) -> frozenset[Item]:
    """Return a collection of items of the domain as a set, each named once."""
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
