"""Sources that list, count or store the scores wrongly."""

import random
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.stores import HistogramSource

PAGE: Final = 100
"""Entries per page of a server."""

Page = Sequence[tuple[int, int]]


class TiesShuffledEveryPage(HistogramSource):
    """Every page orders ties anew, so pages repeat some items and miss others."""

    def top(self, start: int, count: int) -> Page:
        """Sort again before a page is cut."""
        random.shuffle(self.order)
        self.order.sort(key=lambda item: -self.histogram[item - 1])
        return super().top(start, count)


class ItemLostAtPageBorders(HistogramSource):
    """A page that does not start the list skips its first entry."""

    def top(self, start: int, count: int) -> Page:
        """Return the entries from one rank too late."""
        return super().top(start + 1 if start > 1 else start, count)


class ItemRepeatedAtPageBorders(HistogramSource):
    """A page starts with the last entry of the page before."""

    def top(self, start: int, count: int) -> Page:
        """Return the entries from one rank too early."""
        return super().top(max(1, start - 1), count)


class PagesOfAHundred(HistogramSource):
    """A page has at most 100 entries, whatever is asked for."""

    def top(self, start: int, count: int) -> Page:
        """Return a short page."""
        return super().top(start, min(count, PAGE))


class StartIgnored(HistogramSource):
    """Every page starts at the top of the list."""

    def top(self, start: int, count: int) -> Page:
        """Return the first entries."""
        return super().top(min(start, 1), count)


class CursorIgnoresStart(HistogramSource):
    """A page starts where the last one ended, not at the rank that was asked for."""

    at = 1

    def top(self, start: int, count: int) -> Page:
        """Return the next entries."""
        page = super().top(self.at, count)
        self.at += len(page)
        return page


class PagesGoRound(HistogramSource):
    """A page beyond the end is filled from the top of the list."""

    def top(self, start: int, count: int) -> Page:
        """Return as many entries as were asked for."""
        page = list(super().top(start, count))
        return page + list(super().top(1, min(count - len(page), self.size)))


class AscendingOrder(HistogramSource):
    """The list begins with the smallest scores."""

    def sorted_items(self) -> list[int]:
        """Return the items by ascending score."""
        return super().sorted_items()[::-1]


class ScoresSortedAsText(HistogramSource):
    """Scores are sorted as text, so 9 comes before 10."""

    def sorted_items(self) -> list[int]:
        """Return the items by descending text."""
        return sorted(
            range(1, self.size + 1), key=lambda item: str(self.histogram[item - 1]), reverse=True
        )


class ListNotSortedAtAll(HistogramSource):
    """The list is sorted by the items' numbers instead of their scores."""

    def sorted_items(self) -> list[int]:
        """Return the items by number."""
        return list(range(1, self.size + 1))


class StaleScores(HistogramSource):
    """Random access reads a copy that lacks the last vote for the best item."""

    def score(self, item: int) -> int:
        """Return the score of an item, as it was."""
        score = super().score(item)
        return max(0, score - 1) if item == self.order[0] else score


class ScoresOf32Bits(HistogramSource):
    """Scores are stored in 32 bits and overflow."""

    def stored_scores(self, histogram: Sequence[int]) -> Sequence[int]:
        """Return what is left of the scores."""
        return [(score + 2**31) % 2**32 - 2**31 for score in histogram]


class ZerosMissing(HistogramSource):
    """Items without a vote are not in the list."""

    def sorted_items(self) -> list[int]:
        """Return the items that have votes."""
        return [item for item in super().sorted_items() if self.histogram[item - 1]]


class ZerosNotCounted(HistogramSource):
    """The size of the domain is the number of items that have votes."""

    @property
    def size(self) -> int:
        """The number of items with votes."""
        return sum(score > 0 for score in self.histogram)

    def sorted_items(self) -> list[int]:
        """Return the items that have votes."""
        items = range(1, len(self.histogram) + 1)
        voted = [item for item in items if self.histogram[item - 1]]
        return sorted(voted, key=lambda item: -self.histogram[item - 1])


class ScoresInStoredOrder(HistogramSource):
    """The scores of several items are returned by item number, not in the order asked for."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of sorted items."""
        return super().scores(sorted(items))


class ScoresOfDistinctItems(HistogramSource):
    """An item that is asked for twice gets one score in the answer."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of the different items."""
        return super().scores(list(dict.fromkeys(items)))


class UnknownItemsScoreZero(HistogramSource):
    """An item outside the domain has score 0 instead of an error."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores, 0 where there is none."""
        return [self.score(item) if 1 <= item <= self.size else 0 for item in items]


class ItemsFromZero(HistogramSource):
    """Items are numbered from 0."""

    def top(self, start: int, count: int) -> Page:
        """Return entries with the numbers of an array."""
        return [(item - 1, score) for item, score in super().top(start, count)]


class ScoresCappedAtAThousand(HistogramSource):
    """Random access returns at most 1000."""

    def score(self, item: int) -> int:
        """Return a capped score."""
        return min(1000, super().score(item))


MUTANTS: Final = (
    mutant(TiesShuffledEveryPage, USUAL_SLIP, "source.order"),
    mutant(ItemLostAtPageBorders, USUAL_SLIP, "source.order"),
    mutant(ItemRepeatedAtPageBorders, USUAL_SLIP, "source.order"),
    mutant(PagesOfAHundred, USUAL_SLIP, "source.agreement"),
    mutant(StartIgnored, USUAL_SLIP, "source.pages"),
    mutant(CursorIgnoresStart, USUAL_SLIP, "source.pages"),
    mutant(PagesGoRound, USUAL_SLIP, "source.pages"),
    mutant(AscendingOrder, USUAL_SLIP, "source.order"),
    mutant(ScoresSortedAsText, USUAL_SLIP, "source.order"),
    mutant(ListNotSortedAtAll, USUAL_SLIP, "source.order"),
    mutant(StaleScores, USUAL_SLIP, "source.agreement"),
    mutant(ScoresOf32Bits, USUAL_SLIP, "source.agreement"),
    mutant(ZerosMissing, USUAL_SLIP, "source.order"),
    mutant(ZerosNotCounted, USUAL_SLIP, "source.order"),
    mutant(ScoresInStoredOrder, USUAL_SLIP, "source.agreement"),
    mutant(ScoresOfDistinctItems, USUAL_SLIP, "source.agreement"),
    mutant(UnknownItemsScoreZero, USUAL_SLIP, "source.refusals"),
    mutant(ItemsFromZero, USUAL_SLIP, "source.agreement"),
    mutant(ScoresCappedAtAThousand, USUAL_SLIP, "source.agreement"),
)
