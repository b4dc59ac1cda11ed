"""The data of a study: one table per topic, as CSV for people and as Parquet with its types."""

import csv
import hashlib
from collections.abc import Mapping
from pathlib import Path

import pyarrow
import pyarrow.parquet

from privtopk.impl.measurement.rows import Table, column_names
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.store import Finished
from privtopk.spec.console.whole_files import whole_file


def tables_of(finished: Mapping[Cell, Finished]) -> dict[str, Table]:
    """Return the rows of all cells by topic."""
    tables: dict[str, Table] = {}
    for cell, kept in finished.items():
        tables.setdefault(cell.topic, []).extend(kept.rows)
    return tables


def write_csv(path: Path, rows: Table) -> None:
    """Write a table as CSV; numbers keep all their digits."""
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, column_names(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(path: Path, rows: Table) -> None:
    """Write a table as Parquet, with the types of its columns."""
    names = column_names(rows)
    uniform = [{name: row.get(name) for name in names} for row in rows]
    with whole_file(path) as unfinished:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(uniform), unfinished)


def read_csv(path: Path) -> Table:
    """Return the rows of a table; numbers are parsed, and empty fields are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: parse_field(text) for name, text in row.items() if text != ""}
            for row in csv.DictReader(file)
        ]


def parse_field(text: str) -> str | int | float:
    """Return a field as a number if it is one, else as text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def digest(path: Path) -> str:
    """Return the digest by which a figure names its data."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
