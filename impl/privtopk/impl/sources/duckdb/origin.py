"""Where DuckDB finds rows: a table of a database file, CSV files or Parquet files.

A database is opened for reading only. Names are compared with its catalogue first and quoted
then, so what reaches a statement is the name of something that exists.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from privtopk.impl.sources.duckdb.files import CsvOrigin, ParquetOrigin
from privtopk.impl.sources.duckdb.relation import Column, Relation
from privtopk.impl.sources.duckdb.session import Session, literal, session
from privtopk.impl.sources.faults import unknown_column, unknown_table
from privtopk.impl.sources.footprint import Footprint, still
from privtopk.impl.sources.table import quoted
from privtopk.spec.model.errors import Reason, SelectionError

SEPARATORS: Final = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
PARQUET: Final = ".parquet"

DATABASE: Final = "given"
"""The name under which a statement finds a database file."""


class Origin(Protocol):
    """Files, and how rows are found in them."""

    @property
    def place(self) -> str:
        """The path as it was given."""

    def files(self) -> tuple[str, ...]:
        """Return the files that there are at the moment."""

    def attach(self, opened: Session) -> None:
        """Let statements find the rows."""

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows with some of their columns, or refuse one that is not there."""


def origin_of(path: Path | str, table: str | None) -> Origin:
    """Return where the rows are: in a table if one is named, else in files told by their ending."""
    place = os.fspath(path)
    if table is not None:
        return TableOrigin(place, table)
    for ending, separator in SEPARATORS.items():
        if place.lower().endswith(ending):
            return CsvOrigin(place, separator)
    if place.lower().endswith(PARQUET):
        return ParquetOrigin(place)
    endings = ", ".join([*SEPARATORS, PARQUET])
    raise SelectionError(
        Reason.WRONG_TYPE,
        f"path must end in one of {endings}, or table must name a table of a database; got {place}",
    )


@contextmanager
def reading(origin: Origin, folder: str = "") -> Iterator[tuple[Session, Footprint]]:
    """Yield a session and the state of the files, and refuse at the end if that has changed."""
    with still(origin.place, origin.files) as marks, session(origin.place, folder) as opened:
        origin.attach(opened)
        yield opened, marks


@dataclass(frozen=True, slots=True)
class TableOrigin:
    """A table or view of a database file; its schema may be named before a dot."""

    place: str
    table: str

    def files(self) -> tuple[str, ...]:
        """Return the database, and what its last writer has not yet worked into it."""
        path = os.path.abspath(self.place)
        return tuple(name for name in (path, path + ".wal") if os.path.isfile(path))

    def attach(self, opened: Session) -> None:
        """Open the database, in one transaction from here on."""
        address = literal(os.path.abspath(self.place))
        opened.run(f"ATTACH {address} AS {DATABASE} (READ_ONLY, TYPE duckdb)")
        opened.run("BEGIN TRANSACTION")

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows of the table; the catalogue takes longer to ask than many a row."""
        described = opened.rows(
            """
            SELECT schema_name, table_name, column_name, data_type, is_nullable
            FROM duckdb_columns()
            WHERE database_name = ? AND (
                schema_name = 'main' AND table_name = ? OR schema_name || '.' || table_name = ?
            )
            ORDER BY schema_name <> 'main', column_index
            """,
            (DATABASE, self.table, self.table),
        )
        if not described:
            raise unknown_table(self.place, self.table)
        schema, table, *_ = described[0]
        unique = self._unique(opened, schema, table)
        found = {
            name: Column(quoted(name), kind, False, not is_nullable, name in unique)
            for _, _, name, kind, is_nullable in described
        }
        for name in names:
            if name not in found:
                raise unknown_column(self.table, name, tuple(found))
        place = ".".join(map(quoted, (DATABASE, schema, table)))
        is_view = self._is_view(opened, schema, table)
        return Relation(place, tuple(found[name] for name in names), is_view)

    def _is_view(self, opened: Session, schema: str, table: str) -> bool:
        """Return whether rows are made by a query, perhaps from other files or by chance."""
        found = opened.rows(
            """
            SELECT 1 FROM duckdb_tables()
            WHERE database_name = ? AND schema_name = ? AND table_name = ?
            """,
            (DATABASE, schema, table),
        )
        return not found

    def _unique(self, opened: Session, schema: str, table: str) -> set[str]:
        """Return the columns that admit each value once."""
        constraints = opened.rows(
            """
            SELECT constraint_column_names FROM duckdb_constraints()
            WHERE database_name = ? AND schema_name = ? AND table_name = ?
            AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
            """,
            (DATABASE, schema, table),
        )
        return {names[0] for (names,) in constraints if len(names) == 1}
