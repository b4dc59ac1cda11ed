"""Scores in a table of DuckDB, and in a Parquet file."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import numpy as np

from privtopk.impl.measurement.databases.stored import TABLE, Stored, page_by_item
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.duckdb.scores import DuckdbScores


@contextmanager
def in_duckdb(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a table of DuckDB, which is as fast without indexes as with them."""
    path = folder / "votes.duckdb"
    fill(str(path), scores)

    def fetch() -> Page:
        with closing(duckdb.connect(str(path), read_only=True)) as connection:
            return fetch_everything(connection, TABLE)

    yield Stored(DuckdbScores(path, TABLE, domain=RangeDomain(0, len(scores) - 1)), fetch)


@contextmanager
def in_parquet(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a Parquet file."""
    path = folder / "votes.parquet"
    with closing(fill(":memory:", scores)) as connection:
        connection.execute(f"COPY {TABLE} TO '{path}' (FORMAT parquet)")

    def fetch() -> Page:
        with closing(duckdb.connect()) as connection:
            return fetch_everything(connection, f"'{path}'")

    yield Stored(DuckdbScores(path, domain=RangeDomain(0, len(scores) - 1)), fetch)


def fill(path: str, scores: Integers) -> duckdb.DuckDBPyConnection:
    """Create the table."""
    connection = duckdb.connect(path)
    entries = {"item": np.arange(len(scores)), "score": scores}
    connection.register("entries", entries)
    connection.execute(f"CREATE TABLE {TABLE} (item BIGINT PRIMARY KEY, score BIGINT NOT NULL)")
    connection.execute(f"INSERT INTO {TABLE} SELECT item, score FROM entries")
    connection.unregister("entries")
    if path != ":memory:":
        connection.close()
    return connection


def fetch_everything(connection: duckdb.DuckDBPyConnection, table: str) -> Page:
    """Return all entries in ascending order of items."""
    columns = connection.execute(f"SELECT score FROM {table} ORDER BY item").fetchnumpy()
    return page_by_item(columns["score"])
