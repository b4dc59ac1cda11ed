"""Facts about our sources as subjects of the oracle."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.subjects.sources import (
    StoredHistogram,
    StoreSubject,
    memory,
    positive_scores,
    sparse_memory,
    sqlite,
    sqlite_histogram,
)
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal

SCORES = (2, 0, 5)
MAKERS: list[Any] = [memory, sparse_memory, sqlite]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put temporary files into a folder where they can be counted."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def open_subject(make: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
    """Yield a source, and close it if it has a `close`."""
    source = make(*arguments)
    yield source
    getattr(source, "close", lambda: None)()


@pytest.mark.parametrize("make", MAKERS)
def test_items_and_ranks_count_from_one(make: Any) -> None:
    """Both doors show the histogram; a page beyond the end is short."""
    with open_subject(make, SCORES) as source:
        assert source.size == 3
        assert source.top(1, 2) == [(3, 5), (1, 2)]
        assert (source.top(3, 9), source.top(4, 1), source.top(1, 0)) == ([(2, 0)], [], [])
        assert (source.scores([2, 3, 3]), source.scores([])) == ([0, 5, 5], [])


@pytest.mark.parametrize("make", MAKERS)
def test_what_does_not_exist_is_refused(make: Any) -> None:
    """Items and ranks below 1, items above m, and negative counts are refused."""
    with open_subject(make, SCORES) as source:
        assert refusal(lambda: source.top(0, 1)) == (
            Reason.SIZE_OUT_OF_RANGE,
            "start must be at least 1, got 0",
        )
        assert refusal(lambda: source.top(1, -1)) == (
            Reason.SIZE_OUT_OF_RANGE,
            "count must be at least 0, got -1",
        )
        unknown = (Reason.UNKNOWN_ITEM, "item must be between 1 and m=3, got 4")
        assert refusal(lambda: source.scores([1, 4])) == unknown
        assert refusal(lambda: source.name(4)) == unknown
        assert refusal(lambda: source.name(0))[0] is Reason.UNKNOWN_ITEM


@pytest.mark.parametrize("make", MAKERS)
def test_other_writers_do_not_change_what_is_read(make: Any) -> None:
    """A source does not show what is written after it was opened."""
    with open_subject(make, SCORES) as source:
        source.rewrite((9, 9, 0))
        assert source.top(1, 3) == [(3, 5), (1, 2), (2, 0)]
        assert source.scores([1, 2, 3]) == [2, 0, 5]


@pytest.mark.parametrize(("make", "names"), [(memory, [0, 1, 2]), (sqlite, [1, 2, 3])])
def test_items_without_names_are_numbers(make: Any, names: list[int]) -> None:
    """An array has its indices, a table its own numbers."""
    with open_subject(make, SCORES) as source:
        assert [source.name(item) for item in (1, 2, 3)] == names


@pytest.mark.parametrize("make", [memory, sqlite])
@pytest.mark.parametrize("names", [("b", "a'", ""), (7, -2, 2**40)])
def test_items_have_the_names_that_are_given(make: Any, names: Sequence[Any]) -> None:
    """Names that are texts or numbers are returned, with the scores of their items."""
    with open_subject(make.named, names, SCORES) as source:
        assert [source.name(item) for item in (1, 2, 3)] == [*names]
        assert (source.top(1, 2), source.scores([3, 1])) == ([(3, 5), (1, 2)], [5, 2])


def test_only_positive_scores_have_rows(folder: Path) -> None:
    """Items without votes come from the domain, also after another writer."""
    with open_subject(sqlite, SCORES) as source:
        (path,) = folder.glob("*/votes.db")
        with closing(sqlite3.connect(path)) as connection:
            rows = "SELECT item, score FROM votes ORDER BY item"
            assert connection.execute(rows).fetchall() == [(1, 2), (3, 5)]
            source.rewrite((0, 4, 0))
            assert connection.execute(rows).fetchall() == [(2, 4)]
    assert positive_scores("abc", (0, 4, 0)) == {"b": 4}


def test_closing_removes_the_file(folder: Path) -> None:
    """No file is left, neither by a source that was read nor by one that failed."""
    with open_subject(sqlite, SCORES) as source:
        assert len(list(folder.iterdir())) == 1
        source.rewrite((1, 1, 1))
    assert list(folder.iterdir()) == []
    assert refusal(lambda: sqlite((-1,))) == (Reason.NEGATIVE_SCORE, "no score may be negative")
    assert list(folder.iterdir()) == []


def test_sources_are_separate(folder: Path) -> None:
    """Two sources do not see each other's rows."""
    with open_subject(sqlite, SCORES) as one, open_subject(sqlite, (0, 7)) as other:
        assert len(list(folder.iterdir())) == 2
        assert (one.scores([1]), other.scores([2])) == ([2], [7])


def test_a_table_is_made_for_its_kind_of_items() -> None:
    """A table of numbers refuses texts."""
    with sqlite_histogram(int) as numbers, sqlite_histogram(str) as texts:
        texts.write({"a": 1})
        numbers.write({7: 1})
        with pytest.raises(sqlite3.IntegrityError, match="datatype mismatch"):
            numbers.write({"a": 1})


class Changing:
    """A store in memory that raises at the end if it was written to."""

    def __init__(self, domain: Domain, rows: dict[Any, int]) -> None:
        self._rows = rows
        self.size = domain.size
        self._names = domain.names(IndexedScores([0] * domain.size).top(0, domain.size).items)

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the present scores."""
        before = dict(self._rows)
        yield IndexedScores([before.get(name, 0) for name in self._names])
        if before != self._rows:
            raise SelectionError(Reason.CHANGED_SOURCE, "the scores have changed")


def test_a_database_joins_with_a_histogram() -> None:
    """A `StoredHistogram` is enough for a subject; closing may raise, and removes it."""
    events: list[object] = []

    @contextmanager
    def place(kind: Kind) -> Iterator[StoredHistogram]:
        rows: dict[Any, int] = {}

        def write(scores: dict[Any, int]) -> None:
            rows.clear()
            rows.update(scores)

        def store(domain: Domain) -> Store:
            return Changing(domain, rows)

        events.append(kind)
        try:
            yield StoredHistogram(write, store)
        finally:
            events.append("removed")

    subject = StoreSubject(place)
    with open_subject(subject.named, ["a", "b"], (0, 3)) as source:
        assert source.top(1, 2) == [(2, 3), (1, 0)]
    assert events == [str, "removed"]
    changed = subject((1, 0))
    changed.rewrite((0, 1))
    assert refusal(changed.close) == (Reason.CHANGED_SOURCE, "the scores have changed")
    assert events == [str, "removed", int, "removed"]
