"""Where DuckDB finds rows: a table of a database file, CSV files or Parquet files.

Nothing is guessed. Fields of a CSV file are texts, separated by commas (tabs in .tsv) and quoted
by double quotes; its first line is a header. A pattern is resolved here, so that the files that
are watched are the files that are read. Names are compared with what is there before they reach
a statement, quoted; no data of a file gets into a message.
"""

import csv
import glob
import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from privtopk.impl.sources.duckdb_session import Session, literal, session
from privtopk.impl.sources.faults import unknown_column, unknown_table, unreachable
from privtopk.impl.sources.footprint import Footprint, matching, still
from privtopk.impl.sources.table import quoted
from privtopk.spec.errors import Reason, SelectionError

SEPARATORS: Final = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
PARQUET: Final = ".parquet"

DATABASE: Final = "given"
"""The name under which a statement finds a database file."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column as statements name it, and what the catalogue says of it."""

    name: str
    """Quoted."""

    type: str
    is_written: bool = False
    """Whether it is a text that somebody wrote down, whatever it stands for."""

    is_required: bool = False
    is_unique: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows as a statement finds them."""

    place: str
    """What comes after FROM."""

    columns: tuple[Column, ...]
    """The columns that were asked for."""


class Origin(Protocol):
    """Files, and how rows are found in them."""

    @property
    def place(self) -> str:
        """The path as it was given."""

    def files(self) -> tuple[str, ...]:
        """Return the files that there are at the moment."""

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

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows of the table, in one transaction from here on."""
        address = literal(os.path.abspath(self.place))
        opened.run(f"ATTACH {address} AS {DATABASE} (READ_ONLY, TYPE duckdb)")
        opened.run("BEGIN TRANSACTION")
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
        return Relation(place, tuple(found[name] for name in names))

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


@dataclass(frozen=True, slots=True)
class ParquetOrigin:
    """Parquet files; their columns go by name, and have the same types in all of them."""

    place: str

    def files(self) -> tuple[str, ...]:
        """Return the files that there are at the moment."""
        return matching(self.place)

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows of all files."""
        paths = self.files()
        described = [self._types(opened, path) for path in paths]
        for name in names:
            for found in described:
                if name not in found:
                    raise absent(self.place, name, f"; it has {', '.join(map(repr, found))}")
            types = sorted({found[name] for found in described})
            if len(types) > 1:
                raise SelectionError(
                    Reason.WRONG_TYPE,
                    f"column {name!r} must have one type in all files of {self.place}, "
                    f"got {', '.join(types)}",
                )
        columns = tuple(Column(quoted(name), described[0][name]) for name in names)
        return Relation(parquet(paths), columns)

    def _types(self, opened: Session, path: str) -> dict[str, str]:
        """Return the columns of a file and their types."""
        described = opened.rows(f"DESCRIBE SELECT * FROM {parquet((path,))}")
        return {name: kind for name, kind, *_ in described}


def parquet(paths: Sequence[str]) -> str:
    """Return how a statement reads Parquet files; no folder's name is taken for a column."""
    return f"read_parquet({listed(paths)}, hive_partitioning=false, union_by_name=true)"


@dataclass(frozen=True, slots=True)
class CsvOrigin:
    """CSV files, each with a header of its own; an empty field without quotes is NULL."""

    place: str
    separator: str

    def files(self) -> tuple[str, ...]:
        """Return the files that there are at the moment."""
        return matching(self.place)

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows of all files; those with the same header are read together."""
        by_header: dict[tuple[str, ...], list[str]] = {}
        for path in self.files():
            by_header.setdefault(self._header(path), []).append(path)
        parts = [self._part(header, paths, names) for header, paths in by_header.items()]
        columns = (Column(quoted(name), "VARCHAR", is_written=True) for name in names)
        return Relation(f"({' UNION ALL '.join(parts)})", tuple(columns))

    def _part(self, header: tuple[str, ...], paths: list[str], names: Sequence[str]) -> str:
        """Return the statement that reads files with one header."""
        for name in names:
            if header.count(name) != 1:
                raise absent(self.place, name, " (once) in its first line, which must be a header")
        chosen = (f"c{header.index(name)} AS {quoted(name)}" for name in dict.fromkeys(names))
        types = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(header)))
        return (
            f"SELECT {', '.join(chosen)} FROM read_csv({listed(paths)}, auto_detect=false, "
            f"header=true, delim={literal(self.separator)}, quote='\"', escape='\"', "
            f"columns={{{types}}}, allow_quoted_nulls=false, strict_mode=true, "
            "hive_partitioning=false)"
        )

    def _header(self, path: str) -> tuple[str, ...]:
        """Return the fields of the first line."""
        try:
            with (gzip.open if path.lower().endswith(".gz") else open)(
                path, "rt", encoding="utf-8-sig", newline=""
            ) as lines:
                return tuple(next(csv.reader(lines, delimiter=self.separator, strict=True), ()))
        except UnicodeDecodeError:
            raise unreachable(path, ValueError("it is not UTF-8 text")) from None
        except (OSError, EOFError, zlib.error, csv.Error) as error:
            raise unreachable(path, error) from error


def listed(paths: Sequence[str]) -> str:
    """Return paths as a list in SQL; no character of them is taken for a pattern."""
    return f"[{', '.join(literal(glob.escape(path)) for path in paths)}]"


def absent(place: str, column: str, rest: str) -> SelectionError:
    """Return the error of a column that files lack."""
    return SelectionError(Reason.UNKNOWN_COLUMN, f"{place} has no column {column!r}{rest}")
