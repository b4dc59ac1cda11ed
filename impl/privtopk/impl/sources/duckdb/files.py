"""CSV and Parquet files as DuckDB reads them, one or as many as a pattern names.

Nothing is guessed. Fields of a CSV file are texts, separated by commas (tabs in .tsv) and quoted
by double quotes; its first line is a header. The types of Parquet files must agree. A pattern is
resolved here, so that the files that are watched are the files that are read. Names are compared
with what is there before they reach a statement, and no data of a file gets into a message.
"""

import csv
import glob
import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from privtopk.impl.sources.duckdb.relation import Column, Relation
from privtopk.impl.sources.duckdb.session import Session, literal
from privtopk.impl.sources.faults import unreachable
from privtopk.impl.sources.footprint import matching
from privtopk.impl.sources.table import quoted
from privtopk.spec.model.errors import Reason, SelectionError


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """Files that a path or a pattern names."""

    place: str

    def files(self) -> tuple[str, ...]:
        """Return the files that there are at the moment."""
        return matching(self.place)

    def attach(self, opened: Session) -> None:
        """Do nothing: a statement names the files that it reads."""


@dataclass(frozen=True, slots=True)
class ParquetOrigin(FileOrigin):
    """Parquet files; their columns go by name, and have the same types in all of them."""

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
class CsvOrigin(FileOrigin):
    """CSV files, each with a header of its own; an empty field without quotes is NULL."""

    separator: str

    def relation(self, opened: Session, names: Sequence[str]) -> Relation:
        """Return the rows of all files; those with the same header are read together."""
        by_header: dict[tuple[str, ...], list[str]] = {}
        for path in self.files():
            by_header.setdefault(self._header(path), []).append(path)
        parts = [self._part(header, paths, names) for header, paths in by_header.items()]
        columns = (Column(quoted(name), "VARCHAR", is_written=True) for name in names)
        return Relation(f"({' UNION ALL '.join(parts)})", tuple(columns), is_fleeting=True)

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
