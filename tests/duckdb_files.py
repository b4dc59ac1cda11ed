"""Files that DuckDB reads, as several test modules write them."""

from contextlib import closing
from pathlib import Path

import duckdb


def database(folder: Path, *statements: str) -> Path:
    """Return a database in which statements were run."""
    path = folder / "votes.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def parquet(path: Path, rows: str) -> Path:
    """Return a Parquet file of what a statement selects."""
    with closing(duckdb.connect()) as connection:
        connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
    return path


def csv_file(path: Path, *lines: str) -> Path:
    """Return a CSV file of lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return path
