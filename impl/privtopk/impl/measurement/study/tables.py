"""The data of a study: one table a topic, as CSV for people and as Parquet with its types."""

import csv
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

import pyarrow
import pyarrow.parquet

from privtopk.impl.measurement.results import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.store import Finished

Table: TypeAlias = list[Row]


def tables_of(finished: Mapping[Cell, Finished]) -> dict[str, Table]:
    """Return the rows of all cells by their topic."""
    tables: dict[str, Table] = {}
    for cell, kept in finished.items():
        tables.setdefault(cell.topic, []).extend(kept.rows)
    return tables


def write_csv(path: Path, rows: Table) -> None:
    """Write a table for people; numbers keep all their digits."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(path: Path, rows: Table) -> None:
    """Write a table with its types."""
    names = columns(rows)
    uniform = [{name: row.get(name) for name in names} for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(uniform), path)


def read_csv(path: Path) -> Table:
    """Return the rows of a table; what looks like a number is one, empty fields are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: parsed(text) for name, text in row.items() if text != ""}
            for row in csv.DictReader(file)
        ]


def columns(rows: Table) -> list[str]:
    """Return the names of all columns in the order in which they come up."""
    return list(dict.fromkeys(name for row in rows for name in row))


def parsed(text: str) -> str | int | float:
    """Return a field as the number that it is, if it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def digest(path: Path) -> str:
    """Return the digest by which a figure says which data it shows."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def number(row: Row, name: str) -> float:
    """Return a number of a row."""
    return float(row[name])


def chosen(rows: Iterable[Row], **wanted: object) -> Table:
    """Return the rows whose columns have these values."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]
