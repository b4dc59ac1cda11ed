"""Facts about tables of DuckDB, and about how kinds of files are recognised."""

from pathlib import Path

import pytest

from duckdb_samples import columns, csv_file, database, parquet_file, rows
from privtopk.impl.sources.duckdb.origin import open_origin, origin_of
from privtopk.impl.sources.duckdb.table_reference import TypedColumn
from privtopk.spec.model.errors import Reason
from support import refusal


@pytest.mark.parametrize("name", ["votes.duckdb", "votes", "votes.json", "*"])
def test_files_are_recognised_by_their_endings(name: str) -> None:
    """A file that is neither CSV nor Parquet needs a table."""
    assert refusal(lambda: origin_of(name, None)) == (
        Reason.WRONG_TYPE,
        "path must end in one of .csv, .csv.gz, .tsv, .tsv.gz, .parquet, or table must name a "
        f"table of a database; got {name}",
    )


@pytest.mark.parametrize(("name", "table"), [("a.csv", None), ("*.parquet", None), ("a.db", "t")])
def test_a_file_that_is_not_there(tmp_path: Path, name: str, table: str | None) -> None:
    """A missing file is named, and not created."""
    assert refusal(lambda: rows(tmp_path / name, table)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{tmp_path}/{name} cannot be read: there is no such file",
    )
    assert list(tmp_path.iterdir()) == []


def test_what_the_catalogue_says(tmp_path: Path) -> None:
    """A constraint on one column is a guarantee; one on two columns is none for either."""
    path = database(
        tmp_path,
        "CREATE TABLE one (item INTEGER PRIMARY KEY, score DECIMAL(9, 2) NOT NULL)",
        "CREATE TABLE two (item VARCHAR, score BIGINT UNIQUE, PRIMARY KEY (item, score))",
        "CREATE VIEW three AS FROM one",
    )
    assert columns(path, "one") == (
        TypedColumn('"item"', "INTEGER", is_required=True, is_unique=True),
        TypedColumn('"score"', "DECIMAL(9,2)", is_required=True),
    )
    assert columns(path, "two") == (
        TypedColumn('"item"', "VARCHAR", is_required=True),
        TypedColumn('"score"', "BIGINT", is_required=True, is_unique=True),
    )
    assert columns(path, "three") == (
        TypedColumn('"item"', "INTEGER"),
        TypedColumn('"score"', "DECIMAL(9,2)"),
    )


def test_what_is_to_be_copied(tmp_path: Path) -> None:
    """Each query of a view or a CSV file computes the rows again; other files store them."""
    path = database(
        tmp_path,
        "CREATE SCHEMA s",
        "CREATE TABLE votes AS SELECT 1 AS item, 5 AS score",
        "CREATE VIEW s.votes AS FROM main.votes",
    )
    csv = csv_file(tmp_path / "votes.csv", "item,score")
    rows = parquet_file(tmp_path / "votes.parquet", "SELECT 1 AS item, 5 AS score")
    places = [(path, "votes"), (rows, None), (path, "s.votes"), (csv, None)]
    found = []
    for origin in (origin_of(*place) for place in places):
        with open_origin(origin) as (session, _):
            found.append(origin.reference(session, ("item", "score")).is_recomputed)
    assert found == [False, False, True, True]


def test_names_are_quoted(tmp_path: Path) -> None:
    """Names of tables and columns are never SQL, whatever they contain."""
    path = database(
        tmp_path,
        'CREATE TABLE "v; DROP TABLE ""x" ("it""em" INTEGER, "a.b" INTEGER)',
        'INSERT INTO "v; DROP TABLE ""x" VALUES (1, 5)',
    )
    assert rows(path, 'v; DROP TABLE "x', ('it"em', "a.b")) == [(1, 5)]


def test_a_table_may_be_in_a_schema(tmp_path: Path) -> None:
    """A dot separates schema and table, unless the main schema has a table with the whole name."""
    path = database(
        tmp_path,
        "CREATE SCHEMA s",
        "CREATE TABLE s.t AS SELECT 1 AS item, 5 AS score",
        "CREATE TABLE s.u AS SELECT 2 AS item, 6 AS score",
        'CREATE TABLE "s.u" AS SELECT 3 AS item, 7 AS score',
    )
    assert rows(path, "s.t") == [(1, 5)]
    assert rows(path, "s.u") == [(3, 7)]


@pytest.mark.parametrize("table", ["t", "S.t", "x", "information_schema.tables", "'", ""])
def test_a_table_that_is_not_there(tmp_path: Path, table: str) -> None:
    """A table must be in the catalogue of the file; tables of the engine itself do not count."""
    path = database(tmp_path, "CREATE SCHEMA s", "CREATE TABLE s.t (item INTEGER, score INTEGER)")
    assert refusal(lambda: rows(path, table)) == (
        Reason.UNKNOWN_COLUMN,
        f"{path} has no table {table!r}",
    )


def test_a_column_that_a_table_lacks(tmp_path: Path) -> None:
    """The message lists the columns that exist."""
    path = database(tmp_path, "CREATE TABLE t (item INTEGER, n INTEGER)")
    assert refusal(lambda: rows(path, "t")) == (
        Reason.UNKNOWN_COLUMN,
        "table 't' has no column 'score'; it has 'item', 'n'",
    )


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", 1000 * b"item,score\n"])
def test_what_is_no_database(tmp_path: Path, content: bytes) -> None:
    """A file of another format is refused by name, and no extension is loaded."""
    path = tmp_path / "votes.duckdb"
    path.write_bytes(content)
    reason, message = refusal(lambda: rows(path, "t"))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: IO Error: ")
    assert "xtension" not in message
