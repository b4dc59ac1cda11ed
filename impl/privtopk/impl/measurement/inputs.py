"""Inputs to measure on: the six families, six shapes of votes, and two worst cases.

The items are in random order. In a sorted array, sorted access would read neighbours in memory,
which no real table allows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, Final

import numpy as np

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import HIGH, LINEAR_SPREAD, NEAR_SPREAD, FamilyName, step
from privtopk.spec.inputs.vote_shapes import ShapeName, vote_shape
from privtopk.spec.lower_bounds.hard_families import both_access_sizes
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.upper_bounds.batched import default_prefix

SEED: Final = 20261116
"""Fixes the order of the items, the shapes of votes, and the noise of the benchmark."""

FAR: Final = 10**9
"""A score difference that no noise of the study makes up for."""

WORST: Final = "worst"
"""The input on which engines reach their bounds: as many high items as they read at most."""

FAMILIES: Final = tuple(name.value for name in FamilyName)
SHAPES: Final = tuple(name.value for name in ShapeName)

SPREADS: Final = {FamilyName.NEAR: NEAR_SPREAD, FamilyName.LINEAR: LINEAR_SPREAD}
"""The families whose scores are m - 1, ..., 0, and how many votes lie between the ends."""


@dataclass(frozen=True, eq=False)
class Input:
    """Scores to select from, in random order."""

    name: str
    scores: Integers

    unit: Fraction = Fraction(1)
    """The number of votes that a score of 1 stands for."""

    @cached_property
    def source(self) -> IndexedScores:
        """Both doors of the scores, sorted at first use."""
        return IndexedScores(self.scores)

    def budget(self, epsilon: float) -> float:
        """Return the budget in units of scores for an epsilon in votes."""
        return float(Fraction(epsilon) * self.unit)

    def selector(self, k: int, epsilon: float, **options: Any) -> Callable[[], Selection]:
        """Return a function that selects k items; epsilon is the total budget, in votes."""
        return partial(top_k, self.source, k, epsilon=self.budget(epsilon), **options)


def make_input(name: str, m: int, k: int, prices: tuple[int, int] = (1, 1)) -> Input:
    """Return an input by its name, for m items of which k are selected at these access prices."""
    if name == WORST:
        return two_levels(m, latest_prefix(m, k, *prices), FAR)
    if name in SHAPES:
        votes = vote_shape(ShapeName(name), m, seeded_tape(SEED)).histogram
        return _shuffled_input(name, np.array(votes, dtype=np.int64))
    family = FamilyName(name)
    unit = step(m, SPREADS[family]) if family in SPREADS else Fraction(1)
    return _shuffled_input(family.value, _family_scores(family, m, k), unit)


study_input = lru_cache(maxsize=2)(make_input)
"""Returns the same; the study asks for the same few inputs again and again."""


@lru_cache(maxsize=2)
def two_levels(m: int, high: int, gap: int) -> Input:
    """Return an input with the given number of items at a score of `gap` and the rest at 0."""
    return _shuffled_input("two levels", _high_scores(m, high, gap))


def _family_scores(family: FamilyName, m: int, k: int) -> Integers:
    """Return the scores of a family, descending."""
    match family:
        case FamilyName.ZERO:
            return _high_scores(m, 0)
        case FamilyName.NEAR | FamilyName.LINEAR:
            return np.arange(m - 1, -1, -1)
        case FamilyName.ZIPF:
            return m // np.arange(1, m + 1)
        case FamilyName.PLATEAU:
            return _high_scores(m, default_prefix(m, k))
        case FamilyName.HARD:
            s, a = both_access_sizes(m, k)
            scores = _high_scores(m, s)
            scores[s - a : s] -= 1
            return scores


def _high_scores(m: int, count: int, high: int = HIGH) -> Integers:
    """Return m scores: the first `count` are high, the others 0."""
    scores = np.zeros(m, dtype=np.int64)
    scores[:count] = high
    return scores


def _shuffled_input(name: str, scores: Integers, unit: Fraction = Fraction(1)) -> Input:
    return Input(name, np.random.default_rng(SEED).permutation(scores), unit)
