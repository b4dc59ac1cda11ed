"""Facts about counting votes: each pair of client and item counts once."""

import csv
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckdb_samples import csv_file, database, parquet_file
from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.domain import ListedDomain, RangeDomain
from privtopk.impl.sources import votes as counting
from privtopk.impl.sources.duckdb.session import Session, open_session
from privtopk.impl.sources.table import Declared
from privtopk.impl.sources.votes import DuckdbVotes, run_with_progress
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal


def counts(votes: DuckdbVotes) -> dict[object, int]:
    """Return the scores above 0 by the names of the items, and assert that both doors agree."""
    page = votes.top(0, votes.size)
    assert votes.scores(page.items).tolist() == page.scores.tolist()
    pairs = zip(page.items.tolist(), page.scores.tolist(), strict=True)
    return {votes.name(item): score for item, score in pairs if score}


FRUITS = ListedDomain(["fig", "pear", "plum"])
ROWS = "(VALUES ('ann', 'fig'), ('ann', 'fig'), ('bob', 'fig'), ('bob', 'kiwi'), ('cy', 'pear'))"


def test_a_client_counts_once(tmp_path: Path) -> None:
    """A repeated vote counts once, an item may have no votes, and other items are dropped."""
    path = database(tmp_path, f"CREATE TABLE votes AS FROM {ROWS} AS rows (client, item)")
    votes = DuckdbVotes(path, "votes", domain=FRUITS)
    assert (counts(votes), votes.size) == ({"fig": 2, "pear": 1}, 3)


@pytest.mark.parametrize("engine", list(Engine))
def test_every_engine_selects(tmp_path: Path, engine: Engine) -> None:
    """One count serves any number of selections, even after the file is deleted."""
    rows = "SELECT range % 3000 AS who, CASE WHEN range < 6000 THEN 2 ELSE 5 END AS what"
    path = parquet_file(tmp_path / "votes.parquet", f"{rows} FROM range(8000)")
    votes = DuckdbVotes(path, client="who", item="what", domain=RangeDomain(1, 10))
    path.unlink()
    for _ in range(2):
        assert top_k(votes, 2, epsilon=1, engine=engine).items == (2, 5)


TEXTS = st.sampled_from(
    ["1", "01", "1.0", " 1", "a", "A", "é", "e\u0301", '"', ",", "a\nb", "'", "", "NULL", "😀"]
)


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(TEXTS, TEXTS), max_size=25), data=st.data())
def test_votes_of_texts(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], data: st.DataObject
) -> None:
    """Clients and items that differ in one character are different, in every kind of file."""
    names = data.draw(st.lists(TEXTS, min_size=1, unique=True))
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows([("client", "item"), *rows])
    votes = DuckdbVotes(path, domain=ListedDomain(names))
    assert counts(votes) == Counter(item for _, item in set(rows) if item in names)


NUMBERS = st.integers(-2, 6)


@pytest.mark.slow
@settings(max_examples=30)
@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), max_size=40), ends=st.tuples(NUMBERS, NUMBERS))
def test_votes_of_numbers(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int]], ends: tuple[int, int]
) -> None:
    """The counts of numbers are those of a set of pairs, for any declared range."""
    first, last = sorted(ends)
    lines = (f"{client},{item}" for client, item in rows)
    path = csv_file(tmp_path_factory.mktemp("votes") / "votes.csv", "client,item", *lines)
    votes = DuckdbVotes(path, domain=RangeDomain(first, last))
    assert counts(votes) == Counter(item for _, item in set(rows) if first <= item <= last)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        *("HUGEINT", "UTINYINT", "VARCHAR COLLATE NOCASE"),
        *(pytest.param(kind, marks=pytest.mark.heavy) for kind in ("BIGINT", "UBIGINT", "VARCHAR")),
    ],
)
def test_items_of_every_type(tmp_path: Path, kind: str) -> None:
    """Items are spelt as in the rows, whatever the spelling in the domain."""
    path = database(
        tmp_path,
        f"CREATE TABLE votes (client UUID, item {kind})",
        "INSERT INTO votes SELECT uuid(), unnest([7, 7, 8])",
    )
    written: type = str if kind.startswith("VARCHAR") else int
    domains: list[Declared] = [
        *(
            RangeDomain(1, 9),
            RangeDomain(1, 9, str),
            ListedDomain([8, 7]),
            ListedDomain(["8", "7"]),
        ),
        "public",
    ]
    for domain in domains:
        votes = DuckdbVotes(path, "votes", domain=domain)
        assert counts(votes) == {written(7): 2, written(8): 1}


@pytest.mark.slow
@pytest.mark.parametrize("client", ["BIGINT", "UBIGINT"])
@pytest.mark.parametrize("item", ["TINYINT", "UTINYINT", "BIGINT", "UBIGINT"])
def test_numbers_do_not_overflow(tmp_path: Path, client: str, item: str) -> None:
    """The largest item of a small type is counted without an overflow."""
    rows = f"SELECT range::{client} AS client, unnest([0, 127])::{item} AS item FROM range(3)"
    path = parquet_file(tmp_path / "votes.parquet", rows)
    for first in (-(2**61), -100):
        votes = DuckdbVotes(path, domain=RangeDomain(first, 127))
        assert votes.top(0, 3).scores.tolist() == [3, 3, 0]
        assert [votes.name(item) for item in votes.top(0, 2).items.tolist()] == [0, 127]


def test_numbers_are_counted_by_a_sort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If clients and items are numbers, nothing is grouped."""
    monkeypatch.delattr(counting, "run_with_progress")
    path = parquet_file(tmp_path / "votes.parquet", "SELECT 1 AS client, unnest([7, 7, 8]) AS item")
    assert counts(DuckdbVotes(path, domain=RangeDomain(1, 9))) == {7: 1, 8: 1}


@pytest.mark.parametrize("line", ["(NULL, 7)", "(1, NULL)"])
def test_a_row_of_numbers_that_is_no_vote(tmp_path: Path, line: str) -> None:
    """NULL is refused among numbers as among texts."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (client INTEGER, item INTEGER)",
        f"INSERT INTO votes VALUES (1, 7), {line}",
    )
    reason, message = refusal(lambda: DuckdbVotes(path, "votes", domain=RangeDomain(1, 9)))
    what = "client" if line.startswith("(NULL") else "item"
    assert (reason in (Reason.NOT_A_VOTE, Reason.UNKNOWN_ITEM), message) == (
        True,
        f"no {what} may be NULL",
    )


def test_items_differ_byte_by_byte(tmp_path: Path) -> None:
    """A collation that ignores case does not merge items."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (client INTEGER, item VARCHAR COLLATE NOCASE)",
        "INSERT INTO votes SELECT range, unnest(['fig', 'FIG']) FROM range(5)",
        "INSERT INTO votes VALUES (7, 'FIG')",
    )
    votes = DuckdbVotes(path, "votes", domain=ListedDomain(["FIG", "fig"]))
    assert counts(votes) == {"FIG": 6, "fig": 5}


def test_other_items_are_dropped(tmp_path: Path) -> None:
    """If the domain consists of numbers, only their plain spelling is an item."""
    lines = ("a,7", "b,007", "c,7.0", "d,fig", f"e,{9**30}", 'f,""')
    path = csv_file(tmp_path / "votes.csv", "client,item", *lines)
    for domain in (RangeDomain(1, 9), ListedDomain([7])):
        assert counts(DuckdbVotes(path, domain=domain)) == {7: 1}


def test_wide_numbers_are_dropped(tmp_path: Path) -> None:
    """A number of more than 64 bits is not an item, and is not counted for another one."""
    rows = "SELECT range AS client, unnest([7, 2::HUGEINT ** 64 + 7])::HUGEINT AS item"
    path = database(tmp_path, f"CREATE TABLE votes AS {rows} FROM range(3)")
    assert counts(DuckdbVotes(path, "votes", domain=RangeDomain(1, 9))) == {7: 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["VARCHAR COLLATE NOCASE", "VARCHAR", "BLOB", "VARCHAR[]", "ENUM('a', 'A', 'b')"]
)
def test_clients_of_every_type(tmp_path: Path, kind: str) -> None:
    """Different clients are different in every type of column."""
    values = "('[a]'), ('[A]'), ('[b]'), ('[a]')" if "[]" in kind else "('a'), ('A'), ('b'), ('a')"
    path = database(
        tmp_path,
        f"CREATE TABLE votes (client {kind}, item INTEGER DEFAULT 1)",
        f"INSERT INTO votes (client) VALUES {values}",
    )
    assert counts(DuckdbVotes(path, "votes", domain=RangeDomain(1, 1))) == {1: 3}


def test_clients_of_a_csv_file_are_texts(tmp_path: Path) -> None:
    """Clients in a file are compared as texts: 1, 01 and 1.0 are three."""
    path = csv_file(tmp_path / "votes.csv", "client,item", "1,a", "01,a", "1.0,a", "1,a")
    assert counts(DuckdbVotes(path, domain=ListedDomain(["a"]))) == {"a": 3}


@pytest.mark.slow
@pytest.mark.parametrize("domain", [FRUITS, "public"])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (",fig", (Reason.NOT_A_VOTE, "no client may be NULL")),
        (",kiwi", (Reason.NOT_A_VOTE, "no client may be NULL")),
        ("ann,", (Reason.UNKNOWN_ITEM, "no item may be NULL")),
        (",", (Reason.NOT_A_VOTE, "no client may be NULL")),
    ],
)
def test_a_row_that_is_no_vote(
    tmp_path: Path, domain: Any, line: str, expected: tuple[Reason, str]
) -> None:
    """A row without a client or an item is refused, even if its item is outside the domain."""
    path = csv_file(tmp_path / "votes.csv", "client,item", "ann,fig", line)
    assert refusal(lambda: DuckdbVotes(path, domain=domain)) == expected


def test_a_domain_must_be_declared() -> None:
    """Nothing is read before the domain is declared."""
    assert refusal(lambda: DuckdbVotes("no such file", "votes"))[0] is (Reason.UNDECLARED_DOMAIN)


def test_a_public_domain_too_wide(tmp_path: Path) -> None:
    """An item of more than 64 bits cannot be in a public domain."""
    path = database(
        tmp_path,
        "CREATE TABLE votes AS SELECT 1 AS client, 2::HUGEINT ** 64 AS item",
        "ALTER TABLE votes ALTER item TYPE HUGEINT",
    )
    assert refusal(lambda: DuckdbVotes(path, "votes", domain="public")) == (
        Reason.UNKNOWN_ITEM,
        "every item must fit 64 bits or be a text",
    )


def test_no_votes(tmp_path: Path) -> None:
    """Without votes all items of the domain have score 0."""
    path = csv_file(tmp_path / "votes.csv", "client,item")
    votes = DuckdbVotes(path, domain=FRUITS)
    assert counts(votes) == {}
    assert top_k(votes, 1, epsilon=1).items[0] in ("fig", "pear", "plum")


def test_a_huge_domain(tmp_path: Path) -> None:
    """A domain need not fit into memory, because items without votes are not stored."""
    path = csv_file(tmp_path / "votes.csv", "client,item", *(f"{c},{2**61}" for c in range(500)))
    votes = DuckdbVotes(path, domain=RangeDomain(1, 2**62))
    assert counts_of(votes, 3) == [500, 0, 0]


def counts_of(votes: DuckdbVotes, number: int) -> list[int]:
    """Return the best scores."""
    scores: list[int] = votes.top(0, number).scores.tolist()
    return scores


def test_types_that_are_no_items(tmp_path: Path) -> None:
    """A column of doubles cannot hold items."""
    path = database(tmp_path, "CREATE TABLE votes (client INTEGER, item DOUBLE)")
    assert refusal(lambda: DuckdbVotes(path, "votes", domain=FRUITS)) == (
        Reason.WRONG_TYPE,
        f'items must be texts or whole numbers, but column "item" of {path} is DOUBLE',
    )


@pytest.mark.parametrize(
    "change", [lambda path: path.unlink(), lambda path: path.write_text("client,item\nann,fig\n")]
)
def test_votes_that_change_while_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    """A file that changes while it is counted is refused."""
    path = csv_file(tmp_path / "votes.csv", "client,item", "ann,fig", "bob,fig")

    def tampering(session: Session, statement: str, progress: Any) -> None:
        run_with_progress(session, statement, progress)
        change(path)

    monkeypatch.setattr(counting, "run_with_progress", tampering)
    assert refusal(lambda: DuckdbVotes(path, domain=FRUITS)) == (
        Reason.CHANGED_SOURCE,
        f"{path} was changed while it was read",
    )


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files of the count are deleted."""
    path = csv_file(tmp_path / "votes.csv", "client,item", "ann,fig")
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    seen: list[int] = []

    def looking(session: Session, statement: str, progress: Any) -> None:
        seen.append(len(os.listdir(folder)))
        run_with_progress(session, statement, progress)

    monkeypatch.setattr(counting, "run_with_progress", looking)
    DuckdbVotes(path, domain=FRUITS)
    assert seen == [1]
    assert list(folder.iterdir()) == []


LONG = "CREATE TABLE t AS SELECT count(DISTINCT hash(range)) FROM range({0})"


def test_there_is_no_progress_without_work() -> None:
    """The progress of an idle session is 0."""
    with open_session("here") as session:
        assert session.progress == 0


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is reported as growing shares between 0 and 1."""
    monkeypatch.setattr(counting, "INTERVAL", 0.005)
    told: list[float] = []
    with open_session("here") as session:
        run_with_progress(session, LONG.format(2_000_000), told.append)
    assert len(told) > 1
    assert all(0 <= share <= 1 for share in told)
    assert told == sorted(told)


@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR"])
def test_progress_ends(tmp_path: Path, kind: str) -> None:
    """The last reported progress is 1, for both ways of counting."""
    rows = f"SELECT 1::{kind} AS client, 1 AS item"
    told: list[float] = []
    path = parquet_file(tmp_path / "votes.parquet", rows)
    DuckdbVotes(path, domain=RangeDomain(1, 2), progress=told.append)
    assert told[-1] == 1


def test_counting_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt or an error of the progress function stops the running statement."""
    monkeypatch.setattr(counting, "INTERVAL", 0.01)

    def impatient(share: float) -> None:
        raise KeyboardInterrupt

    start = time.perf_counter()
    with open_session("here") as session, pytest.raises(KeyboardInterrupt):
        run_with_progress(session, LONG.format(10**10), impatient)
    assert time.perf_counter() - start < 20


def test_counting_that_fails() -> None:
    """An error of the engine is raised."""
    with open_session("here") as session:
        assert refusal(lambda: run_with_progress(session, "FROM nowhere", None))[0] is (
            Reason.UNREACHABLE_SOURCE
        )


@pytest.mark.slow
def test_votes_that_exceed_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Votes that do not fit into memory are counted with the disk."""
    rows = "SELECT (range % 1000000)::UBIGINT AS client, range % 7 AS item FROM range(3000000)"
    path = parquet_file(tmp_path / "votes.parquet", rows)
    settings = {"memory_limit": "25MB", "threads": 1}
    monkeypatch.setattr("privtopk.impl.sources.duckdb.session.SETTINGS", settings)
    votes = DuckdbVotes(path, domain=RangeDomain(0, 6))
    assert sum(counts_of(votes, 7)) == 3_000_000
