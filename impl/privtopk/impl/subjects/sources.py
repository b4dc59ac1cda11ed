"""Our sources as subjects of the test oracle: built from histograms, rewritten while being read.

Nothing here imports the oracle. The oracle numbers items and ranks from 1, reads entries as pairs,
calls `rewrite` to play another writer, and calls `close` if there is one. A database takes part
with a `StoredHistogram`.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from privtopk.impl.scores.domain import Domain, ItemList, Kind, ListedDomain, RangeDomain
from privtopk.impl.scores.memory import IndexedScores, SparseScores
from privtopk.impl.scores.named import LabelledScores
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.spec.model.parameters import require_at_least, require_item


class CountedFromOne:
    """A source of the engines with items and ranks numbered from 1."""

    kind = "source"

    def __init__(self, source: Source) -> None:
        """Take a source of the engines."""
        self._source = source
        self.size = source.size

    def top(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return the entries at the ranks from start on, fewer at the end."""
        first = min(require_at_least("start", start, 1), self.size + 1) - 1
        page = self._source.top(first, min(require_at_least("count", count, 0), self.size - first))
        return list(zip((page.items + 1).tolist(), page.scores.tolist(), strict=True))

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores of the items."""
        known = [require_item(item, self.size) - 1 for item in items]
        scores: list[int] = self._source.scores(np.array(known, dtype=np.int64)).tolist()
        return scores

    def name(self, item: int) -> object:
        """Return the owner's own name of an item."""
        return self._source.name(require_item(item, self.size) - 1)


class MemorySource(CountedFromOne):
    """An index in memory; its owner may still write to the array that it was built from."""

    def __init__(self, histogram: Sequence[int], names: Sequence[Any] | None = None) -> None:
        """Sort the histogram."""
        self._array = np.array(histogram, dtype=np.int64)
        scores = IndexedScores(self._array)
        super().__init__(scores if names is None else LabelledScores(scores, ItemList(names)))

    @classmethod
    def named(cls, names: Sequence[Any], histogram: Sequence[int]) -> "MemorySource":
        """Return a source whose items have names."""
        return cls(histogram, names)

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Write to the owner's array."""
        self._array[:] = histogram


class SparseSource(CountedFromOne):
    """Positive scores in memory; their owner may still write to the mapping."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Keep the positive scores."""
        self._given = positive_scores(range(len(histogram)), histogram)
        super().__init__(SparseScores(len(histogram), self._given))

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Write to the owner's mapping."""
        self._given.update(enumerate(histogram))


@dataclass(frozen=True, slots=True)
class StoredHistogram:
    """A histogram in a database: how to replace its rows, and how the engines read it."""

    write: Callable[[dict[Any, int]], None]
    """Replaces all rows in a transaction of its own, like a writer that ignores readers."""

    store: Callable[[Domain], Store]
    """Returns the store that the engines read."""


class StoredSource(CountedFromOne):
    """A snapshot of a histogram in a database; only positive scores have rows."""

    def __init__(
        self,
        stored: AbstractContextManager[StoredHistogram],
        domain: Domain,
        histogram: Sequence[int],
    ) -> None:
        """Write the rows and open a snapshot of them."""
        self._names = domain.names(np.arange(domain.size))
        with ExitStack() as opening:
            self._stored = opening.enter_context(stored)
            self.rewrite(histogram)
            super().__init__(opening.enter_context(self._stored.store(domain).snapshot()))
            self._opened = opening.pop_all()

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Replace all rows."""
        self._stored.write(positive_scores(self._names, histogram))

    def close(self) -> None:
        """End the snapshot, which may raise, and remove the histogram from the database."""
        self._opened.close()


@dataclass(frozen=True, slots=True)
class StoreSubject:
    """Creates sources in a database, each with a table of its own."""

    create: Callable[[Kind], AbstractContextManager[StoredHistogram]]
    """Creates an empty histogram whose items are numbers or texts."""

    kind: str = "source"
    extras: tuple[str, ...] = ("close", "name", "named", "rewrite")

    def __call__(self, histogram: Sequence[int]) -> StoredSource:
        """Return a fresh source whose items are numbers."""
        return StoredSource(self.create(int), RangeDomain(1, len(histogram)), histogram)

    def named(self, names: Sequence[Any], histogram: Sequence[int]) -> StoredSource:
        """Return a fresh source whose items have names."""
        domain = ListedDomain(names)
        return StoredSource(self.create(domain.kind), domain, histogram)


def positive_scores(names: Sequence[Any], histogram: Sequence[int]) -> dict[Any, int]:
    """Return the scores above 0 by name."""
    return {name: score for name, score in zip(names, histogram, strict=True) if score}


@contextmanager
def sqlite_histogram(kind: Kind) -> Iterator[StoredHistogram]:
    """Yield a table in a file of its own; its writers do not wait for readers."""
    item = "INTEGER PRIMARY KEY" if kind is int else "TEXT PRIMARY KEY NOT NULL"
    with TemporaryDirectory(prefix="privtopk-") as folder:
        path = Path(folder) / "votes.db"
        with closing(sqlite3.connect(path)) as writer:
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA synchronous = OFF")
            writer.execute(f"CREATE TABLE votes (item {item}, score INTEGER NOT NULL) STRICT")
            writer.execute("CREATE INDEX by_score ON votes (score, item)")

            def write(scores: dict[Any, int]) -> None:
                with writer:
                    writer.execute("DELETE FROM votes")
                    writer.executemany("INSERT INTO votes VALUES (?, ?)", scores.items())

            yield StoredHistogram(write, lambda domain: SqliteScores(path, "votes", domain=domain))


memory: Final = MemorySource
sparse_memory: Final = SparseSource
sqlite: Final = StoreSubject(sqlite_histogram)
