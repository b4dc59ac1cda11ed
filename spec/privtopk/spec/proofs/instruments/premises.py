"""Premises that theorems share: which integers are a valid k, histogram or ballot."""

from collections.abc import Sequence
from itertools import pairwise

from privtopk.spec.model.values import Item


def is_between(value: int, low: int, high: int) -> bool:
    """Decide whether low <= value <= high."""
    return low <= value <= high


def are_between(values: Sequence[int], low: int, high: int) -> bool:
    """Decide whether every value lies between low and high."""
    return all(low <= value <= high for value in values)


def are_scores(values: Sequence[int]) -> bool:
    """Decide whether the values can be a histogram: none is negative."""
    return all(value >= 0 for value in values)


def is_descending(values: Sequence[int]) -> bool:
    """Decide whether no value exceeds the one before it."""
    return all(before >= after for before, after in pairwise(values))


def is_strictly_descending(values: Sequence[int]) -> bool:
    """Decide whether every value is below the one before it."""
    return all(before > after for before, after in pairwise(values))


def ties_are_between_equal_scores(scores: Sequence[int], noises: Sequence[int]) -> bool:
    """Decide whether two items with different scores always have different noisy scores."""
    return all(
        scores[i] == scores[j] or scores[i] + noises[i] != scores[j] + noises[j]
        for i in range(len(scores))
        for j in range(i)
    )


def marked_items(marks: Sequence[bool]) -> tuple[Item, ...]:
    """Return the items 1, 2, ... whose mark is set."""
    return tuple(Item(item) for item, mark in enumerate(marks, start=1) if mark)


def concrete(value: int, low: int, high: int) -> int:
    """Return the value, which must be between low and high, as a concrete number.

    CrossHair then has one path per number and computes without symbols. That is faster for roots,
    binomials and fractions.
    """
    return next(number for number in range(low, high + 1) if number == value)
