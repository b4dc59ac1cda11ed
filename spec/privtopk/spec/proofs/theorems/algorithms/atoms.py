"""Theorems about noise with atoms: all tosses of fair coins for three items.

The tape gives each item its toss, and lets unseen items in by their tosses, so that the
two-phase algorithm and the full scan see the same noise. The last item has a vote.

Deviates: erratum:atoms.
Ours:     ours:atoms.
"""

from collections.abc import Sequence
from fractions import Fraction

from privtopk.spec.algorithms.atoms import DiscreteNoise, TieRule, one_shot_atoms, two_phase_atoms
from privtopk.spec.model.access import StoredList, sorted_entries
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.proofs.instruments.served import ServedTape

Two = tuple[bool, bool]
Three = tuple[bool, bool, bool]

COIN = DiscreteNoise((0, 1), (Fraction(1, 2), Fraction(1, 2)))


class TossedTape(ServedTape):
    """A tape of tosses in the order in which the two-phase algorithm reads the items."""

    def __init__(self, tosses: Sequence[bool]) -> None:
        """Take the tosses: first those of the prefix, then those of the unseen items."""
        super().__init__([1 if toss else 0 for toss in tosses])

    def subset(self, n: int, probability: Number) -> tuple[int, ...]:
        """Return all of n, those with a winning toss, or none, according to the probability."""
        tosses = self._draws[self._served :]
        least = 0 if probability == 1 else 1 if probability > 0 else 2
        members = tuple(index for index in range(n) if tosses[index] >= least)
        self._draws, self._served = tuple(tosses[index] for index in members), 0
        return members


def scores_of(votes: Two) -> tuple[int, ...]:
    """Return the scores when the third item has one vote and the others have one or none."""
    return (*(1 if vote else 0 for vote in votes), 1)


def two_phases(votes: Two, tosses: Three, r: int, rule: TieRule) -> frozenset[Item]:
    """Return the set of the two-phase algorithm when item i tosses tosses[i - 1]."""
    scores = scores_of(votes)
    read = [entry.item for entry in sorted_entries(scores)[:r]]
    order = (*read, *(item for item in items_of(3) if item not in read))
    tape = TossedTape([tosses[item - 1] for item in order])
    return two_phase_atoms(StoredList(scores), 1, r, COIN, rule, tape)


def scan(votes: Two, tosses: Three) -> frozenset[Item]:
    """Return the set of the full scan on the same tosses."""
    return one_shot_atoms(scores_of(votes), 1, COIN, TossedTape(tosses))


def thm_letting_in_ties_is_the_scan(votes: Two, tosses: Three) -> bool:
    """Two phases that let in ties at the bar return the item of the scan, for all tosses.

    Claim: ours:atoms
    Seconds: 40
    post: _
    """
    return two_phases(votes, tosses, 2, TieRule.AT_LEAST) == scan(votes, tosses)


def refuted_leaving_out_ties_is_the_scan(votes: Two, tosses: Three) -> bool:
    """Two phases that let in only what exceeds the bar return the item of the scan.

    Claim: erratum:atoms
    Seconds: 40
    post: _
    """
    return two_phases(votes, tosses, 2, TieRule.STRICT) == scan(votes, tosses)
