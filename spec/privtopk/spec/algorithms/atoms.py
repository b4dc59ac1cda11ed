"""The two-phase algorithm for noise with atoms, where ties have positive probability.

With a continuous law ties have probability 0, so the rule for ties does not matter. With
atoms, the test `Z > B` loses items that tie with the bar, and the output law is wrong. Two
repairs are exact:

- `AT_LEAST` lets in every item that can tie; ties go to the smaller item, as in the full
  scan. It may let in far more items than Claim B allows.
- `LEXICOGRAPHIC` gives each noise a second, continuous coordinate and compares pairs, which
  is the full scan with uniform tie-breaking; Claims A and B both hold.

Deviates: erratum:atoms.
Ours:     ours:atoms.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from privtopk.spec.model.access import DualAccess
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_k, require_member
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, Number, items_of


@dataclass(frozen=True, slots=True)
class DiscreteNoise:
    """A noise with finitely many values, each with its probability."""

    values: tuple[int, ...]
    probabilities: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        """Raise unless this is a law on distinct values."""
        if (
            len(set(self.values)) != len(self.probabilities)
            or len(self.values) != len(self.probabilities)
            or any(probability <= 0 for probability in self.probabilities)
            or sum(self.probabilities) != 1
        ):
            raise SelectionError(
                Reason.NOT_A_LAW,
                "a discrete noise needs distinct values with positive probabilities that sum to 1",
            )

    def chance(self, value: int) -> Fraction:
        """Return P(Z = value)."""
        return dict(zip(self.values, self.probabilities, strict=True)).get(value, Fraction(0))

    def chance_above(self, value: int) -> Fraction:
        """Return P(Z > value)."""
        pairs = zip(self.values, self.probabilities, strict=True)
        return sum((p for z, p in pairs if z > value), Fraction(0))

    def sample(self, tape: Tape) -> int:
        """Return a random value, from one choice of the tape."""
        return self.values[tape.choose(self.probabilities)]

    def sample_from(self, weights: tuple[Number, ...], tape: Tape) -> int:
        """Return a random value, with other weights in place of the probabilities."""
        return self.values[tape.choose(weights)]


class TieRule(StrEnum):
    """Which unseen items are let in, and which item wins a tie."""

    STRICT = "strict"
    """Only a noise above B: right for continuous laws, wrong for atoms."""

    AT_LEAST = "at-least"
    """A noise equal to B too; ties go to the smaller item."""

    LEXICOGRAPHIC = "lexicographic"
    """A noise equal to B if its second coordinate is larger; ties fall uniformly."""


def one_shot_atoms(
    histogram: tuple[int, ...], k: int, noise: DiscreteNoise, tape: Tape
) -> frozenset[Item]:
    """Return Algorithm 2's set for noise with atoms, ties to the smaller item.

    Deviates: erratum:atoms.
    """
    require_k(k, len(histogram))
    scores = {item: histogram[item - 1] + noise.sample(tape) for item in items_of(len(histogram))}
    return frozenset(sorted(scores, key=lambda item: (-scores[item], item))[:k])


def two_phase_atoms(
    source: DualAccess, k: int, r: int, noise: DiscreteNoise, rule: TieRule, tape: Tape
) -> frozenset[Item]:
    """Return the two-phase algorithm's set with a fixed prefix of r >= k items.

    Ours: ours:atoms.
    """
    require_k(k, source.size)
    require_between("r", r, k, source.size)
    require_member("rule", rule, TieRule)
    ranked: list[tuple[Number, Number, Item]] = []
    last: Number = 0
    for _ in range(r):
        delivered = source.sorted_access()
        last = delivered.value
        ranked.append(_sort_key(delivered.item, last, noise.sample(tape), _second(rule, tape)))
    ranked.sort()
    value, second, _ = ranked[k - 1]
    needed = -value - last
    weights = _entering_weights(noise, needed, rule, -second)
    seen = {item for _, _, item in ranked}
    unseen = [item for item in items_of(source.size) if item not in seen]
    for index in tape.subset(len(unseen), sum(weights)):
        z = noise.sample_from(weights, tape)
        low = -second if z == needed else Fraction(0)
        coordinate = low + (1 - low) * _second(rule, tape)
        ranked.append(_sort_key(unseen[index], source.random_access(unseen[index]), z, coordinate))
    return frozenset(item for _, _, item in sorted(ranked)[:k])


def _sort_key(item: Item, score: Number, z: int, second: Number) -> tuple[Number, Number, Item]:
    """Return a sort key: larger noisy score first, then larger coordinate, then smaller item."""
    return -(score + z), -second, item


def _second(rule: TieRule, tape: Tape) -> Number:
    """Return the second coordinate of a noise."""
    return tape.uniform() if rule is TieRule.LEXICOGRAPHIC else 0


def _entering_weights(
    noise: DiscreteNoise, needed: Number, rule: TieRule, second: Number
) -> tuple[Number, ...]:
    """Return, per noise value, the probability that it is drawn and lets its item in."""
    chance_of_tie: Number = {
        TieRule.STRICT: 0,
        TieRule.AT_LEAST: 1,
        TieRule.LEXICOGRAPHIC: 1 - second,
    }[rule]
    return tuple(
        p * (chance_of_tie if z == needed else int(z > needed))
        for z, p in zip(noise.values, noise.probabilities, strict=True)
    )
