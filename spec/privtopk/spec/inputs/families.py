"""The six inputs on which engines are compared.

Scores are integers, as votes are. A family also has a unit, the value of a score of 1 in
votes, so that inputs with fractional differences are exact. To run an engine on such a
family, divide its noise by the unit, or multiply the scores.

Paper: model:votes, thm:lower-both (the paper leaves the evaluation open).
Ours:  ours:lower-both (`hard` is the input of that bound).
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from privtopk.spec.lower_bounds.hard_families import both_access_sizes, hard_instance, plateau
from privtopk.spec.model.parameters import require_k, require_size
from privtopk.spec.model.values import Histogram, items_of
from privtopk.spec.upper_bounds.batched import default_prefix

HIGH: Final = 1000
"""A score so high that noise almost never makes up for it."""

NEAR_SPREAD: Final = Fraction(1, 1000)
LINEAR_SPREAD: Final = Fraction(20)


class FamilyName(StrEnum):
    """The names of the families in reports."""

    ZERO = "zero"
    NEAR = "near"
    ZIPF = "zipf"
    LINEAR = "linear"
    PLATEAU = "plat1"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Family:
    """One input of the comparison."""

    name: FamilyName
    histogram: Histogram

    unit: Fraction = Fraction(1)
    """The value of a score of 1 in votes."""

    @property
    def votes(self) -> tuple[Fraction, ...]:
        """The scores in votes."""
        return tuple(score * self.unit for score in self.histogram)


def zero(m: int) -> Family:
    """Return m items without a vote: all are tied, and only the noise decides."""
    return Family(FamilyName.ZERO, (0,) * require_size(m))


def near(m: int) -> Family:
    """Return m different scores within a thousandth of a vote: nearly tied."""
    return Family(FamilyName.NEAR, tuple(range(m - 1, -1, -1)), step(m, NEAR_SPREAD))


def zipf(m: int) -> Family:
    """Return floor(m / i) votes for item i: few items stand out, most are tied."""
    require_size(m)
    return Family(FamilyName.ZIPF, tuple(m // item for item in items_of(m)))


def linear(m: int) -> Family:
    """Return scores that fall evenly from 20 votes to 0."""
    return Family(FamilyName.LINEAR, tuple(range(m - 1, -1, -1)), step(m, LINEAR_SPREAD))


def step(m: int, spread: Fraction) -> Fraction:
    """Return the unit in which m - 1 equal steps cover the spread."""
    return spread / max(require_size(m) - 1, 1)


def one_plateau(m: int, k: int) -> Family:
    """Return ceil(sqrt(mk)) items at 1000 and the rest at 0.

    Almost all of the largest noises belong to items at 0, so the threshold algorithm must
    read about the whole plateau before k of them belong to items on it.
    """
    top = items_of(default_prefix(m, k))
    return Family(FamilyName.PLATEAU, plateau(m, top, HIGH))


def hard(m: int, k: int) -> Family:
    """Return S3's input with n = 1000, S the first items and S_L the last of those.

    Draw the sets at random instead for an algorithm that treats items differently.
    """
    s, a = both_access_sizes(m, k)
    chosen = items_of(s)
    return Family(FamilyName.HARD, hard_instance(m, chosen, chosen[s - a :], HIGH).neighbour)


def benchmark_families(m: int, k: int) -> tuple[Family, ...]:
    """Return the six families for one choice of m and k."""
    require_k(k, require_size(m))
    return (zero(m), near(m), zipf(m), linear(m), one_plateau(m, k), hard(m, k))
