"""From what a person writes down, a file or an address, to scores that can be selected from.

A file is known by its first bytes where it has some of its own, by its ending otherwise. Drivers
are imported where they are needed, so that none is missed by those who do not.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from privtopk.impl.scores.domain import RangeDomain, listed_in
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.faults import undeclared
from privtopk.impl.sources.table import Declared
from privtopk.spec.model.errors import Reason, SelectionError


class Place(StrEnum):
    """Where scores or votes can be."""

    SQLITE = "SQLite"
    DUCKDB = "DuckDB"
    FILE = "CSV or Parquet"
    POSTGRESQL = "PostgreSQL"
    REDIS = "Redis"


SCHEMES: Final = {
    "postgresql": Place.POSTGRESQL,
    "postgres": Place.POSTGRESQL,
    "redis": Place.REDIS,
    "rediss": Place.REDIS,
    "unix": Place.REDIS,
}
ENDINGS: Final = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")
SQLITE_START: Final = b"SQLite format 3\0"
DUCKDB_START: Final = b"DUCK"
DUCKDB_OFFSET: Final = 8
"""DuckDB's mark stands behind a checksum."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to read, as it was asked for."""

    address: str = field(repr=False)
    """A file, several files by a pattern, or the URL of a server."""

    table: str | None
    """The table of a database, or the key of a sorted set."""

    item: str
    """The column of the items."""

    domain: Declared | None


def open_scores(wanted: Wanted, score: str) -> Store:
    """Return the scores that a column holds, one row an item."""
    place = place_of(wanted.address)
    if place is Place.REDIS:
        from privtopk.impl.sources.redis.scores import RedisScores

        return RedisScores(wanted.address, table_of(wanted, place), domain=wanted.domain)
    table = None if place is Place.FILE else table_of(wanted, place)
    columns = {"item": wanted.item, "score": score}
    return table_kind(place)(wanted.address, table, **columns, domain=wanted.domain)


def table_kind(place: Place) -> Callable[..., Store]:
    """Return what opens a table of some place."""
    if place is Place.SQLITE:
        from privtopk.impl.sources.sqlite import SqliteScores

        return SqliteScores
    if place is Place.POSTGRESQL:
        from privtopk.impl.sources.postgresql.scores import PostgresqlScores

        return PostgresqlScores
    from privtopk.impl.sources.duckdb.scores import DuckdbScores

    return DuckdbScores


def open_votes(wanted: Wanted, client: str, progress: Callable[[float], None]) -> Source:
    """Return the counts of rows that hold a client and an item, each pair counted once."""
    place = place_of(wanted.address)
    if place not in (Place.DUCKDB, Place.FILE):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"votes are counted from CSV, Parquet and DuckDB, not from {place.value}: count them "
            "there, SELECT item, COUNT(DISTINCT client) AS score ... GROUP BY item, and select "
            "from the counts",
        )
    from privtopk.impl.sources.votes import DuckdbVotes

    table = table_of(wanted, place) if place is Place.DUCKDB else None
    return DuckdbVotes(
        wanted.address,
        table,
        client=client,
        item=wanted.item,
        domain=wanted.domain,
        progress=progress,
    )


def table_of(wanted: Wanted, place: Place) -> str:
    """Return the name of the table, or ask for one."""
    if wanted.table is None:
        what = "key of a sorted set" if place is Place.REDIS else "table"
        raise SelectionError(
            Reason.UNKNOWN_COLUMN, f"{place.value} needs the name of a {what}, got none"
        )
    return wanted.table


def place_of(address: str) -> Place:
    """Return what an address leads to."""
    scheme, separator, _ = address.partition("://")
    if separator:
        place = SCHEMES.get(scheme.partition("+")[0])
        if place is None:
            raise SelectionError(
                Reason.UNREACHABLE_SOURCE,
                f"an address must begin with one of {', '.join(SCHEMES)}, got {scheme!r}",
            )
        return place
    return place_of_file(address)


def place_of_file(address: str) -> Place:
    """Return what is in a file."""
    if address.lower().endswith(ENDINGS):
        return Place.FILE
    try:
        with Path(address).open("rb") as file:
            start = file.read(len(SQLITE_START))
    except OSError as error:
        raise SelectionError(
            Reason.UNREACHABLE_SOURCE, f"{address} cannot be read: {error.strerror}"
        ) from error
    if start == SQLITE_START:
        return Place.SQLITE
    if start[DUCKDB_OFFSET:].startswith(DUCKDB_START):
        return Place.DUCKDB
    raise SelectionError(
        Reason.UNREACHABLE_SOURCE,
        f"{address} must be a database of SQLite or DuckDB, or end in one of {', '.join(ENDINGS)}",
    )


def declared_domain(text: str | None) -> Declared:
    """Return the domain that a person has declared.

    A count n stands for the items 1, ..., n, `first..last` for a range, `public` for the items of
    the table; everything else is a file with one item a line.
    """
    if text is None:
        raise undeclared()
    if text == "public":
        return "public"
    if re.fullmatch(r"[0-9]+", text):
        return RangeDomain(1, int(text))
    ends = re.fullmatch(r"(-?[0-9]+)\.\.(-?[0-9]+)", text)
    return RangeDomain(int(ends[1]), int(ends[2])) if ends else listed_in(Path(text))
