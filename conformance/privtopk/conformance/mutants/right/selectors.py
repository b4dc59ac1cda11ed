"""Right selectors: a full scan, the threshold algorithm, and the two phases.

The mutants change one method of one of these classes. Noisy scores are kept in units of the
noise, as rate (score - best score) + Z with Z of scale 1: the difference is exact in
integers, and no score is too large for a double.
"""

import heapq
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from privtopk.conformance.mutants.right.lists import (
    STANDARD_NOISES,
    RankFreeList,
    Uniform,
    coins_of,
    noise_at_level,
)
from privtopk.conformance.subjects.checked_doors import CheckedDoors
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import SCANNED, Cost, Kind, NoiseList
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import (
    require_delta,
    require_epsilon,
    require_k,
    require_member,
    require_size,
)
from privtopk.spec.model.values import Number, exact_sum
from privtopk.spec.noise.distributions import NoiseKind

Entries: TypeAlias = list[tuple[int, float]]
"""Items with their scores, best first."""

Total: TypeAlias = Callable[[float, float], Number]
"""Returns the noisy score of a score and a noise."""


@dataclass(frozen=True, slots=True)
class NoiseSupply:
    """How the noise of one selection is drawn."""

    noise: NoiseKind
    rate: float
    uniform: Uniform


def check(question: Question, m: int) -> None:
    """Refuse a question that cannot be answered, whatever the scores are."""
    require_k(question.k, require_size(m))
    require_epsilon(question.epsilon)
    require_delta(question.delta)
    require_member("relation", question.relation, Relation)
    if (
        require_member("noise", question.noise, NoiseKind) is NoiseKind.LAPLACE
        and question.is_ranked
    ):
        raise SelectionError(Reason.RANKED_LAPLACE, "Laplace noise protects the set only")


def lead(score: float, best: float, rate: float) -> float:
    """Return rate (score - best); the difference is exact, and bounded before it is a float."""
    return rate * max(score - best, -(10**300))


def leads(entries: Entries, rate: float) -> dict[int, float]:
    """Return the score of every entry in units of the noise, counted from the best score."""
    best = entries[0][1]
    return {item: lead(score, best, rate) for item, score in entries}


def look_up(scores: Doors, items: Iterable[int]) -> Entries:
    """Return the entries of some items, best first, read by random access."""
    wanted = [*items]
    read = zip(wanted, scores.values(wanted), strict=True)
    return sorted(read, key=lambda entry: -entry[1])


def best_of(noisy: dict[int, float], k: int) -> list[int]:
    """Return the k items with the largest noisy scores, best first."""
    return heapq.nlargest(k, noisy, key=noisy.__getitem__)


class RightSelector:
    """What all selectors share: the checks, the rate, the coins, and how items are listed."""

    kind = Kind.SELECTOR
    noises = tuple(NoiseKind)
    ranked = True
    cost = Cost.SCAN
    largest = SCANNED

    def check(self, question: Question, m: int) -> None:
        """Refuse what cannot be answered, before a score is read."""
        check(question, m)

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate of the least noise that the budget allows."""
        return largest_allowed_rate(question, m)

    def coins(self) -> Uniform:
        """Return fresh coins."""
        return coins_of(random.Random())

    def standard_noise(self, supply: NoiseSupply) -> float:
        """Return one noise of scale 1."""
        return noise_at_level(supply.noise, -math.log(supply.uniform()))

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items best first, or by their number if only the set was asked for."""
        return ranking if question.is_ranked else sorted(ranking)


class ScanSelector(RightSelector):
    """Reads everything, adds noise to every score, and returns the k largest."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with fresh coins."""
        return self.select_with(scores, question, self.coins())

    def select_with(self, scores: Doors, question: Question, uniform: Uniform) -> Sequence[int]:
        """Select with given coins."""
        self.check(question, scores.size)
        supply = NoiseSupply(question.noise, self.noise_rate(question, scores.size), uniform)
        noisy = self.noisy_scores(self.entries(scores, question), supply)
        return self.arrange_items(self.ranking(noisy, question.k), question)

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return the items that may be selected, with their scores, best first."""
        return CheckedDoors(scores).top(scores.size)

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return the noisy score of every entry, in units of the noise."""
        return {
            item: score + self.standard_noise(supply)
            for item, score in leads(entries, supply.rate).items()
        }

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the k best, best first."""
        return best_of(noisy, k)


class RandomScanSelector(ScanSelector):
    """The same through the other door: it looks up every item by its number."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all items with their scores, best first."""
        return look_up(CheckedDoors(scores), range(1, scores.size + 1))


class TapeSelector(ScanSelector):
    """A full scan that also runs on served coins, one per item."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Uniform, question: Question
    ) -> Sequence[int]:
        """Select with the coins of the harness."""
        return self.select_with(scores, question, uniform)


class SeenItems:
    """The items that the threshold algorithm has met, and the k best of them."""

    def __init__(self, k: int) -> None:
        """Start with nothing seen."""
        self.k = k
        self.items: set[int] = set()
        self.best: list[tuple[Number, int]] = []

    def meet(self, item: int, value: Number) -> None:
        """Take an item into account, once; ties go to the smaller item."""
        if item not in self.items:
            self.items.add(item)
            heapq.heappush(self.best, (value, -item))
            if len(self.best) > self.k:
                heapq.heappop(self.best)

    def reaches(self, bar: Number) -> bool:
        """Return whether k items are at least as good as the bar."""
        return len(self.best) == self.k and self.best[0][0] >= bar

    def ranking(self) -> list[int]:
        """Return the best items, best first."""
        return [-negative for _, negative in sorted(self.best, reverse=True)]


class ThresholdSelector(RightSelector):
    """The threshold algorithm on the score list and a noise list that is made on demand."""

    cost = Cost.THRESHOLD
    largest = 2**60

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with noise of its own."""
        self.check(question, scores.size)
        rate = self.noise_rate(question, scores.size)
        noises = self.noise_list(scores.size, question.noise)
        anchor: list[float] = []

        def total(score: float, noise: float) -> Number:
            """Return the noisy score, counted from the first score that was delivered."""
            if not anchor:
                anchor.append(score)
            return rate * max(min(score - anchor[0], 10**300), -(10**300)) + noise

        ranking = self.run(CheckedDoors(scores), noises, question.k, total)
        return self.arrange_items(ranking, question)

    def select_with_noise(
        self, scores: Doors, noises: NoiseList, question: Question
    ) -> Sequence[int]:
        """Select with the noise of the harness; the sums are exact."""
        self.check(question, scores.size)
        ranking = self.run(
            scores, noises, question.k, lambda score, noise: exact_sum((score, noise))
        )
        return self.arrange_items(ranking, question)

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return a fresh noise list of scale 1."""
        return RankFreeList(m, 1.0, noise)

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read both lists in rounds until no unseen item can be among the k best."""
        seen = SeenItems(k)
        while not seen.reaches(self.round(scores, noises, seen, total)):
            pass
        return seen.ranking()

    def round(self, scores: Doors, noises: NoiseList, seen: SeenItems, total: Total) -> Number:
        """Read one entry of each list, and return what an unseen item can reach at most."""
        item, score = scores.sorted_access()
        seen.meet(item, total(score, noises.random_access(item)))
        other, noise = noises.sorted_access()
        seen.meet(other, total(scores.random_access(other), noise))
        return total(score, noise)


class TwoPhaseSelector(RightSelector):
    """Reads a prefix, then only the items whose noise can lift them into the best k."""

    cost = Cost.BATCHED
    largest = 1_000_000
    second_phases = 1
    """How many times the noise of the unread items is drawn."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with fresh coins."""
        m, k = scores.size, question.k
        self.check(question, m)
        rate = self.noise_rate(question, m)
        supply = NoiseSupply(question.noise, rate, self.coins())
        scores = CheckedDoors(scores)
        prefix = scores.top(self.prefix_length(m, k))
        best, lowest = prefix[0][1], prefix[-1][1]
        noisy = {
            item: score + self.standard_noise(supply) for item, score in leads(prefix, rate).items()
        }
        for _ in range(self.second_phases):
            bar = heapq.nlargest(k, noisy.values())[-1] - lead(lowest, best, rate)
            chance = self.chance(question.noise, bar)
            chosen = self.tail(m, noisy, chance)
            for item, score in zip(chosen, scores.values(chosen), strict=True):
                level = self.tail_level(chance, supply.uniform)
                noisy[item] = lead(score, best, rate) + noise_at_level(question.noise, level)
        return self.arrange_items(best_of(noisy, k), question)

    def prefix_length(self, m: int, k: int) -> int:
        """Return the number of entries that the first phase reads: about sqrt(mk)."""
        return min(m, 1 + math.isqrt(m * k - 1))

    def chance(self, noise: NoiseKind, bar: float) -> float:
        """Return the probability that a noise of scale 1 exceeds the bar."""
        return -math.expm1(-STANDARD_NOISES[noise].to_exponential(bar))

    def tail(self, m: int, read: dict[int, float], chance: float) -> list[int]:
        """Return a subset of the unread items, each in it independently with the same chance."""
        count = int(np.random.default_rng().binomial(m - len(read), chance))
        generator = random.Random()
        chosen: set[int] = set()
        while len(chosen) < count:
            item = generator.randrange(m) + 1
            if item not in read:
                chosen.add(item)
        return sorted(chosen)

    def tail_level(self, chance: float, uniform: Uniform) -> float:
        """Return the level of a noise that exceeds the bar."""
        return -math.log1p(-chance * uniform())
