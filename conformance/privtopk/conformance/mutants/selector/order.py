"""Selectors whose answer has a wrong order, or an order that reveals too much."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.selectors import Entries, ScanSelector, check
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
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
    mutant(RankedLaplaceAccepted, PRIVACY_BUG, "selector.refusals"),
)
