"""What the study selects from: the six families, six shapes of votes, and two worst cases."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.measurement.inputs import SEED, benchmark_input
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.memory import IndexedScores
from privtopk.spec.inputs.families import FamilyName
from privtopk.spec.inputs.vote_shapes import ShapeName, vote_shape
from privtopk.spec.model.tape import seeded_tape

FAR: Final = 10**9
"""A score that no noise of the study makes up for."""

WORST: Final = "worst"
"""The input on which the engines meet their bounds: as many high items as they read at most."""

FAMILIES: Final = tuple(name.value for name in FamilyName)
SHAPES: Final = tuple(name.value for name in ShapeName)


@dataclass(frozen=True, slots=True)
class StudyInput:
    """Scores in a random order behind both doors."""

    source: IndexedScores
    scores: Integers

    unit: Fraction
    """What a score of 1 is worth in votes."""

    def budget(self, epsilon: float) -> float:
        """Return the budget in units of scores that stands for epsilon in votes."""
        return float(Fraction(epsilon) * self.unit)


@lru_cache(maxsize=2)
def study_input(name: str, m: int, k: int, prices: tuple[int, int] = (1, 1)) -> StudyInput:
    """Return an input by its name, for a choice of m and k and the prices of both doors."""
    if name == WORST:
        return two_levels(m, latest_prefix(m, k, *prices), FAR)
    if name in FAMILIES:
        data = benchmark_input(FamilyName(name), m, k)
        return StudyInput(IndexedScores(data.scores), data.scores, data.unit)
    votes = vote_shape(ShapeName(name), m, seeded_tape(SEED)).histogram
    return shuffled(np.array(votes, dtype=np.int64))


@lru_cache(maxsize=2)
def two_levels(m: int, high: int, gap: int) -> StudyInput:
    """Return so many items at a score of `gap` and the rest at 0."""
    scores = np.zeros(m, dtype=np.int64)
    scores[:high] = gap
    return shuffled(scores)


def shuffled(scores: Integers) -> StudyInput:
    """Return scores in votes, in a random order."""
    mixed = np.random.default_rng(SEED).permutation(scores)
    return StudyInput(IndexedScores(mixed), mixed, Fraction(1))
