"""The types of the model: items, positions, scores, histograms.

Items and positions both count from 1, as the paper does, and are different types: an
item is a name, a position is a rank in a sorted list.

Paper: model:votes.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NewType, TypeAlias

Item = NewType("Item", int)
"""One of the m things that clients vote for, numbered 1 to m."""

Position = NewType("Position", int)
"""A rank in a list sorted from the largest value down, numbered 1 to m."""

Number: TypeAlias = int | float | Fraction
"""A score, a noise value or a sum of both; exact wherever the caller is exact."""

Histogram: TypeAlias = tuple[int, ...]
"""The scores h[1], ..., h[m]; item i stands at index i - 1."""


def items_of(m: int) -> tuple[Item, ...]:
    """Return the whole domain 1, ..., m."""
    return tuple(Item(i) for i in range(1, m + 1))


def score_of(histogram: Histogram, item: Item) -> int:
    """Return h[item]."""
    return histogram[item - 1]


def running_sum(terms: Iterable[float]) -> float:
    """Return a sum of floats, rounded after each addition.

    `sum` rounds once from Python 3.12 on. Published numbers must not depend on the version.
    """
    total = 0.0
    for term in terms:
        total += term
    return total


def exact_sum(terms: Iterable[Number]) -> Number:
    """Return a sum without rounding.

    In floating point, a noise would vanish beside a score of 2^53, and a score larger than
    every double would raise an error: both would depend on the data.
    """
    return sum(
        Fraction(term) if isinstance(term, float) and math.isfinite(term) else term
        for term in terms
    )
