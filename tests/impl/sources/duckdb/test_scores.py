"""Facts about scores that DuckDB reads: its tables, CSV files and Parquet files."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckdb_samples import csv_file, database, parquet_file
from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.domain import ListedDomain, RangeDomain
from privtopk.impl.sources.duckdb import scores as duckdb_scores
from privtopk.impl.sources.duckdb.scores import DuckdbQuery, DuckdbScores
from privtopk.impl.sources.duckdb.session import Session, open_session
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import Statements
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal

KEYED = "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL)"
LOOSE = "CREATE TABLE votes (item INTEGER, score INTEGER)"
ROWS = "INSERT INTO votes VALUES (3, 5000), (7, 4000), (5, 0)"

Stored = Callable[[Path], DuckdbScores]


def in_a_table(folder: Path) -> DuckdbScores:
    """Return scores in a table with all constraints."""
    return DuckdbScores(database(folder, KEYED, ROWS), "votes", domain=RangeDomain(1, 20))


def in_a_loose_table(folder: Path) -> DuckdbScores:
    """Return scores in a table without constraints."""
    return DuckdbScores(database(folder, LOOSE, ROWS), "votes", domain=RangeDomain(1, 20))


def in_parquet(folder: Path) -> DuckdbScores:
    """Return scores in a Parquet file."""
    rows = "SELECT * FROM (VALUES (3, 5000), (7, 4000), (5, 0)) AS rows (item, score)"
    return DuckdbScores(parquet_file(folder / "votes.parquet", rows), domain=RangeDomain(1, 20))


def in_csv(folder: Path) -> DuckdbScores:
    """Return scores in a CSV file."""
    path = csv_file(folder / "votes.csv", "score,item", "5000,3", "4000,7", "0,5")
    return DuckdbScores(path, domain=RangeDomain(1, 20))


STORES: list[Stored] = [in_a_table, in_a_loose_table, in_parquet, in_csv]


@pytest.fixture(scope="module", params=STORES)
def scores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return scores of each kind; no test changes them."""
    return request.param(tmp_path_factory.mktemp("scores"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", list(Engine))
def test_every_engine_finds_the_leaders(scores: DuckdbScores, engine: Engine) -> None:
    """Leaders far ahead are selected; the third may be an item without a row."""
    items = top_k(scores, 3, epsilon=1, engine=engine).items
    assert items[:2] == (3, 7)
    assert items[2] in set(range(1, 21)) - {3, 7}


def test_both_doors(scores: DuckdbScores) -> None:
    """Rows come by descending score, then items without a row with score 0."""
    with scores.snapshot() as source:
        page = source.top(0, 4)
        assert page.items.tolist() == [2, 6, 4, 0]
        assert page.scores.tolist() == [5000, 4000, 0, 0]
        assert source.scores(np.array([6, 19, 2, 6])).tolist() == [4000, 0, 5000, 4000]
        assert [source.name(item) for item in (2, 19)] == [3, 20]
        assert getattr(source, "trip_price", None) == source.size


def test_at_most_two_queries(tmp_path: Path) -> None:
    """The whole prefix is read at once, because a round trip is a scan."""
    rows = "INSERT INTO votes SELECT range, 0 FROM range(1, 20001)"
    scores = DuckdbScores(database(tmp_path, KEYED, rows), "votes", domain=RangeDomain(1, 20_000))
    audit = top_k(scores, 5, epsilon=1).audit
    assert (audit.engine, audit.round_trips <= 2) == ("batched", True)
    assert audit.sorted_accesses + audit.random_accesses < 2000


def test_texts_of_a_table(tmp_path: Path) -> None:
    """Items are the exact texts of the table, including quotes, whatever its collation."""
    path = database(
        tmp_path,
        'CREATE TABLE "the ""votes" ("it;em" VARCHAR COLLATE NOCASE, n HUGEINT)',
        """INSERT INTO "the ""votes" VALUES ('a''b', 900), ('A''B', 900), ('"', 1)""",
    )
    domain = ListedDomain(["a'b", '"', "Ö", "A'B"])
    scores = DuckdbScores(path, 'the "votes', item="it;em", score="n", domain=domain)
    assert set(top_k(scores, 2, epsilon=1).items) == {"a'b", "A'B"}


def test_texts_of_a_csv_file(tmp_path: Path) -> None:
    """A code keeps its leading zeros if the domain consists of texts."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "007,900", "7,1", '"a,b",800')
    scores = DuckdbScores(path, domain=ListedDomain(["7", "007", "a,b"]))
    assert top_k(scores, 2, epsilon=1).items == ("007", "a,b")


def test_numbers_of_a_csv_file(tmp_path: Path) -> None:
    """If the domain consists of numbers, a code with leading zeros is not an item."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "007,900", "7,1")
    scores = DuckdbScores(path, domain=ListedDomain([7]))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.UNKNOWN_ITEM,
        "the table has an item outside the declared domain 1 listed items",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stored", "domain"),
    [(in_a_table, "3 listed items"), (in_parquet, "3 listed items"), (in_csv, "3 listed items")],
)
def test_a_public_domain(tmp_path: Path, stored: Stored, domain: str) -> None:
    """A public domain is read from the rows; the items of a CSV file are texts."""
    given_one = stored(tmp_path)
    origin = given_one._origin
    scores = DuckdbScores(origin.place, getattr(origin, "table", None), domain="public")
    assert (repr(scores.domain), scores.size) == (domain, 3)
    leader = top_k(scores, 1, epsilon=1).items
    assert leader == (("3",) if stored is in_csv else (3,))


def test_a_domain_must_be_declared() -> None:
    """Nothing is read before the domain is declared."""
    assert refusal(lambda: DuckdbScores("no such file", "votes"))[0] is (Reason.UNDECLARED_DOMAIN)


@pytest.mark.slow
@pytest.mark.parametrize(
    "stored", ["table", "csv", pytest.param("parquet", marks=pytest.mark.heavy)]
)
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("4", "-1"), (Reason.NEGATIVE_SCORE, "no score may be negative")),
        (
            ("4", "9007199254740993"),
            (Reason.SCORE_OUT_OF_RANGE, "no score may exceed 2^53 = 9007199254740992"),
        ),
        (("4", ""), (Reason.MISSING_SCORE, "no score may be NULL")),
        (("", "4"), (Reason.UNKNOWN_ITEM, "no item may be NULL")),
        (("4", "0.5"), (Reason.WRONG_TYPE, "every score must be a whole number")),
        (("3", "5"), (Reason.DUPLICATE_ITEM, "an item has more than one row")),
        (
            ("21", "5"),
            (Reason.UNKNOWN_ITEM, "the table has an item outside the declared domain 1..20"),
        ),
    ],
)
def test_a_row_that_is_wrong(
    tmp_path: Path, stored: str, row: tuple[str, str], expected: tuple[Reason, str]
) -> None:
    """An invalid row is refused before the selection begins, in every kind of file."""
    item, score = (field or "NULL" for field in row)
    rows = f"SELECT * FROM (VALUES (3, 5000.00), ({item}, {score})) AS rows (item, score)"
    domain = RangeDomain(1, 20)
    if stored == "table":
        path = database(tmp_path, f"CREATE TABLE votes AS {rows}")
        scores = DuckdbScores(path, "votes", domain=domain)
    elif stored == "parquet":
        scores = DuckdbScores(parquet_file(tmp_path / "v.parquet", rows), domain=domain)
    else:
        path = csv_file(tmp_path / "v.csv", "item,score", "3,5000", ",".join(row))
        scores = DuckdbScores(path, domain=domain)
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == expected


def test_not_a_number_is_refused(tmp_path: Path) -> None:
    """NaN, which sorts above every number, is refused."""
    rows = "SELECT unnest([1, 2]) AS item, unnest([5, 'nan'::DOUBLE]) AS score"
    scores = DuckdbScores(parquet_file(tmp_path / "v.parquet", rows), domain=RangeDomain(1, 2))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


def test_an_item_outside_a_list(tmp_path: Path) -> None:
    """A row with an item outside the listed domain is refused when it is read."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "fig,5", "pear,6")
    scores = DuckdbScores(path, domain=ListedDomain(["fig", "plum"]))
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.UNKNOWN_ITEM


def test_wrong_types_are_refused_at_once(tmp_path: Path) -> None:
    """The type of a column is checked before any row is read."""
    path = database(tmp_path, "CREATE TABLE votes (item DATE, score INTEGER, n VARCHAR)")
    domain = RangeDomain(1, 2)
    assert refusal(lambda: DuckdbScores(path, "votes", domain=domain)) == (
        Reason.WRONG_TYPE,
        f'items must be texts or whole numbers, but column "item" of {path} is DATE',
    )
    assert refusal(lambda: DuckdbScores(path, "votes", item="n", score="n", domain=domain)) == (
        Reason.WRONG_TYPE,
        f'scores must be whole numbers, but column "n" of {path} is VARCHAR',
    )


def test_a_type_may_not_change(tmp_path: Path) -> None:
    """If a file is replaced, the new one must have the same type of items."""
    scores = in_parquet(tmp_path)
    path = parquet_file(tmp_path / "votes.parquet", "SELECT '3' AS item, 5 AS score")
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.WRONG_TYPE,
        f'items must be int as in the domain, but column "item" of {path} is VARCHAR',
    )


def test_rows_are_checked_again_when_they_change(tmp_path: Path) -> None:
    """A file that passed the checks is trusted until it changes."""
    scores = in_parquet(tmp_path)
    assert top_k(scores, 1, epsilon=1).items == (3,)
    parquet_file(tmp_path / "votes.parquet", "SELECT 4 AS item, 9000 AS score")
    assert top_k(scores, 1, epsilon=1).items == (4,)
    parquet_file(tmp_path / "votes.parquet", "SELECT 4 AS item, -9000 AS score")
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.NEGATIVE_SCORE


def test_rows_are_not_checked_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unchanged file is checked once, however many selections read it."""
    scores = in_parquet(tmp_path)
    top_k(scores, 1, epsilon=1)
    monkeypatch.delattr(duckdb_scores, "require_sound")
    assert top_k(scores, 1, epsilon=1).items == (3,)


def test_a_selection_that_fails_proves_nothing(tmp_path: Path) -> None:
    """Rows that were refused are refused again."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "fig,5", "fig,6")
    scores = DuckdbScores(path, domain=ListedDomain(["fig"]))
    for _ in range(2):
        assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.DUPLICATE_ITEM


def test_a_view_says_one_thing_at_a_time(tmp_path: Path) -> None:
    """A view that returns different rows each time is read once per selection."""
    path = database(
        tmp_path,
        "CREATE VIEW votes AS SELECT range AS item, (1e9 * random())::BIGINT AS score "
        "FROM range(1, 51)",
    )
    scores = DuckdbScores(path, "votes", domain=RangeDomain(1, 50))
    with scores.snapshot() as source:
        page = source.top(0, 50)
        assert source.scores(page.items).tolist() == page.scores.tolist()


def test_a_view_is_checked_each_time(tmp_path: Path) -> None:
    """The rows of a view may become invalid although the database file does not change."""
    other = parquet_file(tmp_path / "other.parquet", "SELECT 3 AS item, 5000 AS score")
    path = database(tmp_path, f"CREATE VIEW votes AS FROM read_parquet('{other}')")
    scores = DuckdbScores(path, "votes", domain=RangeDomain(1, 20))
    assert top_k(scores, 1, epsilon=1).items == (3,)
    parquet_file(other, "SELECT 3 AS item, -1 AS score")
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.NEGATIVE_SCORE


def test_an_empty_table(tmp_path: Path) -> None:
    """Without rows all items of the domain have score 0, and one of them is selected."""
    scores = DuckdbScores(database(tmp_path, KEYED), "votes", domain=RangeDomain(1, 3))
    assert top_k(scores, 1, epsilon=1).items[0] in (1, 2, 3)


def test_files_of_a_pattern(tmp_path: Path) -> None:
    """Many files are one table, and an added file is part of the next selection."""
    parquet_file(tmp_path / "1.parquet", "SELECT 1 AS item, 800 AS score")
    scores = DuckdbScores(tmp_path / "*.parquet", domain=RangeDomain(1, 9))
    assert top_k(scores, 1, epsilon=1).items == (1,)
    parquet_file(tmp_path / "2.parquet", "SELECT 2 AS item, 1600 AS score")
    assert top_k(scores, 2, epsilon=1).items == (2, 1)


def test_a_file_that_joins_others(tmp_path: Path) -> None:
    """A file that appears during a selection ends it."""
    parquet_file(tmp_path / "1.parquet", "SELECT 1 AS item, 800 AS score")
    scores = DuckdbScores(tmp_path / "*.parquet", domain=RangeDomain(1, 9))

    def read() -> None:
        with scores.snapshot() as source:
            assert source.top(0, 1).items.tolist() == [0]
            parquet_file(tmp_path / "2.parquet", "SELECT 2 AS item, 1600 AS score")

    assert refusal(read) == (
        Reason.CHANGED_SOURCE,
        f"{tmp_path}/*.parquet was changed while it was read",
    )


def test_two_snapshots_at_once(scores: DuckdbScores) -> None:
    """Selections can run at the same time."""
    with scores.snapshot() as first, scores.snapshot() as second:
        assert first.top(0, 1).items.tolist() == second.top(0, 1).items.tolist() == [2]


def test_another_process_may_select(scores: DuckdbScores) -> None:
    """Scores can be pickled, because they hold no open connection."""
    assert top_k(pickle.loads(pickle.dumps(scores)), 1, epsilon=1).items == (3,)


def test_nothing_stays_open(tmp_path: Path) -> None:
    """Between selections the owner of the database can write to it."""
    scores = in_a_table(tmp_path)
    assert top_k(scores, 1, epsilon=1).items == (3,)
    database(tmp_path, "UPDATE votes SET score = 9000 WHERE item = 5")
    assert top_k(scores, 1, epsilon=1).items == (5,)


WRITER = """
import duckdb, os, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("INSERT INTO votes VALUES (9, ?)", [int(sys.argv[2])])
print(flush=True)
sys.stdin.readline()
os._exit(0)
"""


@contextmanager
def writer(path: Path, score: int) -> Iterator[subprocess.Popen[str]]:
    """Yield a process that has written a row to an open database; it aborts on request."""
    command = [sys.executable, "-c", WRITER, str(path), str(score)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


def test_a_writer_locks_the_database(tmp_path: Path) -> None:
    """The error names the writing process; after its end, its write-ahead log is read."""
    scores, path = in_a_table(tmp_path), tmp_path / "votes.duckdb"
    with writer(path, 9000) as process:
        reason, message = refusal(lambda: top_k(scores, 1, epsilon=1))
        assert reason is Reason.UNREACHABLE_SOURCE
        assert message.startswith(f"{path} cannot be read: IO Error: Could not set lock on file")
        assert f"PID {process.pid}" in message
        process.communicate("\n")
    assert Path(f"{path}.wal").exists()
    assert top_k(scores, 1, epsilon=1).items == (9,)


@pytest.mark.slow
def test_a_log_is_checked(tmp_path: Path) -> None:
    """An invalid row in the log is found, although the database file has not changed."""
    scores = in_a_table(tmp_path)
    assert top_k(scores, 1, epsilon=1).items == (3,)
    with writer(tmp_path / "votes.duckdb", -1) as process:
        process.communicate("\n")
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.NEGATIVE_SCORE


def test_a_writer_of_the_same_process(tmp_path: Path) -> None:
    """The error names a writing connection in the same process as the cause."""
    scores = in_a_table(tmp_path)
    with closing(duckdb.connect(str(tmp_path / "votes.duckdb"))):
        reason, message = refusal(lambda: top_k(scores, 1, epsilon=1))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert "is already attached by database" in message


def test_a_reader_of_the_same_process(tmp_path: Path) -> None:
    """A read-only connection does not prevent a selection."""
    scores = in_a_table(tmp_path)
    with closing(duckdb.connect(str(tmp_path / "votes.duckdb"), read_only=True)):
        assert top_k(scores, 1, epsilon=1).items == (3,)


def test_a_database_that_is_damaged(tmp_path: Path) -> None:
    """Overwritten blocks are refused, because they have checksums."""
    rows = "INSERT INTO votes SELECT range, hash(range) % 1000 FROM range(1, 200001)"
    path = database(tmp_path, LOOSE, rows)
    scores = DuckdbScores(path, "votes", domain=RangeDomain(1, 200_000))
    content = bytearray(path.read_bytes())
    for place in range(20_000, len(content), 5000):
        content[place] ^= 255
    path.write_bytes(content)
    reason, message = refusal(lambda: top_k(scores, 3, epsilon=1))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: ")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session for all examples, because opening one takes longer than all their queries."""
    with open_session("here") as connection:
        yield connection


def query(session: Session, rows: dict[Any, int], kind: str) -> DuckdbQuery:
    """Return a query that fetches at least two rows at once."""
    session.run(
        f"CREATE OR REPLACE TABLE rows AS SELECT unnest(?::{kind}[]) AS item, "
        "unnest(?::BIGINT[]) AS score",
        ([*rows], [*rows.values()]),
    )
    return DuckdbQuery(session, Statements("rows", "item", "score"), least_rows=2)


def pairs(rows: Rows) -> list[tuple[Any, int]]:
    """Return rows as a list of pairs."""
    return list(zip(np.asarray(rows.items).tolist(), np.asarray(rows.scores).tolist(), strict=True))


SCORES = st.integers(0, 3)
NUMBERS = st.dictionaries(st.integers(-3, 20), SCORES, max_size=12)
TEXTS = st.dictionaries(st.text("aB'é\0 😀", max_size=2), SCORES, max_size=12)
SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=8)


@given(rows=st.one_of(NUMBERS, TEXTS), sizes=SIZES)
def test_the_best_rows_come_in_one_order(
    session: Session, rows: dict[Any, int], sizes: list[int]
) -> None:
    """For any page sizes each row comes once, ties by descending item; again after a rewind."""
    kind = "VARCHAR" if any(isinstance(item, str) for item in rows) else "BIGINT"
    asked = query(session, rows, kind)
    expected = sorted(rows.items(), key=lambda row: (row[1], row[0]), reverse=True)
    for _ in range(2):
        pages = [pairs(asked.best(size)) for size in sizes]
        assert [len(page) for page in pages] == [
            len(expected[sum(sizes[:place]) :][:size]) for place, size in enumerate(sizes)
        ]
        assert [row for page in pages for row in page] == expected[: sum(sizes)]
        asked.rewind()


@given(rows=st.one_of(NUMBERS, TEXTS), others=st.booleans())
def test_rows_of_some_items(session: Session, rows: dict[Any, int], others: bool) -> None:
    """Exactly the requested items are returned."""
    kind = "VARCHAR" if any(isinstance(item, str) for item in rows) else "BIGINT"
    asked = query(session, rows, kind)
    items = [*rows][::2] + (["other" if kind == "VARCHAR" else 99] if others or not rows else [])
    assert sorted(pairs(asked.of(items))) == sorted((i, rows[i]) for i in items if i in rows)
    assert sorted(pairs(asked.all())) == sorted(rows.items())


def test_a_row_that_turned_null(session: Session) -> None:
    """A NULL that appears after the checks is refused through every door."""
    asked = query(session, {1: 5}, "BIGINT")
    session.run("UPDATE rows SET score = NULL")
    for door in (asked.all, lambda: asked.of([1]), lambda: asked.best(1)):
        assert refusal(door) == (Reason.MISSING_SCORE, "no item or score may be NULL")


def test_a_query_that_breaks_off(session: Session) -> None:
    """An error during a selection is reported as such."""
    asked = DuckdbQuery(session, Statements("nowhere", "item", "score"))
    assert refusal(lambda: asked.all())[0] is Reason.UNREACHABLE_SOURCE
