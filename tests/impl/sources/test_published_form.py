"""The form of what is published: it comes from declarations, and never from the rows."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import numpy as np
import pytest

from duckdb_samples import csv_file, parquet_file
from privtopk.impl.commands import select
from privtopk.impl.commands.cli import main
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.measurement.servers.redis import RedisServer
from privtopk.impl.scores.memory import ArrayScores, SparseScores
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.opening import ReadRequest, open_scores, open_votes, parse_domain
from privtopk.impl.sources.spark.scores import SparkScores
from spark_session import SPARK, frame, spark_session

Rows: TypeAlias = Mapping[int, int]
Scores: TypeAlias = Source | Store
Maker: TypeAlias = Callable[[Path, Rows], Scores]

STATES: tuple[Rows, ...] = ({}, {2: 7}, {1: 5, 2: 900, 3: 40})
"""No row, one row, and one row per item."""

NUMBERS, TEXTS = [1, 2, 3], ["1", "2", "3"]


def values(rows: Rows, item: str = "{}") -> str:
    """Return rows as SQL writes them."""
    return ", ".join(f"({item.format(name)}, {score})" for name, score in rows.items())


def insertion(rows: Rows, item: str = "{}") -> list[str]:
    """Return the statement that inserts rows, if there are any."""
    return [f"INSERT INTO votes VALUES {values(rows, item)}"] if rows else []


def scores_at(folder: Path, address: str, table: str | None, domain: str) -> Store:
    """Return the scores at an address; the domain `file` lists the items in a file."""
    listed = folder / "domain.txt"
    listed.write_text("1\n2\n3\n")
    declared = parse_domain(str(listed) if domain == "file" else domain)
    return open_scores(ReadRequest(address, table, "item", declared), "score")


def in_sqlite(column: str, item: str, domain: str) -> Maker:
    """Return the maker of a table of SQLite."""

    def make(folder: Path, rows: Rows) -> Scores:
        path = folder / "votes.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"CREATE TABLE votes ({column}, score INTEGER)")
            for statement in insertion(rows, item):
                connection.execute(statement)
            connection.commit()
        return scores_at(folder, str(path), "votes", domain)

    return make


def in_duckdb(column: str, domain: str) -> Maker:
    """Return the maker of a table of DuckDB."""

    def make(folder: Path, rows: Rows) -> Scores:
        path = folder / "votes.duckdb"
        with closing(duckdb.connect(str(path))) as connection:
            for statement in [f"CREATE TABLE votes (item {column}, score INT)", *insertion(rows)]:
                connection.execute(statement)
        return scores_at(folder, str(path), "votes", domain)

    return make


def in_csv(domain: str) -> Maker:
    """Return the maker of a CSV file."""

    def make(folder: Path, rows: Rows) -> Scores:
        lines = (f"{item},{score}" for item, score in rows.items())
        path = csv_file(folder / "votes.csv", "item,score", *lines)
        return scores_at(folder, str(path), None, domain)

    return make


def in_parquet(column: str, domain: str) -> Maker:
    """Return the maker of a Parquet file."""

    def make(folder: Path, rows: Rows) -> Scores:
        stored = f"VALUES {values({0: 0, **rows})}"
        chosen = f"SELECT CAST(a AS {column}) AS item, b AS score FROM ({stored}) AS t(a, b)"
        path = parquet_file(folder / "votes.parquet", f"{chosen} WHERE a <> 0")
        return scores_at(folder, str(path), None, domain)

    return make


def votes_in_csv(domain: str) -> Maker:
    """Return the maker of raw votes in a CSV file."""

    def make(folder: Path, rows: Rows) -> Scores:
        lines = [f"{client},{item}" for item, score in rows.items() for client in range(score)]
        path = csv_file(folder / "votes.csv", "client,item", *lines)
        (folder / "domain.txt").write_text("1\n2\n3\n")
        declared = parse_domain(str(folder / "domain.txt") if domain == "file" else domain)
        return open_votes(ReadRequest(str(path), None, "item", declared), "client", lambda _: None)

    return make


def votes_in_parquet(column: str) -> Maker:
    """Return the maker of raw votes in a Parquet file."""

    def make(folder: Path, rows: Rows) -> Scores:
        pairs = [(client, item) for item, score in rows.items() for client in range(score)]
        stored = ", ".join(f"({client}, {item})" for client, item in [(0, 0), *pairs])
        chosen = f"SELECT a AS client, CAST(b AS {column}) AS item FROM (VALUES {stored}) t(a, b)"
        path = parquet_file(folder / "votes.parquet", f"{chosen} WHERE b <> 0")
        wanted = ReadRequest(str(path), None, "item", parse_domain("3"))
        return open_votes(wanted, "client", lambda _: None)

    return make


def in_an_array(folder: Path, rows: Rows) -> Scores:
    """Return scores in memory; the items are the indices."""
    return ArrayScores(np.array([rows.get(item, 0) for item in NUMBERS]))


def in_memory(folder: Path, rows: Rows) -> Scores:
    """Return the positive scores of a declared domain in memory."""
    return SparseScores(3, {item - 1: score for item, score in rows.items()})


INDICES = [0, 1, 2]

PLACES: dict[str, tuple[Maker, list[Any]]] = {
    "SQLite, integers": (in_sqlite("item INTEGER PRIMARY KEY", "{}", "3"), NUMBERS),
    "SQLite, integers and a file": (in_sqlite("item INT", "{}", "file"), NUMBERS),
    "SQLite, texts": (in_sqlite("item TEXT", "'{}'", "3"), TEXTS),
    "SQLite, texts and a file": (in_sqlite("item VARCHAR(9)", "'{}'", "file"), TEXTS),
    "SQLite, numeric": (in_sqlite("item NUMERIC", "{}", "3"), NUMBERS),
    "SQLite, numeric and a file": (in_sqlite("item NUMERIC", "'{}'", "file"), NUMBERS),
    "SQLite, no type": (in_sqlite("item", "{}", "3"), NUMBERS),
    "SQLite, no type and a file": (in_sqlite("item", "'{}'", "file"), TEXTS),
    "DuckDB, integers": (in_duckdb("BIGINT", "file"), NUMBERS),
    "DuckDB, texts": (in_duckdb("VARCHAR", "3"), TEXTS),
    "CSV": (in_csv("3"), NUMBERS),
    "CSV and a file": (in_csv("file"), TEXTS),
    "Parquet, integers": (in_parquet("INTEGER", "file"), NUMBERS),
    "Parquet, texts": (in_parquet("VARCHAR", "3"), TEXTS),
    "votes in CSV": (votes_in_csv("3"), NUMBERS),
    "votes in CSV and a file": (votes_in_csv("file"), TEXTS),
    "votes in Parquet, integers": (votes_in_parquet("INTEGER"), NUMBERS),
    "votes in Parquet, texts": (votes_in_parquet("VARCHAR"), TEXTS),
    "an array": (in_an_array, INDICES),
    "a sparse domain": (in_memory, INDICES),
}


@pytest.fixture(params=["table", "json", "csv"])
def output_format(request: pytest.FixtureRequest) -> str:
    """Return a format of the output."""
    return str(request.param)


@pytest.fixture
def printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], output_format: str
) -> Callable[[Scores], str]:
    """Return the function that selects all items as a set, and returns what is printed."""

    def run(scores: Scores) -> str:
        monkeypatch.setattr(select, "open_source", lambda *arguments: scores)
        everything = ["-k", "3", "--epsilon", "1", "--noise", "laplace", "--domain", "3"]
        assert main(["select", "votes", *everything, "--format", output_format]) == 0
        return capsys.readouterr().out

    return run


def require_one_form(
    outputs: list[str], output_format: str, items: list[Any], rows: tuple[Rows, ...] = STATES
) -> None:
    """Assert that all outputs are the same bytes, and that the items have the declared type."""
    assert outputs == [outputs[0]] * len(rows)
    if output_format == "json":
        assert json.loads(outputs[0])["items"] == items


@pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")
@pytest.mark.parametrize("place", PLACES)
def test_rows_do_not_change_the_form(
    tmp_path: Path, printed: Callable[[Scores], str], output_format: str, place: str
) -> None:
    """If all items are selected, the output is the same for no row, one row and all rows."""
    make, items = PLACES[place]
    outputs = []
    for number, rows in enumerate(STATES):
        folder = tmp_path / str(number)
        folder.mkdir()
        outputs.append(printed(make(folder, rows)))
    require_one_form(outputs, output_format, items)


@pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")
@pytest.mark.parametrize(("column", "items"), [("bigint", NUMBERS), ("text", TEXTS)])
def test_rows_in_postgresql_do_not_change_the_form(
    tmp_path: Path,
    postgresql: PostgresqlServer,
    printed: Callable[[Scores], str],
    output_format: str,
    column: str,
    items: list[Any],
) -> None:
    """The type of the column decides whether items are numbers or texts."""
    outputs = []
    for rows in STATES:
        postgresql.execute(
            "DROP TABLE IF EXISTS votes",
            f"CREATE TABLE votes (item {column}, score bigint)",
            *insertion(rows, f"CAST({{}} AS {column})"),
        )
        outputs.append(printed(scores_at(tmp_path, postgresql.address(), "votes", "3")))
    require_one_form(outputs, output_format, items)


@pytest.mark.parametrize(("domain", "items"), [("3", NUMBERS), ("file", TEXTS)])
def test_rows_in_redis_do_not_change_the_form(
    tmp_path: Path,
    redis_server: RedisServer,
    printed: Callable[[Scores], str],
    output_format: str,
    domain: str,
    items: list[Any],
) -> None:
    """Members have no type, so the declared domain decides."""
    outputs = []
    for rows in STATES:
        with redis_server.client() as client:
            client.flushall()
            for item, score in rows.items():
                client.zadd("votes", {str(item): score})
        outputs.append(printed(scores_at(tmp_path, redis_server.url, "votes", domain)))
    require_one_form(outputs, output_format, items)


@pytest.mark.heavy
@SPARK[1]
@pytest.mark.parametrize(("column", "items"), [("int", NUMBERS), ("string", TEXTS)])
def test_rows_in_spark_do_not_change_the_form(
    tmp_path: Path,
    printed: Callable[[Scores], str],
    output_format: str,
    column: str,
    items: list[Any],
) -> None:
    """The schema of the frame decides."""
    spark = spark_session(tmp_path)
    outputs = []
    for rows in STATES:
        pairs = [(items[item - 1], score) for item, score in rows.items()]
        given = frame(spark, f"item {column}, score int", *pairs)
        outputs.append(printed(SparkScores(given, domain=parse_domain("3"))))
    require_one_form(outputs, output_format, items)
