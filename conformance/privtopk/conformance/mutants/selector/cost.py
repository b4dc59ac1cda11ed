"""Selectors that read more than they promise, or know more than they have read."""

from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.mutants.mutant import HOSTILE, PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import Uniform
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    ScanSelector,
    SeenItems,
    ThresholdSelector,
    Total,
    TwoPhaseSelector,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Cost, NoiseList
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.values import Number


class ScanThatPromisesRounds(ScanSelector):
    """It reads everything and promises the cost of the threshold algorithm."""

    cost = Cost.THRESHOLD


class ScanThatPromisesBatches(ScanSelector):
    """It reads everything and promises at most 2 sqrt(mk) accesses."""

    cost = Cost.BATCHED


class OneRoundTooMany(ThresholdSelector):
    """It reads one more round after the stopping rule holds."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until the rule holds, and once more."""
        seen = SeenItems(k)
        while not seen.reaches(self.round(scores, noises, seen, total)):
            pass
        if len(seen.items) < scores.size:
            self.round(scores, noises, seen, total)
        return seen.ranking()


class DeliveredItemReadAgain(ThresholdSelector):
    """The score that sorted access has just delivered is read again: three accesses per round."""

    def round(self, scores: Doors, noises: NoiseList, seen: SeenItems, total: Total) -> Number:
        """Read one entry of each list, as printed."""
        item, _ = scores.sorted_access()
        score = scores.random_access(item)
        seen.meet(item, total(score, noises.random_access(item)))
        other, noise = noises.sorted_access()
        seen.meet(other, total(scores.random_access(other), noise))
        return total(score, noise)


class CandidatesReadAgain(ThresholdSelector):
    """The scores of the selected items are read four more times at the end."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Select and look again."""
        items = super().run(scores, noises, k, total)
        scores.values(items * 4)
        return items


class RuleTestedSeldom(ThresholdSelector):
    """The stopping rule is tested only every 16 rounds."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read in blocks of rounds, as far as the lists go."""
        seen = SeenItems(k)
        bar = self.round(scores, noises, seen, total)
        rounds = 1
        while not (seen.reaches(bar) and rounds % 16 == 0) and rounds < scores.size:
            bar = self.round(scores, noises, seen, total)
            rounds += 1
        return seen.ranking()


class RunsToTheMeeting(ThresholdSelector):
    """It stops when both lists have delivered more than k items in common, which is too late."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until the two lists have more than k items in common."""
        seen = SeenItems(k)
        first: set[int] = set()
        second: set[int] = set()
        while len(first & second) <= k and len(first) < scores.size:
            item, score = scores.sorted_access()
            seen.meet(item, total(score, noises.random_access(item)))
            other, noise = noises.sorted_access()
            seen.meet(other, total(scores.random_access(other), noise))
            first.add(item)
            second.add(other)
        return seen.ranking()


class ShareOfTheListFirst(ThresholdSelector):
    """One fiftieth of the scores is read before the algorithm starts."""

    largest = 1_000_000

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read a share of the scores that is never used."""
        scores.values(range(1, 1 + scores.size // 50))
        return super().run(scores, noises, k, total)


class PrefixOfAQuarter(TwoPhaseSelector):
    """The first phase reads a quarter of the list."""

    def prefix_length(self, m: int, k: int) -> int:
        """Return a share of m."""
        return max(k, m // 4)


class PrefixOfKItems(TwoPhaseSelector):
    """The first phase reads only k items, so the second reads most of the others."""

    def prefix_length(self, m: int, k: int) -> int:
        """Return k."""
        return k


class SecondPhaseReadTwice(TwoPhaseSelector):
    """The items of the second phase are read twice."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select through doors that read twice."""
        return super().select(_EagerDoors(scores), question)


class _EagerDoors(Doors):
    """Doors whose batches are read twice."""

    __slots__ = ("_doors",)

    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self.size = doors.size

    def top(self, count: int) -> list[tuple[int, float]]:
        return self._doors.top(count)

    def values(self, items: Sequence[int]) -> list[float]:
        self._doors.values(items)
        return self._doors.values(items)


def cells_of(scores: Doors) -> dict[str, Any]:
    """Return what the functions behind the doors have in their closures, by name."""
    found: dict[str, Any] = {}
    for name in ("_read_sorted", "_read_random"):
        function = getattr(scores, name, None)
        code = getattr(function, "__code__", None)
        cells = getattr(function, "__closure__", None) or ()
        if code is not None:
            found |= {n: c.cell_contents for n, c in zip(code.co_freevars, cells, strict=True)}
    return found


class ScoresFromTheClosure(ScanSelector):
    """It takes the scores from the closure of the doors, uncounted, and reads only the winners."""

    cost = Cost.THRESHOLD

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, from the closure if it has them."""
        score = cells_of(scores).get("score")
        if score is None:
            return super().entries(scores, question)
        stolen = [(item, score(item)) for item in range(1, scores.size + 1)]
        return sorted(stolen, key=lambda entry: -entry[1])

    def select_with(self, scores: Doors, question: Question, uniform: Uniform) -> Sequence[int]:
        """Select, and read the winners."""
        items = super().select_with(scores, question, uniform)
        scores.values(items)
        return items


class FirstKOfTheList(ScanSelector):
    """The first k entries of the sorted list are returned: cheap, exact, and not private."""

    cost = Cost.THRESHOLD

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return k entries."""
        return scores.top(question.k)


class NoiseItemsNotRead(ThresholdSelector):
    """The score of an item from the noise list is not read: the last score seen is used."""

    def round(self, scores: Doors, noises: NoiseList, seen: SeenItems, total: Total) -> Number:
        """Read one entry of each list, and guess the other score."""
        item, score = scores.sorted_access()
        seen.meet(item, total(score, noises.random_access(item)))
        other, noise = noises.sorted_access()
        seen.meet(other, total(score, noise))
        return total(score, noise)


MUTANTS: Final = (
    mutant(ScanThatPromisesRounds, USUAL_SLIP, "selector.access-cost"),
    mutant(ScanThatPromisesBatches, USUAL_SLIP, "selector.access-cost"),
    mutant(OneRoundTooMany, USUAL_SLIP, "selector.replay-stop"),
    mutant(DeliveredItemReadAgain, erratum(10), "selector.access-cost"),
    mutant(CandidatesReadAgain, USUAL_SLIP, "selector.access-cost"),
    mutant(RuleTestedSeldom, USUAL_SLIP, "selector.replay-stop"),
    mutant(RunsToTheMeeting, erratum(11), "selector.replay-stop"),
    mutant(ShareOfTheListFirst, USUAL_SLIP, "selector.access-cost"),
    mutant(PrefixOfAQuarter, USUAL_SLIP, "selector.access-cost"),
    mutant(PrefixOfKItems, USUAL_SLIP, "selector.access-cost"),
    mutant(SecondPhaseReadTwice, USUAL_SLIP, "selector.access-cost"),
    mutant(ScoresFromTheClosure, HOSTILE, "selector.no-peeking", is_in_process=True),
    mutant(FirstKOfTheList, erratum(14), "selector.privacy-audit"),
    mutant(NoiseItemsNotRead, PRIVACY_BUG, "selector.replay-set"),
)
