"""Facts about where DuckDB finds rows: what is read, and what is refused before."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from duckdb_files import csv_file, database, parquet
from privtopk.impl.sources.duckdb_origin import Column, origin_of, reading
from privtopk.spec.errors import Reason
from support import refusal

PAIR = ("item", "score")


def rows(path: Path | str, table: str | None = None, names: Sequence[str] = PAIR) -> list[Any]:
    """Return the rows that are found at a place."""
    origin = origin_of(path, table)
    with reading(origin) as (opened, _):
        relation = origin.relation(opened, names)
        columns = ", ".join(column.name for column in relation.columns)
        return sorted(opened.rows(f"SELECT {columns} FROM {relation.place}"), key=repr)


def columns(path: Path, table: str | None = None) -> tuple[Column, ...]:
    """Return the columns that are found at a place."""
    origin = origin_of(path, table)
    with reading(origin) as (opened, _):
        return origin.relation(opened, PAIR).columns


def test_fields_of_a_csv_file_are_texts(tmp_path: Path) -> None:
    """A code keeps its zeros, and what looks like a number, a date or NULL is a text."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "007,1", "1.0,2020-01-01", "NULL,nan")
    assert rows(path) == [("007", "1"), ("1.0", "2020-01-01"), ("NULL", "nan")]
    assert columns(path)[0] == Column('"item"', "VARCHAR", is_written=True)


def test_quotes_of_a_csv_file(tmp_path: Path) -> None:
    """Quotes hold separators, quotes and line breaks; spaces and signs belong to a field."""
    lines = ("item,score", '"a,""b""\nc",1', " # d ,2", "e;f\tg,3")
    found = [('a,"b"\nc', "1"), (" # d ", "2"), ("e;f\tg", "3")]
    assert rows(csv_file(tmp_path / "votes.csv", *lines)) == sorted(found, key=repr)


def test_empty_fields(tmp_path: Path) -> None:
    """Nothing between two separators is NULL; nothing between quotes is the empty text."""
    path = csv_file(tmp_path / "votes.csv", "item,score", '"",1', ",2")
    assert rows(path) == [("", "1"), (None, "2")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("votes.csv", b"score,item\n5,fig\n"),
        ("votes.CSV", b"\xef\xbb\xbfitem,x,score\r\nfig,,5\r\n"),
        ("votes.tsv", b"item\tscore\nfig\t5"),
        ("votes.csv.gz", gzip.compress(b"item,score\nfig,5\n")),
        ("votes.tsv.gz", gzip.compress(b"item\tscore\nfig\t5\n")),
    ],
)
def test_kinds_of_csv_files(tmp_path: Path, name: str, text: bytes) -> None:
    """The ending tells the separator and the packing, the header tells the columns."""
    path = tmp_path / name
    path.write_bytes(text)
    assert rows(path) == [("fig", "5")]


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    """Files of one pattern may have their columns in different places."""
    csv_file(tmp_path / "1.csv", "item,score", "fig,5")
    csv_file(tmp_path / "2.csv", "score,item", "6,pear")
    csv_file(tmp_path / "3.csv", "item,score", "plum,7")
    assert rows(tmp_path / "*.csv") == [("fig", "5"), ("pear", "6"), ("plum", "7")]


def test_a_folder_is_no_column(tmp_path: Path) -> None:
    """The name of a folder says nothing of the rows of a CSV file."""
    folder = tmp_path / "c0=9"
    folder.mkdir()
    assert rows(csv_file(folder / "1.csv", "item,score", "fig,5")) == [("fig", "5")]


@pytest.mark.parametrize(
    "header", ["", "fig,5", "item", "Item,score", "item,item,score", " item,score", "item;score"]
)
def test_a_csv_file_without_its_header(tmp_path: Path, header: str) -> None:
    """A first line that is no header is not shown: it may be a vote."""
    path = csv_file(tmp_path / "votes.csv", header, "pear,6")
    assert refusal(lambda: rows(path)) == (
        Reason.UNKNOWN_COLUMN,
        f"{path} has no column {'score' if header == 'item' else 'item'!r} (once) in its first "
        "line, which must be a header",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"item,score\nfig,1,2\n", "Invalid Input Error: CSV Error on Line: 2"),
        (b"item,score\nfig,1\npear\n", "Invalid Input Error: CSV Error on Line: 3"),
        (b'item,score\n"fig,1\npear,2\n', "Invalid Input Error: CSV Error on Line: 2"),
        (
            b"item,score\n" + 10_000 * b"fig,1\n" + b"\xe9,2\n",
            "Invalid Input Error: CSV Error on Line: 10002",
        ),
        (b"item,score\n\xe9,2\n", "it is not UTF-8 text"),
        ("item,score\nfig,1\n".encode("utf-16"), "it is not UTF-8 text"),
    ],
)
def test_what_is_no_csv_file(tmp_path: Path, text: bytes, said: str) -> None:
    """A row of another length, a quote without an end or another encoding is refused."""
    path = tmp_path / "votes.csv"
    path.write_bytes(text)
    expected = (Reason.UNREACHABLE_SOURCE, f"{path} cannot be read: {said}")
    assert refusal(lambda: rows(path)) == expected


@pytest.mark.parametrize(
    "packed", [b"item,score\nfig,1\n", gzip.compress(1000 * b"item,score\nfig,1\n")[:-20]]
)
def test_what_is_no_packed_file(tmp_path: Path, packed: bytes) -> None:
    """A file that is not packed, or breaks off, is refused."""
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(packed)
    reason, message = refusal(lambda: rows(path))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: ")


def test_an_empty_file(tmp_path: Path) -> None:
    """Nothing is no header."""
    path = csv_file(tmp_path / "votes.csv")
    assert refusal(lambda: rows(path)) == (
        Reason.UNKNOWN_COLUMN,
        f"{path} has no column 'item' (once) in its first line, which must be a header",
    )


def test_columns_of_parquet_files_go_by_name(tmp_path: Path) -> None:
    """Files of one pattern may have their columns in different places, and folders say nothing."""
    folder = tmp_path / "item=9"
    folder.mkdir()
    parquet(folder / "1.parquet", "SELECT 1 AS item, 5 AS score")
    parquet(folder / "2.parquet", "SELECT 6 AS score, 0 AS other, 2 AS item")
    assert rows(folder / "*.parquet") == [(1, 5), (2, 6)]
    assert columns(folder / "1.parquet") == (
        Column('"item"', "INTEGER"),
        Column('"score"', "INTEGER"),
    )


def test_types_of_parquet_files_must_agree(tmp_path: Path) -> None:
    """No file's items are read as another file's: 007 would become 7."""
    parquet(tmp_path / "1.parquet", "SELECT 7 AS item, 5 AS score")
    parquet(tmp_path / "2.parquet", "SELECT '007' AS item, 5 AS score")
    assert refusal(lambda: rows(tmp_path / "*.parquet")) == (
        Reason.WRONG_TYPE,
        f"column 'item' must have one type in all files of {tmp_path}/*.parquet, "
        "got INTEGER, VARCHAR",
    )


def test_a_column_that_a_parquet_file_lacks(tmp_path: Path) -> None:
    """The columns that are there are named, from whichever file lacks one."""
    parquet(tmp_path / "1.parquet", "SELECT 1 AS item, 5 AS score")
    parquet(tmp_path / "2.parquet", "SELECT 1 AS item, 5 AS n")
    assert refusal(lambda: rows(tmp_path / "*.parquet")) == (
        Reason.UNKNOWN_COLUMN,
        f"{tmp_path}/*.parquet has no column 'score'; it has 'item', 'n'",
    )


@pytest.mark.parametrize("content", [b"", b"PAR1", 100 * b"item,score\n"])
def test_what_is_no_parquet_file(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused by its name."""
    path = tmp_path / "votes.parquet"
    path.write_bytes(content)
    reason, message = refusal(lambda: rows(path))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: Invalid Input Error: ")


def test_a_parquet_file_that_breaks_off(tmp_path: Path) -> None:
    """Half a file is refused."""
    path = parquet(tmp_path / "votes.parquet", "SELECT range AS item, 5 AS score FROM range(999)")
    path.write_bytes(path.read_bytes()[:-200])
    assert refusal(lambda: rows(path))[0] is Reason.UNREACHABLE_SOURCE


@pytest.mark.parametrize("name", ["a[1]", "a*", "a?", "a'b", "a;b", 'a"b', "a{1,2}", "~a", "a\\b"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_signs_in_the_name_of_a_file(tmp_path: Path, name: str, ending: str) -> None:
    """The name of a file that exists is taken literally."""
    csv_file(tmp_path / "a1.csv", "item,score", "wrong,0")
    csv_file(tmp_path / "a2.csv", "item,score", "wrong,0")
    source = tmp_path / ("right" + ending)
    if ending == ".csv":
        csv_file(source, "item,score", "fig,5")
    else:
        parquet(source, "SELECT 'fig' AS item, '5' AS score")
    assert rows(source.rename(tmp_path / (name + ending))) == [("fig", "5")]


@pytest.mark.parametrize("name", ["votes.duckdb", "votes", "votes.json", "*"])
def test_files_are_told_by_their_endings(name: str) -> None:
    """What is neither CSV nor Parquet needs a table."""
    assert refusal(lambda: origin_of(name, None)) == (
        Reason.WRONG_TYPE,
        "path must end in one of .csv, .csv.gz, .tsv, .tsv.gz, .parquet, or table must name a "
        f"table of a database; got {name}",
    )


@pytest.mark.parametrize(("name", "table"), [("a.csv", None), ("*.parquet", None), ("a.db", "t")])
def test_a_file_that_is_not_there(tmp_path: Path, name: str, table: str | None) -> None:
    """A missing file is named, and none is made."""
    assert refusal(lambda: rows(tmp_path / name, table)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{tmp_path}/{name} cannot be read: there is no such file",
    )
    assert list(tmp_path.iterdir()) == []


def test_what_the_catalogue_says(tmp_path: Path) -> None:
    """Constraints on one column are promises; those on two are none about either."""
    path = database(
        tmp_path,
        "CREATE TABLE one (item INTEGER PRIMARY KEY, score DECIMAL(9, 2) NOT NULL)",
        "CREATE TABLE two (item VARCHAR, score BIGINT UNIQUE, PRIMARY KEY (item, score))",
        "CREATE VIEW three AS FROM one",
    )
    assert columns(path, "one") == (
        Column('"item"', "INTEGER", is_required=True, is_unique=True),
        Column('"score"', "DECIMAL(9,2)", is_required=True),
    )
    assert columns(path, "two") == (
        Column('"item"', "VARCHAR", is_required=True),
        Column('"score"', "BIGINT", is_required=True, is_unique=True),
    )
    assert columns(path, "three") == (
        Column('"item"', "INTEGER"),
        Column('"score"', "DECIMAL(9,2)"),
    )


def test_names_are_quoted(tmp_path: Path) -> None:
    """Names of tables and columns are names, whatever they say."""
    path = database(
        tmp_path,
        'CREATE TABLE "v; DROP TABLE ""x" ("it""em" INTEGER, "a.b" INTEGER)',
        'INSERT INTO "v; DROP TABLE ""x" VALUES (1, 5)',
    )
    assert rows(path, 'v; DROP TABLE "x', ('it"em', "a.b")) == [(1, 5)]


def test_a_table_may_be_in_a_schema(tmp_path: Path) -> None:
    """A dot comes after a schema, unless the main one has a table of the whole name."""
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
    """A table is compared with the catalogue, and one of the engine itself is none."""
    path = database(tmp_path, "CREATE SCHEMA s", "CREATE TABLE s.t (item INTEGER, score INTEGER)")
    assert refusal(lambda: rows(path, table)) == (
        Reason.UNKNOWN_COLUMN,
        f"{path} has no table {table!r}",
    )


def test_a_column_that_a_table_lacks(tmp_path: Path) -> None:
    """The columns that are there are named."""
    path = database(tmp_path, "CREATE TABLE t (item INTEGER, n INTEGER)")
    assert refusal(lambda: rows(path, "t")) == (
        Reason.UNKNOWN_COLUMN,
        "table 't' has no column 'score'; it has 'item', 'n'",
    )


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", 1000 * b"item,score\n"])
def test_what_is_no_database(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused by its name, and no extension is asked for."""
    path = tmp_path / "votes.duckdb"
    path.write_bytes(content)
    reason, message = refusal(lambda: rows(path, "t"))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: IO Error: ")
    assert "xtension" not in message
