"""Opens the scores or votes that a file name or a URL on the command line stands for.

A database file is recognised by its first bytes, any other file by its ending. A driver is
imported only where it is needed, so nobody has to install a driver that they do not use.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from privtopk.impl.scores.domain import RangeDomain, listed_in
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.faults import (
    replace_errors,
    undeclared_domain_error,
    unreachable_error,
)
from privtopk.impl.sources.footprint import matching_files
from privtopk.impl.sources.table import Declared
from privtopk.spec.model.errors import Reason, SelectionError


class StoreKind(StrEnum):
    """The kinds of stores that can be opened."""

    SQLITE = "SQLite"
    DUCKDB = "DuckDB"
    FILE = "CSV or Parquet"
    POSTGRESQL = "PostgreSQL"
    REDIS = "Redis"


SCHEMES: Final = {
    "postgresql": StoreKind.POSTGRESQL,
    "postgres": StoreKind.POSTGRESQL,
    "redis": StoreKind.REDIS,
    "rediss": StoreKind.REDIS,
    "unix": StoreKind.REDIS,
}
URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
ALMOST_URL: Final = re.compile(rf"(?s).*@|\W*(?i:{'|'.join(SCHEMES)})\b(?!\.)")
"""What may be a mistyped URL: it has an @, or begins with the name of a server."""

ENDINGS: Final = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")
SQLITE_START: Final = b"SQLite format 3\0"
DUCKDB_START: Final = b"DUCK"
DUCKDB_OFFSET: Final = 8
"""The signature of DuckDB comes after a checksum of 8 bytes."""

LONGEST_RANGE: Final = 100
"""In characters. Python does not read numbers of more than 4300 digits."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read, in the user's words."""

    address: str = field(repr=False)
    """A file, a pattern that matches several files, or the URL of a server."""

    table: str | None
    """The table of a database, or the key of a sorted set."""

    item: str
    """The column of the items."""

    domain: Declared | None

    must_exist: bool = False
    """Whether a sorted set without members is refused; a missing table always is."""


def open_scores(request: ReadRequest, score: str) -> Store:
    """Return the scores in a column; the table has one row per item."""
    kind = store_kind_of(request.address)
    if kind is StoreKind.REDIS:
        from privtopk.impl.sources.redis.scores import RedisScores

        key = table_of(request, kind)
        return RedisScores(
            request.address, key, domain=request.domain, must_exist=request.must_exist
        )
    table = None if kind is StoreKind.FILE else table_of(request, kind)
    columns = {"item": request.item, "score": score}
    return table_class(kind)(request.address, table, **columns, domain=request.domain)


def table_class(kind: StoreKind) -> Callable[..., Store]:
    """Return the class that reads a table of a store."""
    if kind is StoreKind.SQLITE:
        from privtopk.impl.sources.sqlite import SqliteScores

        return SqliteScores
    if kind is StoreKind.POSTGRESQL:
        from privtopk.impl.sources.postgresql.scores import PostgresqlScores

        return PostgresqlScores
    from privtopk.impl.sources.duckdb.scores import DuckdbScores

    return DuckdbScores


def open_votes(request: ReadRequest, client: str, progress: Callable[[float], None]) -> Source:
    """Return the number of different clients per item, counted from rows of client and item."""
    kind = store_kind_of(request.address)
    if kind not in (StoreKind.DUCKDB, StoreKind.FILE):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"votes are counted from CSV, Parquet and DuckDB, not from {kind.value}: count them "
            "there, SELECT item, COUNT(DISTINCT client) AS score ... GROUP BY item, and select "
            "from the counts",
        )
    from privtopk.impl.sources.votes import DuckdbVotes

    columns = {"client": client, "item": request.item}
    table = None if kind is StoreKind.FILE else table_of(request, kind)
    return DuckdbVotes(request.address, table, **columns, domain=request.domain, progress=progress)


def table_of(request: ReadRequest, kind: StoreKind) -> str:
    """Return the name of the table or key, or refuse a request without one."""
    if request.table is None:
        what = "key of a sorted set" if kind is StoreKind.REDIS else "table"
        raise SelectionError(
            Reason.UNKNOWN_COLUMN, f"{kind.value} needs the name of a {what}: pass --table"
        )
    return request.table


def store_kind_of(address: str) -> StoreKind:
    """Return the kind of store that an address leads to."""
    url = URL.match(address)
    if url is None:
        return file_kind_of(address)
    kind = SCHEMES.get(url["scheme"].partition("+")[0])
    if kind is None:
        raise SelectionError(
            Reason.UNREACHABLE_SOURCE,
            f"an address must begin with one of {', '.join(SCHEMES)}, got {url['scheme']!r}",
        )
    return kind


def file_kind_of(address: str) -> StoreKind:
    """Return the kind of store that a file is."""
    if address.lower().endswith(ENDINGS):
        if ALMOST_URL.match(address) and not matching_files(address):
            raise mistyped_url_error()
        return StoreKind.FILE
    with (
        replace_errors((OSError, ValueError), lambda error: unreadable_error(address, error)),
        Path(address).open("rb") as file,
    ):
        start = file.read(len(SQLITE_START))
    if start == SQLITE_START:
        return StoreKind.SQLITE
    if start[DUCKDB_OFFSET:].startswith(DUCKDB_START):
        return StoreKind.DUCKDB
    raise SelectionError(
        Reason.UNREACHABLE_SOURCE,
        f"{address} must be a database of SQLite or DuckDB, or end in one of {', '.join(ENDINGS)}",
    )


def unreadable_error(address: str, error: Exception) -> SelectionError:
    """Return the error of a file that cannot be opened."""
    if ALMOST_URL.match(address):
        return mistyped_url_error()
    return unreachable_error(address, getattr(error, "strerror", None) or "there is no such file")


def mistyped_url_error() -> SelectionError:
    """Return the error of what is no file and looks like a URL, which may contain a password."""
    return SelectionError(
        Reason.UNREACHABLE_SOURCE,
        "there is no such file; an address must begin with one of "
        f"{', '.join(f'{scheme}://' for scheme in SCHEMES)} (it is not shown here, because it may "
        "contain a password)",
    )


def parse_domain(text: str | None) -> Declared:
    """Return the domain that the user has declared.

    A number n means the items 1, ..., n; `first..last` is a range; `public` means the items of
    the table. Any other text is the name of a file with one item per line.
    """
    if text is None:
        raise undeclared_domain_error()
    if text == "public":
        return "public"
    numbers = re.fullmatch(r"(?:(-?[0-9]+)\.\.)?(-?[0-9]+)", text)
    if numbers is None:
        return listed_in(Path(text))
    if len(text) > LONGEST_RANGE:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"a range must lie between -2^62 and 2^62, got numbers of {len(text)} characters",
        )
    return RangeDomain(int(numbers[1] or 1), int(numbers[2]))
