"""Selectors whose answer has a wrong order, or an order that reveals too much."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.selectors import Entries, ScanSelector, check
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


class RankingWorstFirst(ScanSelector):
    """A ranked list is returned worst first."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the ranking upside down."""
        return ranking[::-1] if question.is_ranked else sorted(ranking)


class RankingByNumber(ScanSelector):
    """A ranked list is sorted by item number."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items sorted."""
        return sorted(ranking)


class RankingByTrueScore(ScanSelector):
    """The selected items are ranked by their scores instead of their noisy scores."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, and note their order."""
        entries = super().entries(scores, question)
        self.rank = {item: rank for rank, (item, _) in enumerate(entries)}
        return entries

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the ranking that the scores give."""
        return sorted(ranking, key=self.rank.__getitem__) if question.is_ranked else sorted(ranking)


class SetByNoisyScore(ScanSelector):
    """A set is listed by noisy score."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the ranking."""
        return ranking


class LaplaceSetByNoisyScore(ScanSelector):
    """Sets under Laplace noise, which does not protect the order, are listed by noisy score."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the ranking under Laplace noise."""
        return (
            ranking
            if question.noise is NoiseKind.LAPLACE
            else super().arrange_items(ranking, question)
        )


class SetByTrueScore(RankingByTrueScore):
    """A set is listed by true score, as it was read."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return a ranking as it is, and a set in the order of reading."""
        return ranking if question.is_ranked else sorted(ranking, key=self.rank.__getitem__)


class SetWinnerLast(ScanSelector):
    """A set is listed by number, except that its winner comes last."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the set with the winner last."""
        return ranking if question.is_ranked else [*sorted(ranking[1:]), ranking[0]]


class LongSetByTrueScore(SetByTrueScore):
    """A set is listed by true score if it has 16 items or more."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return a short set by number."""
        if len(ranking) < 16 and not question.is_ranked:
            return sorted(ranking)
        return super().arrange_items(ranking, question)


class SetByTrueScoreUnderSwaps(SetByTrueScore):
    """A set is listed by true score if the relation is swap and delta is positive."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the set by number under all other options."""
        if (question.relation is Relation.SWAP and question.delta > 0) or question.is_ranked:
            return super().arrange_items(ranking, question)
        return sorted(ranking)


class TiedSetAsRead(RankingByTrueScore):
    """A set of items with equal scores is listed as its items stand in the sorted list."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, and note their scores."""
        entries = super().entries(scores, question)
        self.scores = dict(entries)
        return entries

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return a set by number, unless all its scores are the same."""
        if question.is_ranked:
            return ranking
        is_tied = len({self.scores[item] for item in ranking}) == 1
        return sorted(ranking, key=self.rank.__getitem__ if is_tied else None)


class SetInHashOrder(ScanSelector):
    """A set is listed as a hash table holds it; items that collide stand by noisy score."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return a set as Python iterates over it, filled best first."""
        return ranking if question.is_ranked else list(set(ranking))


class SetReversedIfVotesAreOdd(ScanSelector):
    """A set is listed by number, and in reverse if the number of all votes is odd."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return all entries, and note whether the votes are odd."""
        entries = super().entries(scores, question)
        self.is_odd = sum(int(score) for _, score in entries) % 2 == 1
        return entries

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return a set in one of two orders."""
        return ranking if question.is_ranked else sorted(ranking, reverse=self.is_odd)


class RankedLaplaceAccepted(ScanSelector):
    """A ranked list under Laplace noise is returned instead of refused."""

    def check(self, question: Question, m: int) -> None:
        """Check the question as if a set were asked for."""
        check(replace(question, is_ranked=False), m)


MUTANTS: Final = (
    mutant(RankingWorstFirst, USUAL_SLIP, "selector.ranked-law"),
    mutant(RankingByNumber, USUAL_SLIP, "selector.ranked-law"),
    mutant(RankingByTrueScore, PRIVACY_BUG, "selector.ranked-law"),
    mutant(SetByNoisyScore, USUAL_SLIP, "selector.set-order"),
    mutant(LaplaceSetByNoisyScore, PRIVACY_BUG, "selector.set-order"),
    mutant(SetByTrueScore, PRIVACY_BUG, "selector.set-order"),
    mutant(SetWinnerLast, PRIVACY_BUG, "selector.set-order"),
    mutant(LongSetByTrueScore, PRIVACY_BUG, "selector.set-order"),
    mutant(SetByTrueScoreUnderSwaps, PRIVACY_BUG, "selector.set-order"),
    mutant(TiedSetAsRead, PRIVACY_BUG, "selector.set-order"),
    mutant(SetInHashOrder, USUAL_SLIP, "selector.set-order"),
    mutant(SetReversedIfVotesAreOdd, PRIVACY_BUG, "selector.set-order"),
    mutant(RankedLaplaceAccepted, PRIVACY_BUG, "selector.refusals"),
)
