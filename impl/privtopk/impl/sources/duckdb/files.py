"""CSV and Parquet files, one or all that match a pattern.

Nothing is guessed. Fields of a CSV file are texts, separated by commas (tabs in .tsv) and quoted
by double quotes; the first line is a header. All Parquet files must have the same column types.
Patterns are resolved here, so that the files that are checked for changes are the files that are
read. Column names are compared with the files before they reach a statement, and no message
contains data of a file.
"""

import csv
import glob
import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from privtopk.impl.sources.duckdb.session import Session, quote_text
from privtopk.impl.sources.duckdb.table_reference import TableReference, TypedColumn
from privtopk.impl.sources.faults import first_line, replace_errors, unreachable_error
from privtopk.impl.sources.footprint import changed_file_error, matching_files
from privtopk.impl.sources.table import quote_identifier
from privtopk.spec.model.errors import Reason, SelectionError

UNREADABLE: Final = (OSError, EOFError, zlib.error, csv.Error, UnicodeDecodeError)
"""What reading a header may raise."""


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """The files that match a path or a pattern."""

    place: str

    def files(self) -> tuple[str, ...]:
        """Return the files that exist at the moment."""
        return matching_files(self.place)

    def present_files(self) -> tuple[str, ...]:
        """Return the files; refuse if there are none any more."""
        found = self.files()
        if not found:
            raise changed_file_error(self.place)
        return found

    def attach(self, session: Session) -> None:
        """Let statements read these files and no others; the statements name them."""
        paths = self.files()
        # A pattern is compared with this list before it is resolved.
        session.seal([*paths, *map(glob.escape, paths)])


@dataclass(frozen=True, slots=True)
class ParquetOrigin(FileOrigin):
    """Parquet files; a column has the same name and type in all of them."""

    def reference(self, session: Session, names: Sequence[str]) -> TableReference:
        """Return the rows of all files."""
        paths = self.present_files()
        described = [self._types(session, path) for path in paths]
        for name in names:
            for found in described:
                if name not in found:
                    raise SelectionError(
                        Reason.UNKNOWN_COLUMN,
                        f"{self.place} has no column {name!r}; "
                        f"it has {', '.join(map(repr, found))}",
                    )
            types = sorted({found[name] for found in described})
            if len(types) > 1:
                raise SelectionError(
                    Reason.WRONG_TYPE,
                    f"column {name!r} must have one type in all files of {self.place}, "
                    f"got {', '.join(types)}",
                )
        columns = tuple(TypedColumn(quote_identifier(name), described[0][name]) for name in names)
        return TableReference(parquet_scan(paths), columns)

    def _types(self, session: Session, path: str) -> dict[str, str]:
        """Return the type of each column of a file."""
        described = session.rows(f"DESCRIBE SELECT * FROM {parquet_scan((path,))}")
        return {name: kind for name, kind, *_ in described}


def parquet_scan(paths: Sequence[str]) -> str:
    """Return the SQL that reads Parquet files; names of folders do not become columns."""
    return f"read_parquet({sql_list(paths)}, hive_partitioning=false, union_by_name=true)"


@dataclass(frozen=True, slots=True)
class CsvOrigin(FileOrigin):
    """CSV files, each with its own header; an empty field without quotes is NULL."""

    separator: str

    def reference(self, session: Session, names: Sequence[str]) -> TableReference:
        """Return the rows of all files; files with the same header are read together."""
        by_header: dict[tuple[str, ...], list[str]] = {}
        for path in self.present_files():
            by_header.setdefault(self._header(path), []).append(path)
        parts = [self._part(header, paths, names) for header, paths in by_header.items()]
        columns = (
            TypedColumn(quote_identifier(name), "VARCHAR", is_untyped=True) for name in names
        )
        return TableReference(f"({' UNION ALL '.join(parts)})", tuple(columns), is_recomputed=True)

    def _part(self, header: tuple[str, ...], paths: list[str], names: Sequence[str]) -> str:
        """Return the statement that reads the files with one header."""
        for name in names:
            if header.count(name) != 1:
                # The line is not quoted: without a header it is a vote.
                raise SelectionError(
                    Reason.UNKNOWN_COLUMN,
                    f"the first line of {self.place} must be a header with one column {name!r}",
                )
        chosen = (
            f"c{header.index(name)} AS {quote_identifier(name)}" for name in dict.fromkeys(names)
        )
        types = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(header)))
        return (
            f"SELECT {', '.join(chosen)} FROM read_csv({sql_list(paths)}, auto_detect=false, "
            f"header=true, delim={quote_text(self.separator)}, quote='\"', escape='\"', "
            f"columns={{{types}}}, allow_quoted_nulls=false, strict_mode=true, "
            "hive_partitioning=false)"
        )

    def _header(self, path: str) -> tuple[str, ...]:
        """Return the fields of the first line."""
        open_text = gzip.open if path.lower().endswith(".gz") else open
        with (
            replace_errors(UNREADABLE, lambda error: unreachable_error(path, words_of(error))),
            open_text(path, "rt", encoding="utf-8-sig", newline="") as lines,
        ):
            return tuple(next(csv.reader(lines, delimiter=self.separator, strict=True), ()))


def words_of(error: Exception) -> str:
    """Return the message about a file, without the bytes that are not text."""
    return "it is not UTF-8 text" if isinstance(error, UnicodeError) else first_line(error)


def sql_list(paths: Sequence[str]) -> str:
    """Return paths as an SQL list; their characters are not patterns."""
    return f"[{', '.join(quote_text(glob.escape(path)) for path in paths)}]"
