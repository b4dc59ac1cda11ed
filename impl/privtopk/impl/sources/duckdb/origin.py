"""The origin of the rows that DuckDB reads: a table of a database file, CSV or Parquet files.

A database is opened read-only. Names are first compared with its catalogue and then quoted, so a
statement contains only names of things that exist.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from privtopk.impl.sources.duckdb.files import CsvOrigin, ParquetOrigin
from privtopk.impl.sources.duckdb.session import Session, open_session, quote_text
from privtopk.impl.sources.duckdb.table_reference import TableReference, TypedColumn
from privtopk.impl.sources.faults import unknown_column_error, unknown_table_error
from privtopk.impl.sources.footprint import Footprint, require_unchanged
from privtopk.impl.sources.table import quote_identifier
from privtopk.spec.model.errors import Reason, SelectionError

SEPARATORS: Final = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
PARQUET: Final = ".parquet"

DATABASE: Final = "given"
"""The name of an attached database file in statements."""


class RowOrigin(Protocol):
    """Files that hold rows, and the SQL that reads the rows."""

    @property
    def place(self) -> str:
        """The path or pattern as the caller gave it."""

    def files(self) -> tuple[str, ...]:
        """Return the files that exist at the moment."""

    def attach(self, session: Session) -> None:
        """Make the rows available to statements, and nothing else outside of the session."""

    def reference(self, session: Session, names: Sequence[str]) -> TableReference:
        """Return the rows with some of their columns, or refuse a missing column."""


def origin_of(path: Path | str, table: str | None) -> RowOrigin:
    """Return a table if one is named, otherwise files of the kind that the ending says."""
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
def open_origin(origin: RowOrigin, folder: str = "") -> Iterator[tuple[Session, Footprint]]:
    """Yield a session and the state of the files, and raise at the end if the files changed."""
    with (
        require_unchanged(origin.place, origin.files) as marks,
        open_session(origin.place, folder) as session,
    ):
        origin.attach(session)
        yield session, marks


@dataclass(frozen=True, slots=True)
class TableOrigin:
    """A table or view of a database file, by its name or as schema.name."""

    place: str
    table: str

    def files(self) -> tuple[str, ...]:
        """Return the database file and its write-ahead log, if there is one."""
        path = os.path.abspath(self.place)
        return tuple(name for name in (path, path + ".wal") if os.path.isfile(path))

    def attach(self, session: Session) -> None:
        """Open the database, close everything else to its views, and begin a transaction."""
        address = quote_text(os.path.abspath(self.place))
        session.run(f"ATTACH {address} AS {DATABASE} (READ_ONLY, TYPE duckdb)")
        session.seal()
        session.run("BEGIN TRANSACTION")

    def reference(self, session: Session, names: Sequence[str]) -> TableReference:
        """Return the rows of the table, or refuse an unknown table or column."""
        described = session.rows(
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
            raise unknown_table_error(self.place, self.table)
        schema, table, *_ = described[0]
        unique = self._unique(session, schema, table)
        found = {
            name: TypedColumn(quote_identifier(name), kind, False, not is_nullable, name in unique)
            for _, _, name, kind, is_nullable in described
        }
        for name in names:
            if name not in found:
                raise unknown_column_error(self.table, name, tuple(found))
        place = ".".join(map(quote_identifier, (DATABASE, schema, table)))
        is_view = self._is_view(session, schema, table)
        return TableReference(place, tuple(found[name] for name in names), is_view)

    def _is_view(self, session: Session, schema: str, table: str) -> bool:
        """Return whether a query computes the rows, perhaps from other files or at random."""
        found = session.rows(
            """
            SELECT 1 FROM duckdb_tables()
            WHERE database_name = ? AND schema_name = ? AND table_name = ?
            """,
            (DATABASE, schema, table),
        )
        return not found

    def _unique(self, session: Session, schema: str, table: str) -> set[str]:
        """Return the columns that allow each value only once."""
        constraints = session.rows(
            """
            SELECT constraint_column_names FROM duckdb_constraints()
            WHERE database_name = ? AND schema_name = ? AND table_name = ?
            AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
            """,
            (DATABASE, schema, table),
        )
        return {names[0] for (names,) in constraints if len(names) == 1}
