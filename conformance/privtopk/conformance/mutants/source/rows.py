"""Sources that go wrong with the items that have no row."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, mutants
from privtopk.conformance.mutants.right.sources import Page, RowSource

LISTED: Final = 500
"""Items without a row that one list can hold."""

VARIABLES: Final = 999
"""Variables per statement."""


class RowsOnly(RowSource):
    """Sorted access ends with the last row."""

    def fillers(self, passed: int, count: int) -> Page:
        """Return nothing."""
        return []


class FillersWaitForTheNextPage(RowSource):
    """The page on which the rows end is not filled up with items without a row."""

    def top(self, start: int, count: int) -> Page:
        """Return rows, or items without a row."""
        return self.sorted_rows()[start - 1 :][:count] or super().top(start, count)


class FillersStartAnew(RowSource):
    """After the last page with rows, the items without a row start again with the first."""

    def top(self, start: int, count: int) -> Page:
        """Return entries; what filled up the last page with rows is forgotten."""
        page = super().top(start, count)
        passed = start - 1 - len(self.rows)
        return page if passed <= 0 else self.fillers(0, len(page))


class FillersBeforeSmallScores(RowSource):
    """Items without a row are listed before rows with one vote."""

    def top(self, start: int, count: int) -> Page:
        """Return the entries with scores of 0 before scores of 1."""
        entries = [*super().top(1, self.size)]
        entries.sort(key=lambda entry: -entry[1] if entry[1] > 1 else entry[1] - 1)
        return entries[start - 1 :][:count]


class RowsOfZeroTwice(RowSource):
    """A row with score 0 is listed twice: as a row and as an item without votes."""

    def fillers(self, passed: int, count: int) -> Page:
        """Return items without votes."""
        voted = {item for item, score in self.rows.items() if score}
        missing = [item for item in range(1, self.size + 1) if item not in voted]
        return [(item, 0) for item in missing[max(0, passed) :][:count]]


class RowsOfZeroMissing(RowSource):
    """A row with score 0 is listed neither as a row nor as an item without a row."""

    def sorted_rows(self) -> list[tuple[int, int]]:
        """Return the rows with votes."""
        return [row for row in super().sorted_rows() if row[1]]


class FillersOfOneList(RowSource):
    """At most 500 items without a row are listed."""

    def fillers(self, passed: int, count: int) -> Page:
        """Return entries of a list that is cut."""
        return super().fillers(passed, max(0, min(count, LISTED - passed)))


class EmptyTablesHaveNoItems(RowSource):
    """A table without votes reports a domain of size 0."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Look for votes."""
        super().__init__(histogram)
        self.size = self.size if any(self.rows.values()) else 0


class LookupsOfRowsOnly(RowSource):
    """Items without a row are left out of the answer."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return what is found."""
        return super().scores([item for item in items if item in self.rows])


class LookupsNeedARow(RowSource):
    """A lookup raises if none of its items has a row."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of items of which at least one is found."""
        if not any(item in self.rows for item in items):
            raise LookupError("no rows")
        return super().scores(items)


class LookupsOfFewItems(RowSource):
    """A statement has 999 variables, and all items after them score 0."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores of which the last may be missing."""
        known = super().scores(items)
        return [*known[:VARIABLES], *(0 for _ in known[VARIABLES:])]


class NextRowAnswers(RowSource):
    """An item without a row has the score of the next row."""

    def score(self, item: int) -> int:
        """Return the score of the row at which a search ends."""
        items = sorted(self.rows)
        place = min(bisect_left(items, item), len(items) - 1)
        return self.rows[items[place]] if items else 0


class MissingScoresOne(RowSource):
    """Counts are smoothed: an item without a row scores 1 when it is looked up."""

    def score(self, item: int) -> int:
        """Return the score of an item."""
        return self.rows.get(item, 1)


MUTANTS: Final = mutants(
    (
        RowsOnly,
        FillersWaitForTheNextPage,
        FillersStartAnew,
        FillersBeforeSmallScores,
        RowsOfZeroTwice,
        RowsOfZeroMissing,
        FillersOfOneList,
        EmptyTablesHaveNoItems,
        LookupsOfRowsOnly,
        LookupsNeedARow,
        LookupsOfFewItems,
        NextRowAnswers,
        MissingScoresOne,
    ),
    USUAL_SLIP,
    "source.sparse",
)
