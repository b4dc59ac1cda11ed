"""The six families of the specification as arrays, large enough to measure on.

The items stand in a random order: in a sorted array, sorted access would read neighbours in
memory, as no real table lets it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.spec.inputs.families import HIGH, LINEAR_SPREAD, NEAR_SPREAD, FamilyName, step
from privtopk.spec.lower_bounds.hard_families import both_access_sizes
from privtopk.spec.upper_bounds.batched import default_prefix

SEED: Final = 20261116
"""Decides the order of the items and the noise of the benchmark."""


@dataclass(frozen=True, slots=True)
class Input:
    """Scores to select from, in a random order."""

    name: FamilyName
    scores: Integers

    unit: Fraction = Fraction(1)
    """What a score of 1 is worth in votes."""

    def budget(self, k: int) -> float:
        """Return the total epsilon that makes the noise of an item one vote wide."""
        return float(k * self.unit)


def benchmark_input(name: FamilyName, m: int, k: int) -> Input:
    """Return one family for a choice of m and k."""
    descending, unit = _FAMILIES[name](m, k)
    return Input(name, np.random.default_rng(SEED).permutation(descending), unit)


def _zero(m: int, k: int) -> tuple[Integers, Fraction]:
    return np.zeros(m, dtype=np.int64), Fraction(1)


def _near(m: int, k: int) -> tuple[Integers, Fraction]:
    return np.arange(m - 1, -1, -1), step(m, NEAR_SPREAD)


def _zipf(m: int, k: int) -> tuple[Integers, Fraction]:
    return m // np.arange(1, m + 1), Fraction(1)


def _linear(m: int, k: int) -> tuple[Integers, Fraction]:
    return np.arange(m - 1, -1, -1), step(m, LINEAR_SPREAD)


def _plateau(m: int, k: int) -> tuple[Integers, Fraction]:
    return _high(m, default_prefix(m, k)), Fraction(1)


def _hard(m: int, k: int) -> tuple[Integers, Fraction]:
    s, a = both_access_sizes(m, k)
    scores = _high(m, s)
    scores[s - a : s] -= 1
    return scores, Fraction(1)


def _high(m: int, count: int) -> Integers:
    """Return so many high scores before zeros."""
    scores = np.zeros(m, dtype=np.int64)
    scores[:count] = HIGH
    return scores


_FAMILIES: Final[dict[FamilyName, Callable[[int, int], tuple[Integers, Fraction]]]] = {
    FamilyName.ZERO: _zero,
    FamilyName.NEAR: _near,
    FamilyName.ZIPF: _zipf,
    FamilyName.LINEAR: _linear,
    FamilyName.PLATEAU: _plateau,
    FamilyName.HARD: _hard,
}
