"""Selectors that return the wrong items, or too few."""

import math
import random
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PEER, PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import RankFreeList
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    NoiseSupply,
    ScanSelector,
    ThresholdSelector,
    best_of,
    leads,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import NoiseList
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.parameters import require_epsilon
from privtopk.spec.noise.distributions import NoiseKind


class WorstItems(ScanSelector):
    """The items with the smallest noisy scores are returned."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the k worst."""
        return sorted(noisy, key=noisy.__getitem__)[:k]


class NoNoiseAtAll(ScanSelector):
    """The true top k are returned without noise."""

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return no noise."""
        return 0.0


class ScoresIgnored(ScanSelector):
    """The items are drawn uniformly, whatever their scores are."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return any k items."""
        return random.sample(sorted(noisy), k)


class LastItemNeverSelected(ScanSelector):
    """The loop over the items ends one too early: item m is never selected."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the k best of the others, unless all are wanted."""
        last = max(noisy)
        others = {item: value for item, value in noisy.items() if item != last}
        return best_of(others, k) if k < len(noisy) else best_of(noisy, k)


class ZerosNeverSelected(ScanSelector):
    """Items without a vote are selected only if there are too few others."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the best of those that have votes, then fill up."""
        chosen = [item for item in best_of(noisy, len(noisy)) if item in self.voted]
        return (chosen + [item for item in sorted(noisy) if item not in self.voted])[:k]

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, and note who has votes."""
        entries = super().entries(scores, question)
        self.voted = {item for item, score in entries if score > 0}
        return entries


class OneTooFewThenPadded(ScanSelector):
    """Only k - 1 items are selected, and the smallest remaining number is added."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return k-1 items and a filler."""
        best = best_of(noisy, k - 1)
        return [*best, min(item for item in noisy if item not in best)]


class OneItemTooFew(ScanSelector):
    """Only k - 1 items are returned if k is larger than 1."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return too few."""
        return best_of(noisy, max(1, k - 1))


class PeelingWithReplacement(ScanSelector):
    """The exponential mechanism is run k times without removing what it has selected."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Keep what the later rounds need."""
        self.again = (entries, supply)
        return super().noisy_scores(entries, supply)

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the winners of k rounds, which may be the same."""
        return [self.winner() for _ in range(k)]

    def winner(self) -> int:
        """Return the best item of one more round."""
        return best_of(super().noisy_scores(*self.again), 1)[0]


class RunnersUpInScoreOrder(ScanSelector):
    """Only the first item is drawn with noise; the other k - 1 are the true best."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, and note their order."""
        entries = super().entries(scores, question)
        self.order = [item for item, _ in entries]
        return entries

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the noisy winner and the true leaders."""
        (winner,) = best_of(noisy, 1)
        return [winner, *(item for item in self.order if item != winner)][:k]


class PermuteAndFlip(ScanSelector):
    """Permute-and-flip is run k times, undeclared: private and more accurate, but another law."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return the scores in units of the noise, without any."""
        self.uniform = supply.uniform
        return leads(entries, supply.rate)

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the winners of k rounds, each of which leaves the race."""
        left = dict(noisy)
        winners: list[int] = []
        while len(winners) < k:
            winners.append(self.flip(left))
            del left[winners[-1]]
        return winners

    def flip(self, left: dict[int, float]) -> int:
        """Return the first item, in random order, whose coin falls the right way."""
        best = max(left.values())
        order = random.sample(sorted(left), len(left))
        return next(i for i in order if self.uniform() <= math.exp(left[i] - best))


class WeightsOverflow(ScanSelector):
    """The weights exp(epsilon score) are computed directly and overflow beyond 709."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return the logarithms of weights that must fit a double."""
        return {
            item: math.log(math.exp(supply.rate * score)) + self.standard_noise(supply)
            for item, score in entries
        }


class WeightsUnderflow(ScanSelector):
    """Items more than forty scales behind the leader have weight 0 and are never selected."""

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the k best of those with a weight, then the others by number."""
        best = max(noisy.values())
        alive = {item: value for item, value in noisy.items() if value > best - 40}
        chosen = best_of(alive, k)
        return chosen + [item for item in sorted(noisy) if item not in alive][: k - len(chosen)]


class AnyNumberOfItems(ScanSelector):
    """k is not checked: k = 0 gives one item, and k above m gives all."""

    def check(self, question: Question, m: int) -> None:
        """Check the budget only."""
        require_epsilon(question.epsilon)

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for the k that makes sense."""
        return super().noise_rate(replace(question, k=min(max(question.k, 1), m)), m)

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return at least one item."""
        return best_of(noisy, max(k, 1))


class ShortDomain(RankFreeList):
    """A noise list whose item m has no place."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with one item less."""
        super().__init__(max(1, m - 1), rate, noise)
        self.last = m

    def random_access(self, item: int) -> float:
        """Return the noise of an item, that of item 1 for item m."""
        return super().random_access(item if item <= self.size else 1)

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, and item m after all others."""
        if self.delivered == self.size:
            return self.last, -math.inf
        return super().sorted_access()


class NoiseListOneShort(ThresholdSelector):
    """The noise list has m - 1 items, and item m gets the noise of item 1."""

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return a list that is one short."""
        return ShortDomain(m, 1.0, noise)


class NoiseListByNumber(ThresholdSelector):
    """The noise list delivers items by number, not in uniform order."""

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return a list whose sorted door prefers small numbers."""
        return SmallNumbersFirst(m, 1.0, noise)


class SmallNumbersFirst(RankFreeList):
    """A noise list that gives its largest noise to the unseen item in the first place."""

    def unseen_item(self) -> int:
        """Return the unseen item that stands first."""
        return self.items.at(len(self.levels) + 1)


MUTANTS: Final = (
    mutant(WorstItems, PEER, "selector.set-law"),
    mutant(NoNoiseAtAll, PRIVACY_BUG, "selector.privacy-audit"),
    mutant(ScoresIgnored, USUAL_SLIP, "selector.set-law"),
    mutant(LastItemNeverSelected, USUAL_SLIP, "selector.set-law"),
    mutant(ZerosNeverSelected, PRIVACY_BUG, "selector.set-law"),
    mutant(OneTooFewThenPadded, USUAL_SLIP, "selector.set-law"),
    mutant(OneItemTooFew, USUAL_SLIP, "selector.set-order"),
    mutant(PeelingWithReplacement, PEER, "selector.set-order"),
    mutant(RunnersUpInScoreOrder, PRIVACY_BUG, "selector.set-law"),
    mutant(PermuteAndFlip, PEER, "selector.set-law"),
    mutant(WeightsOverflow, PEER, "selector.shape"),
    mutant(WeightsUnderflow, PEER, "selector.degenerate"),
    mutant(AnyNumberOfItems, erratum(21), "selector.refusals"),
    mutant(NoiseListOneShort, USUAL_SLIP, "selector.set-law"),
    mutant(NoiseListByNumber, USUAL_SLIP, "selector.set-law"),
)
