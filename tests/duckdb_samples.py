"""Files for DuckDB that several test modules write, and functions that read them back."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb

from privtopk.impl.sources.duckdb.origin import open_origin, origin_of
from privtopk.impl.sources.duckdb.table_reference import TypedColumn

PAIR = ("item", "score")


def database(folder: Path, *statements: str) -> Path:
    """Return a database after some statements."""
    path = folder / "votes.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def parquet_file(path: Path, rows: str) -> Path:
    """Return a Parquet file with the rows of a statement."""
    with closing(duckdb.connect()) as connection:
        connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
    return path


def csv_file(path: Path, *lines: str) -> Path:
    """Return a CSV file of lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return path


def rows(path: Path | str, table: str | None = None, names: Sequence[str] = PAIR) -> list[Any]:
    """Return the rows of a file or table."""
    origin = origin_of(path, table)
    with open_origin(origin) as (session, _):
        reference = origin.reference(session, names)
        columns = ", ".join(column.name for column in reference.columns)
        return sorted(session.rows(f"SELECT {columns} FROM {reference.sql}"), key=repr)


def columns(path: Path, table: str | None = None) -> tuple[TypedColumn, ...]:
    """Return the columns of a file or table."""
    origin = origin_of(path, table)
    with open_origin(origin) as (session, _):
        return origin.reference(session, PAIR).columns
