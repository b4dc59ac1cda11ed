"""Sources that show parts of several states when somebody writes while they are read."""

from collections.abc import Sequence
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, mutants
from privtopk.conformance.mutants.right.sources import OptimisticSource, Page, SnapshotSource
from privtopk.conformance.mutants.right.stores import HistogramSource

FETCHED: Final = 100
"""Entries per fetch of a driver."""


class LookupsReadLive(SnapshotSource):
    """Sorted access reads a snapshot, random access reads what is stored now."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores as they are now."""
        return self.live.scores(items)


class PagesReadLive(SnapshotSource):
    """Random access reads a snapshot, sorted access reads what is stored now."""

    def top(self, start: int, count: int) -> Page:
        """Return entries as they are now."""
        return self.live.top(start, count)


class EachDoorTakesItsOwnSnapshot(SnapshotSource):
    """Each door begins its own transaction at its first access."""

    listed: HistogramSource | None = None
    looked_up: HistogramSource | None = None

    def top(self, start: int, count: int) -> Page:
        """Return entries as they were when the first was asked for."""
        self.listed = self.listed or self.live
        return self.listed.top(start, count)

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores as they were when the first was asked for."""
        self.looked_up = self.looked_up or self.live
        return self.looked_up.scores(items)


class FirstFetchIsOld(SnapshotSource):
    """The first 100 entries are a snapshot, the rest is read from what is stored now."""

    def top(self, start: int, count: int) -> Page:
        """Return entries of the buffer, and others."""
        early = super().top(start, max(0, min(count, FETCHED + 1 - start)))
        return [*early, *self.live.top(start + len(early), count - len(early))]


class OrderIsOldScoresAreNew(SnapshotSource):
    """The sorted list of items is a snapshot, their scores are fetched page by page."""

    def top(self, start: int, count: int) -> Page:
        """Return items in their old order with new scores."""
        return [(item, self.live.score(item)) for item, _ in super().top(start, count)]


class RewindingRenews(SnapshotSource):
    """Reading from the first rank again shows what is stored now."""

    has_begun = False

    def top(self, start: int, count: int) -> Page:
        """Return entries of the statement that is open."""
        if start == 1 and self.has_begun:
            self.histogram, self.order = self.live.histogram, self.live.order
        self.has_begun = True
        return super().top(start, count)


class VanishedRowsAreSkipped(SnapshotSource):
    """A page leaves out entries whose row was deleted after the snapshot."""

    def top(self, start: int, count: int) -> Page:
        """Return entries that still have votes, or never had any."""
        page = super().top(start, count)
        return [entry for entry in page if not entry[1] or self.live.score(entry[0])]


class TiesTurnWithEveryWrite(SnapshotSource):
    """Scores are a snapshot, but every write reverses the order of ties."""

    def top(self, start: int, count: int) -> Page:
        """Return entries whose ties stand the other way round after a write."""
        turn = -1 if self.version % 2 else 1
        self.order.sort(key=lambda item: (-self.histogram[item - 1], turn * item))
        return super().top(start, count)


class ChangesSoughtByRows(OptimisticSource):
    """A change is detected by the number of rows alone."""

    def mark(self) -> object:
        """Return how many items have votes."""
        return sum(score > 0 for score in self.live.histogram)


class ChangesSoughtByTotal(OptimisticSource):
    """A change is detected by the sum of all scores alone."""

    def mark(self) -> object:
        """Return the sum."""
        return sum(self.live.histogram)


class ChangesSoughtByContent(OptimisticSource):
    """A change is detected by comparing first and last state, so one that was undone is missed."""

    def mark(self) -> object:
        """Return everything that is stored."""
        return self.live.histogram


class ChangesSoughtTooEarly(OptimisticSource):
    """The version is compared before lookups, but not after the last read."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores if nothing has changed up to now."""
        self.require_unchanged()
        return super().scores(items)

    def close(self) -> None:
        """Trust the last comparison."""


class VersionNotedTooLate(OptimisticSource):
    """The version is noted at the first lookup, not before the first read."""

    has_noted = False

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores, and note the version if it is not yet."""
        if not self.has_noted:
            self.noted, self.has_noted = self.mark(), True
        return super().scores(items)

    def close(self) -> None:
        """Raise if something has changed since then."""
        if self.has_noted:
            self.require_unchanged()


class RefusalsAreSwallowed(OptimisticSource):
    """A change is detected but not reported."""

    def require_unchanged(self) -> None:
        """Detect a change, and go on."""
        self.has_changed = self.mark() != self.noted


MUTANTS: Final = mutants(
    (
        LookupsReadLive,
        PagesReadLive,
        EachDoorTakesItsOwnSnapshot,
        FirstFetchIsOld,
        OrderIsOldScoresAreNew,
        RewindingRenews,
        VanishedRowsAreSkipped,
        TiesTurnWithEveryWrite,
        ChangesSoughtByRows,
        ChangesSoughtByTotal,
        ChangesSoughtByContent,
        ChangesSoughtTooEarly,
        VersionNotedTooLate,
        RefusalsAreSwallowed,
    ),
    USUAL_SLIP,
    "source.snapshot",
)
