"""Selectors that leak by errors, by what they publish, or by what they leave without noise."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.mutants.mutant import PEER, PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import Uniform
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    NoiseSupply,
    ScanSelector,
    ThresholdSelector,
    check,
    leads,
    look_up,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.errors import Reason, SelectionError


class NothingToSelect(ScanSelector):
    """A histogram without a vote is refused: the error reveals whether anybody voted."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Refuse scores that are all 0."""
        entries = super().entries(scores, question)
        if entries[0][1] == 0:
            raise SelectionError(Reason.EMPTY_DOMAIN, "no item has a vote")
        return entries


class TooFewCandidates(ScanSelector):
    """The question is refused if fewer than k items have votes."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Refuse scores of which too few are positive."""
        entries = super().entries(scores, question)
        voted = sum(score > 0 for _, score in entries)
        if voted < question.k:
            raise SelectionError(
                Reason.K_OUT_OF_RANGE, f"k must be at most {voted}, got {question.k}"
            )
        return entries


class LargeScoreRefused(ScanSelector):
    """A score above 10^6 is refused, and the message names it."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Refuse a large best score."""
        entries = super().entries(scores, question)
        if entries[0][1] > 10**6:
            raise SelectionError(Reason.SCORE_OUT_OF_RANGE, f"score {entries[0][1]} is too large")
        return entries


class ChecksAfterReading(ScanSelector):
    """Parameters are checked only after the scores have been read."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Read, then select."""
        scores.top(1)
        return super().select(scores, question)

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Read by random access, since the sorted list has been begun."""
        return look_up(scores, range(1, scores.size + 1))


class ErrorTellsTheWinner(ScanSelector):
    """The message of a refused question names the item with the best score."""

    def check(self, question: Question, m: int) -> None:
        """Leave the checks to the reading."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select, or raise with too much detail."""
        try:
            check(question, scores.size)
        except SelectionError as error:
            winner, _ = scores.sorted_access()
            raise SelectionError(error.reason, f"{error}; best item {winner}") from error
        return super().select(scores, question)


class ChecksNothing(ScanSelector):
    """Parameters are not checked: a wrong one raises some error of Python."""

    def check(self, question: Question, m: int) -> None:
        """Accept everything."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return epsilon over k, as it comes."""
        return question.epsilon / question.k


class AccessCountPublished(ThresholdSelector):
    """The number of accesses is published at the end of the answer."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return the items and how many rounds it took."""
        self.rounds = 0
        return [*super().select(scores, question), self.rounds]

    def round(self, scores: Doors, *lists: Any) -> Any:
        """Count the rounds."""
        self.rounds += 1
        return super().round(scores, *lists)


class ScoresPublished(ScanSelector):
    """The answer is a list of pairs of an item and its true score."""

    def select_with(self, scores: Doors, question: Question, uniform: Uniform) -> Any:
        """Return the items with their scores."""
        items = super().select_with(scores, question, uniform)
        return list(zip(items, scores.values(items), strict=True))


class OnlyTheHeadGetsNoise(ScanSelector):
    """Only the best 2k items get noise, and no other item can be selected."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return the head of the list."""
        return scores.top(min(2 * question.k, scores.size))


class BareScoresBelowTheHead(ScanSelector):
    """Only the better half of the list gets noise; the others keep their true scores."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores for the first half of the list."""
        head = entries[: (len(entries) + 1) // 2]
        return leads(entries, supply.rate) | super().noisy_scores(head, supply)


def tied_items(entries: Entries) -> set[int]:
    """Return the items whose score another item has too."""
    counts = Counter(score for _, score in entries)
    return {item for item, score in entries if counts[score] > 1}


class NoNoiseWithoutTies(ScanSelector):
    """Items whose score no other item has get no noise."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return scores of which only the tied ones are noisy."""
        tied = tied_items(entries)
        noisy, bare = super().noisy_scores(entries, supply), leads(entries, supply.rate)
        return {item: noisy[item] if item in tied else bare[item] for item in bare}


class NoNoiseForTies(ScanSelector):
    """Tied items get no noise: their order in the list decides."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return scores of which only the single ones are noisy."""
        tied = tied_items(entries)
        noisy, bare = super().noisy_scores(entries, supply), leads(entries, supply.rate)
        return {item: bare[item] if item in tied else noisy[item] for item in bare}


class NoNoiseBeyondAGap(ScanSelector):
    """If the k-th score exceeds the next by five scales, the true top k are returned."""

    def select_with(self, scores: Doors, question: Question, uniform: Uniform) -> Sequence[int]:
        """Remember how many items are wanted."""
        self.k = question.k
        return super().select_with(scores, question, uniform)

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return true scores if there is a gap."""
        head, rest = entries[: self.k], entries[self.k :]
        if rest and supply.rate * (head[-1][1] - rest[0][1]) >= 5:
            return leads(entries, supply.rate)
        return super().noisy_scores(entries, supply)


class LeaderAlwaysSelected(ScanSelector):
    """The item with the best score is always selected; noise decides only on the others."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores in which the leader is the largest."""
        noisy = super().noisy_scores(entries, supply)
        return noisy | {entries[0][0]: max(noisy.values()) + 1}


MUTANTS: Final = (
    mutant(NothingToSelect, PRIVACY_BUG, "selector.shape"),
    mutant(TooFewCandidates, PRIVACY_BUG, "selector.set-order"),
    mutant(LargeScoreRefused, PRIVACY_BUG, "selector.degenerate"),
    mutant(ChecksAfterReading, PRIVACY_BUG, "selector.refusals"),
    mutant(ErrorTellsTheWinner, PRIVACY_BUG, "selector.refusals"),
    mutant(ChecksNothing, USUAL_SLIP, "selector.refusals"),
    mutant(AccessCountPublished, erratum(33), "selector.set-order"),
    mutant(ScoresPublished, PRIVACY_BUG, "selector.set-order"),
    mutant(OnlyTheHeadGetsNoise, PEER, "selector.set-law"),
    mutant(BareScoresBelowTheHead, PRIVACY_BUG, "selector.set-law"),
    mutant(NoNoiseWithoutTies, PRIVACY_BUG, "selector.set-law"),
    mutant(NoNoiseForTies, PRIVACY_BUG, "selector.set-law"),
    mutant(NoNoiseBeyondAGap, PRIVACY_BUG, "selector.tail"),
    mutant(LeaderAlwaysSelected, PRIVACY_BUG, "selector.set-law"),
)
