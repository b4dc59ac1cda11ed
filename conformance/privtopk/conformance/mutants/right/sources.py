"""Right sources that others may write to, that have rows for some items only, or that have names.

A source may handle another writer in three ways, all of them right: by a snapshot, by an error
at the end, or by a lock.
"""

from collections.abc import Sequence

from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.subjects.kinds import Kind
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_at_least
from privtopk.spec.model.parameters import require_item as item_of

Page = Sequence[tuple[int, int]]


class SnapshotSource(HistogramSource):
    """Returns what was stored when it was opened."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Copy what is stored."""
        super().__init__(histogram)
        self.live = HistogramSource(histogram)
        self.version = 0

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Store other scores, as another writer would."""
        self.live = HistogramSource(histogram)
        self.version += 1


class OptimisticSource(SnapshotSource):
    """Returns what is stored now, and raises at the end if that has changed."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Note the mark by which it recognises a change."""
        super().__init__(histogram)
        self.noted = self.mark()

    def top(self, start: int, count: int) -> Page:
        """Return entries as they are now."""
        return self.live.top(start, count)

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores as they are now."""
        return self.live.scores(items)

    def close(self) -> None:
        """Raise if the scores that were read may be of several states."""
        self.require_unchanged()

    def require_unchanged(self) -> None:
        """Raise if something has been written."""
        if self.mark() != self.noted:
            raise SelectionError(Reason.CHANGED_SOURCE, "the scores have changed meanwhile")

    def mark(self) -> object:
        """Return a value that every writer changes."""
        return self.version


class LockedSource(HistogramSource):
    """Keeps other writers out."""

    def rewrite(self, histogram: Sequence[int]) -> bool:
        """Return False: nothing was stored."""
        return False


class RowSource:
    """Has rows for items with votes and for odd-numbered items; an item without a row scores 0."""

    kind = Kind.SOURCE

    def __init__(self, histogram: Sequence[int]) -> None:
        """Store rows."""
        self.size = len(histogram)
        self.rows = self.stored_rows(dict(enumerate(histogram, start=1)))

    def stored_rows(self, scores: dict[int, int]) -> dict[int, int]:
        """Return the rows."""
        return {item: score for item, score in scores.items() if score or item % 2}

    def top(self, start: int, count: int) -> Page:
        """Return the entries at some ranks: rows first, then items without one."""
        first = require_at_least("start", start, 1) - 1
        end = first + require_at_least("count", count, 0)
        page = self.sorted_rows()[first:end]
        return [*page, *self.fillers(first + len(page) - len(self.rows), end - first - len(page))]

    def sorted_rows(self) -> list[tuple[int, int]]:
        """Return all rows by descending score."""
        return sorted(self.rows.items(), key=lambda row: (-row[1], row[0]))

    def fillers(self, passed: int, count: int) -> Page:
        """Return entries of items without a row, after the first `passed` of them."""
        missing = [item for item in range(1, self.size + 1) if item not in self.rows]
        return [(item, 0) for item in missing[max(0, passed) :][:count]]

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return the scores of items."""
        return [self.score(item_of(item, self.size)) for item in items]

    def score(self, item: int) -> int:
        """Return the score of an item, 0 if it has no row."""
        return self.rows.get(item, 0)


class NamedSource(HistogramSource):
    """Finds scores by the names of items; closing it twice raises."""

    is_closed = False

    def __init__(self, histogram: Sequence[int], names: Sequence[str | int] | None = None) -> None:
        """Store a row for every name."""
        super().__init__(histogram)
        numbers = range(1, self.size + 1)
        self.names = [*(names if names is not None else map("item {}".format, numbers))]
        self.rows = {self.key(name): score for name, score in self.named_scores()}

    @classmethod
    def named(cls, names: Sequence[str | int], histogram: Sequence[int]) -> "NamedSource":
        """Return a source whose items have names."""
        return cls(histogram, names)

    def named_scores(self) -> Sequence[tuple[str | int, int]]:
        """Return every name with its score."""
        return [*zip(self.names, self.histogram, strict=True)]

    def name(self, item: int) -> object:
        """Return the name of an item."""
        return self.names[item - 1]

    def score(self, item: int) -> int:
        """Return the score that is stored under an item's name."""
        return self.rows[self.key(self.names[item - 1])]

    def key(self, name: str | int) -> object:
        """Return the key under which a name is stored."""
        return name

    def close(self) -> None:
        """Close; a second time raises."""
        if self.is_closed:
            raise ValueError("a source is closed once")
        self.is_closed = True
