"""Our sources as a test oracle calls them: made from a histogram, written to while they are read.

Nothing here knows the oracle. It counts items and ranks from 1, asks for entries as pairs, lets
another writer come with `rewrite`, and closes what has a `close`. A database joins with a
`Place`: how all rows are replaced, and what the engines read.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from privtopk.impl.scores.column import Names
from privtopk.impl.scores.domain import Domain, Kind, ListedDomain, RangeDomain
from privtopk.impl.scores.memory import IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.spec.model.parameters import require_at_least, require_item


class CountedFromOne:
    """A source of the engines, as one that counts from 1."""

    kind = "source"

    def __init__(self, source: Source) -> None:
        """Take what the engines read."""
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
        """Return what its owner calls an item."""
        return self._source.name(require_item(item, self.size) - 1)


class MemorySource(CountedFromOne):
    """An index in memory; its owner may go on to write to the array that it was made from."""

    def __init__(self, histogram: Sequence[int], names: Names | None = None) -> None:
        """Sort once."""
        self._array = np.array(histogram, dtype=np.int64)
        super().__init__(IndexedScores(self._array, names))

    @classmethod
    def named(cls, names: Names, histogram: Sequence[int]) -> "MemorySource":
        """Return a source whose items have names."""
        return cls(histogram, names)

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Write to the owner's array."""
        self._array[:] = histogram


class SparseSource(CountedFromOne):
    """Positive scores in memory; their owner may go on to write to the mapping."""

    def __init__(self, histogram: Sequence[int]) -> None:
        """Keep what is positive."""
        self._given = positive(range(len(histogram)), histogram)
        super().__init__(SparseScores(len(histogram), self._given))

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Write to the owner's mapping."""
        self._given.update(enumerate(histogram))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a database keeps the scores of one histogram."""

    write: Callable[[dict[Any, int]], None]
    """Replaces all rows, in a transaction of its own, as a writer does who knows no readers."""

    store: Callable[[Domain], Store]
    """Returns what the engines read."""


class StoredSource(CountedFromOne):
    """A snapshot of a place in a database; only positive scores have rows."""

    def __init__(
        self, place: AbstractContextManager[Place], domain: Domain, histogram: Sequence[int]
    ) -> None:
        """Write the rows and open a snapshot of them."""
        self._names = domain.names(np.arange(domain.size))
        with ExitStack() as opening:
            self._place = opening.enter_context(place)
            self.rewrite(histogram)
            super().__init__(opening.enter_context(self._place.store(domain).snapshot()))
            self._opened = opening.pop_all()

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Replace all rows."""
        self._place.write(positive(self._names, histogram))

    def close(self) -> None:
        """End the snapshot, which may refuse what was read, and remove the place."""
        self._opened.close()


@dataclass(frozen=True, slots=True)
class StoreSubject:
    """Sources in a database, each in a place of its own that is made for a kind of items."""

    place: Callable[[Kind], AbstractContextManager[Place]]
    kind: str = "source"
    extras: tuple[str, ...] = ("close", "name", "named", "rewrite")

    def __call__(self, histogram: Sequence[int]) -> StoredSource:
        """Return a fresh source whose items are numbers."""
        return StoredSource(self.place(int), RangeDomain(1, len(histogram)), histogram)

    def named(self, names: Sequence[Any], histogram: Sequence[int]) -> StoredSource:
        """Return a fresh source whose items have names."""
        domain = ListedDomain(names)
        return StoredSource(self.place(domain.kind), domain, histogram)


def positive(names: Sequence[Any], histogram: Sequence[int]) -> dict[Any, int]:
    """Return the scores that are not 0, by name."""
    return {name: score for name, score in zip(names, histogram, strict=True) if score}


@contextmanager
def sqlite_place(kind: Kind) -> Iterator[Place]:
    """Yield a table in a file of its own, whose writers do not wait for readers."""
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

            yield Place(write, lambda domain: SqliteScores(path, "votes", domain=domain))


memory: Final = MemorySource
sparse_memory: Final = SparseSource
sqlite: Final = StoreSubject(sqlite_place)
