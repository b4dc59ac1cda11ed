"""Facts about CSV and Parquet files: what is read, and what is refused before reading."""

import gzip
from pathlib import Path

import pytest

from duckdb_samples import columns, csv_file, parquet_file, rows
from privtopk.impl.sources.duckdb.table_reference import TypedColumn
from privtopk.spec.model.errors import Reason
from support import refusal


def test_fields_of_a_csv_file_are_texts(tmp_path: Path) -> None:
    """A code keeps its zeros, and what looks like a number, a date or NULL is a text."""
    path = csv_file(tmp_path / "votes.csv", "item,score", "007,1", "1.0,2020-01-01", "NULL,nan")
    assert rows(path) == [("007", "1"), ("1.0", "2020-01-01"), ("NULL", "nan")]
    assert columns(path)[0] == TypedColumn('"item"', "VARCHAR", is_untyped=True)


def test_quotes_of_a_csv_file(tmp_path: Path) -> None:
    """Quoted fields may contain separators, quotes and line breaks; spaces belong to a field."""
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
        ("votes.csv.gz", gzip.compress(b"item,score\nfig,5\n", mtime=0)),
        ("votes.tsv.gz", gzip.compress(b"item\tscore\nfig\t5\n", mtime=0)),
    ],
)
def test_kinds_of_csv_files(tmp_path: Path, name: str, text: bytes) -> None:
    """The ending decides the separator and the compression, the header decides the columns."""
    path = tmp_path / name
    path.write_bytes(text)
    assert rows(path) == [("fig", "5")]


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    """Files of one pattern may have their columns in different orders."""
    csv_file(tmp_path / "1.csv", "item,score", "fig,5")
    csv_file(tmp_path / "2.csv", "score,item", "6,pear")
    csv_file(tmp_path / "3.csv", "item,score", "plum,7")
    assert rows(tmp_path / "*.csv") == [("fig", "5"), ("pear", "6"), ("plum", "7")]


def test_a_folder_is_no_column(tmp_path: Path) -> None:
    """The name of a folder adds no column to a CSV file."""
    folder = tmp_path / "c0=9"
    folder.mkdir()
    assert rows(csv_file(folder / "1.csv", "item,score", "fig,5")) == [("fig", "5")]


@pytest.mark.parametrize(
    "header", ["", "fig,5", "item", "Item,score", "item,item,score", " item,score", "item;score"]
)
def test_a_csv_file_without_its_header(tmp_path: Path, header: str) -> None:
    """A first line that is not a header is not shown: it may be a vote."""
    path = csv_file(tmp_path / "votes.csv", header, "pear,6")
    assert refusal(lambda: rows(path)) == (
        Reason.UNKNOWN_COLUMN,
        f"the first line of {path} must be a header with one column "
        f"{'score' if header == 'item' else 'item'!r}",
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
    "packed", [b"item,score\nfig,1\n", gzip.compress(1000 * b"item,score\nfig,1\n", mtime=0)[:-20]]
)
def test_what_is_no_packed_file(tmp_path: Path, packed: bytes) -> None:
    """A file that is not compressed, or is truncated, is refused."""
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(packed)
    reason, message = refusal(lambda: rows(path))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: ")


def test_an_empty_file(tmp_path: Path) -> None:
    """An empty file has no header."""
    path = csv_file(tmp_path / "votes.csv")
    assert refusal(lambda: rows(path)) == (
        Reason.UNKNOWN_COLUMN,
        f"the first line of {path} must be a header with one column 'item'",
    )


def test_columns_of_parquet_files_go_by_name(tmp_path: Path) -> None:
    """Files of one pattern may have different orders of columns, and folders add no column."""
    folder = tmp_path / "item=9"
    folder.mkdir()
    parquet_file(folder / "1.parquet", "SELECT 1 AS item, 5 AS score")
    parquet_file(folder / "2.parquet", "SELECT 6 AS score, 0 AS other, 2 AS item")
    assert rows(folder / "*.parquet") == [(1, 5), (2, 6)]
    assert columns(folder / "1.parquet") == (
        TypedColumn('"item"', "INTEGER"),
        TypedColumn('"score"', "INTEGER"),
    )


def test_types_of_parquet_files_must_agree(tmp_path: Path) -> None:
    """Items are not converted to the type of another file: 007 would become 7."""
    parquet_file(tmp_path / "1.parquet", "SELECT 7 AS item, 5 AS score")
    parquet_file(tmp_path / "2.parquet", "SELECT '007' AS item, 5 AS score")
    assert refusal(lambda: rows(tmp_path / "*.parquet")) == (
        Reason.WRONG_TYPE,
        f"column 'item' must have one type in all files of {tmp_path}/*.parquet, "
        "got INTEGER, VARCHAR",
    )


def test_a_column_that_a_parquet_file_lacks(tmp_path: Path) -> None:
    """The message lists the columns of the file that lacks one."""
    parquet_file(tmp_path / "1.parquet", "SELECT 1 AS item, 5 AS score")
    parquet_file(tmp_path / "2.parquet", "SELECT 1 AS item, 5 AS n")
    assert refusal(lambda: rows(tmp_path / "*.parquet")) == (
        Reason.UNKNOWN_COLUMN,
        f"{tmp_path}/*.parquet has no column 'score'; it has 'item', 'n'",
    )


@pytest.mark.parametrize("content", [b"", b"PAR1", 100 * b"item,score\n"])
def test_what_is_no_parquet_file(tmp_path: Path, content: bytes) -> None:
    """A file of another format is refused by name."""
    path = tmp_path / "votes.parquet"
    path.write_bytes(content)
    reason, message = refusal(lambda: rows(path))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(f"{path} cannot be read: Invalid Input Error: ")


def test_a_truncated_parquet_file(tmp_path: Path) -> None:
    """A truncated file is refused."""
    path = parquet_file(
        tmp_path / "votes.parquet", "SELECT range AS item, 5 AS score FROM range(999)"
    )
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
        parquet_file(source, "SELECT 'fig' AS item, '5' AS score")
    assert rows(source.rename(tmp_path / (name + ending))) == [("fig", "5")]
