"""Threshold selectors whose wrong rule shows when the harness serves the noise."""

from collections.abc import Sequence
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.selectors import SeenItems, ThresholdSelector, Total
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import NoiseList
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.values import Number, exact_sum


class StrictStop(ThresholdSelector):
    """It stops only when k items exceed the threshold: `>` instead of `>=`."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until k items exceed the bar, or the lists end."""
        seen = SeenItems(k)
        for _ in range(scores.size):
            bar = self.round(scores, noises, seen, total)
            if len(seen.best) == k and seen.best[0][0] > bar:
                break
        return seen.ranking()


class LastRoundForgotten(ThresholdSelector):
    """It returns the best items of all rounds except the last."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Return what was best a round ago."""
        seen = SeenItems(k)
        before: list[int] = []
        while not seen.reaches(self.round(scores, noises, seen, total)):
            before = seen.ranking()
        return before if len(before) == k else seen.ranking()


class StopsWithKItems(ThresholdSelector):
    """It stops as soon as k items were seen."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until there are k items."""
        seen = SeenItems(k)
        while len(seen.items) < k:
            self.round(scores, noises, seen, total)
        return seen.ranking()


class StopsWhenTheWinnerIsSafe(ThresholdSelector):
    """It stops when the best item, instead of the k-th best, reaches the threshold."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until one of at least k items reaches the bar."""
        seen = SeenItems(k)
        while True:
            bar = self.round(scores, noises, seen, total)
            if len(seen.best) == k and max(seen.best)[0] >= bar:
                return seen.ranking()


class ChangedRound(ThresholdSelector):
    """A selector whose rounds can be changed; it stops at the end of the lists at the latest."""

    def run(self, scores: Doors, noises: NoiseList, k: int, total: Total) -> list[int]:
        """Read until the rule holds, or the lists end."""
        seen = SeenItems(k)
        for _ in range(scores.size):
            if seen.reaches(self.round(scores, noises, seen, total)):
                break
        return seen.ranking()

    def round(self, scores: Doors, noises: NoiseList, seen: SeenItems, total: Total) -> Number:
        """Read one entry of each list, and return another bar."""
        item, score = scores.sorted_access()
        own = noises.random_access(item)
        other, noise = noises.sorted_access()
        found = scores.random_access(other)
        self.meet(seen, (item, total(score, own)), (other, total(found, noise)))
        return self.bar(total, (score, own), (found, noise))

    def meet(self, seen: SeenItems, first: tuple[int, Number], second: tuple[int, Number]) -> None:
        """Take the two items of a round into account."""
        seen.meet(*first)
        seen.meet(*second)

    def bar(self, total: Total, first: tuple[float, float], second: tuple[float, float]) -> Number:
        """Return what an unseen item can reach: the last score plus the last noise."""
        return total(first[0], second[1])


class ThresholdWithoutNoise(ChangedRound):
    """The threshold is the last score alone."""

    def bar(self, total: Total, first: tuple[float, float], second: tuple[float, float]) -> Number:
        """Return the score."""
        return total(first[0], 0.0)


class ThresholdOfOneItem(ChangedRound):
    """The threshold is the noisy score of the item that the score list delivered."""

    def bar(self, total: Total, first: tuple[float, float], second: tuple[float, float]) -> Number:
        """Return the sum for one item, not for two lists."""
        return total(*first)


class ThresholdOfTheSmallerItem(ChangedRound):
    """The threshold is the smaller noisy score of the two items of a round."""

    def bar(self, total: Total, first: tuple[float, float], second: tuple[float, float]) -> Number:
        """Return the smaller sum."""
        return min(total(*first), total(*second))


class NoiseListItemsForgotten(ChangedRound):
    """Items from the noise list are read but not considered."""

    def meet(self, seen: SeenItems, first: tuple[int, Number], second: tuple[int, Number]) -> None:
        """Take the item of the score list only."""
        seen.meet(*first)


class ScoreListItemsForgotten(ChangedRound):
    """Items from the score list are read but not considered."""

    def meet(self, seen: SeenItems, first: tuple[int, Number], second: tuple[int, Number]) -> None:
        """Take the item of the noise list only."""
        seen.meet(*second)


class BetterItemOfARound(ChangedRound):
    """Only the better item of a round is considered once there are k."""

    def meet(self, seen: SeenItems, first: tuple[int, Number], second: tuple[int, Number]) -> None:
        """Take the better item, and the other one while it is needed."""
        better, other = sorted((first, second), key=lambda entry: -entry[1])
        seen.meet(*better)
        if len(seen.best) < seen.k:
            seen.meet(*other)


class ServedNoiseSelector(ThresholdSelector):
    """A selector that is right with its own noise and wrong with served noise."""

    def served_total(self, score: float, noise: float) -> Number:
        """Return the noisy score."""
        return exact_sum((score, noise))

    def select_with_noise(
        self, scores: Doors, noises: NoiseList, question: Question
    ) -> Sequence[int]:
        """Select with the noise of the harness."""
        self.check(question, scores.size)
        return self.arrange_items(self.run(scores, noises, question.k, self.served_total), question)


class ServedNoiseIgnored(ServedNoiseSelector):
    """Served noise is ignored: it draws its own noise."""

    def select_with_noise(
        self, scores: Doors, noises: NoiseList, question: Question
    ) -> Sequence[int]:
        """Select with its own noise."""
        return self.select(scores, question)


class ServedNoiseDoubled(ServedNoiseSelector):
    """Served noise is doubled."""

    def served_total(self, score: float, noise: float) -> Number:
        """Return the score with twice the noise."""
        return exact_sum((score, 2 * noise))


class ServedNoiseCut(ServedNoiseSelector):
    """Served noise below 0 is replaced by 0."""

    def served_total(self, score: float, noise: float) -> Number:
        """Return the score with the noise that helps."""
        return exact_sum((score, max(noise, 0.0)))


class ServedSumsRounded(ServedNoiseSelector):
    """Noisy scores are rounded to whole votes."""

    def served_total(self, score: float, noise: float) -> Number:
        """Return a whole number."""
        return round(exact_sum((score, noise)))


MUTANTS: Final = (
    mutant(StrictStop, erratum(22), "selector.replay-stop"),
    mutant(LastRoundForgotten, USUAL_SLIP, "selector.replay-set"),
    mutant(StopsWithKItems, USUAL_SLIP, "selector.replay-set"),
    mutant(StopsWhenTheWinnerIsSafe, USUAL_SLIP, "selector.replay-set"),
    mutant(ThresholdWithoutNoise, USUAL_SLIP, "selector.replay-set"),
    mutant(ThresholdOfOneItem, erratum(20), "selector.replay-set"),
    mutant(ThresholdOfTheSmallerItem, USUAL_SLIP, "selector.replay-set"),
    mutant(NoiseListItemsForgotten, USUAL_SLIP, "selector.replay-set"),
    mutant(ScoreListItemsForgotten, USUAL_SLIP, "selector.replay-set"),
    mutant(BetterItemOfARound, USUAL_SLIP, "selector.replay-set"),
    mutant(ServedNoiseIgnored, USUAL_SLIP, "selector.replay-set"),
    mutant(ServedNoiseDoubled, USUAL_SLIP, "selector.replay-set"),
    mutant(ServedNoiseCut, USUAL_SLIP, "selector.replay-set"),
    mutant(ServedSumsRounded, USUAL_SLIP, "selector.replay-set"),
)
