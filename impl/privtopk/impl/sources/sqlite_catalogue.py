"""What SQLite's catalogue and its planner say about a table.

SQLite does not enforce the type of a column unless the table is STRICT. So the kind of the items
is decided here, by the declared type of the column and by the declared domain, and a row of
another kind is refused. Rows decide nothing: what is published would then tell whether there are
any.
"""

import sqlite3
from dataclasses import dataclass
from enum import Enum
from typing import Final

from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.sources.faults import unknown_table_error
from privtopk.impl.sources.table import (
    Columns,
    Facts,
    Flaw,
    Statements,
    require_columns,
)
from privtopk.spec.model.errors import Reason, SelectionError


class Affinity(Enum):
    """What SQLite makes of a declared type."""

    INTEGER = "integer"
    TEXT = "text"
    NONE = "none"
    """Values are stored as they come."""

    NUMERIC = "numeric"
    """Texts that spell numbers are stored as numbers, others as texts."""


AFFINITIES: Final = (
    ("INT", Affinity.INTEGER),
    ("CHAR", Affinity.TEXT),
    ("CLOB", Affinity.TEXT),
    ("TEXT", Affinity.TEXT),
    ("BLOB", Affinity.NONE),
)
"""The first word that a declared type contains decides; any other type is numeric."""

WORDS: Final[dict[Kind, str]] = {int: "whole numbers", str: "texts"}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the catalogue guarantees about a table, and the type of its items."""

    facts: Facts
    affinity: Affinity
    has_one_kind: bool
    """Whether SQLite itself refuses items of another type."""

    is_stored: bool
    """Whether it is a table, which can have an index, and not a view."""


def describe_table(connection: sqlite3.Connection, place: str, columns: Columns) -> TableFacts:
    """Return what the catalogue says at this moment, or refuse missing columns."""
    described = connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)', (columns.table,)
    ).fetchall()
    if not described:
        raise unknown_table_error(place, columns.table)
    types = {name: declared.upper() for name, declared, *_ in described}
    required = {name for name, _, is_required, _ in described if is_required}
    keys = [name for name, *_, key in described if key]
    kind, is_strict = connection.execute(
        "SELECT type, strict FROM pragma_table_list(?)", (columns.table,)
    ).fetchone()
    is_row_number = (
        keys == [columns.item]
        and types.get(columns.item) == "INTEGER"
        and not has_key_index(connection, columns.table)
    )
    facts = Facts(
        columns=tuple(types),
        has_whole_scores=bool(is_strict) and types.get(columns.score) in ("INT", "INTEGER"),
        has_no_nulls=columns.score in required and (is_row_number or columns.item in required),
        has_one_row_per_item=is_row_number or has_unique_index(connection, columns),
    )
    require_columns(columns, facts)
    declared = types[columns.item]
    has_one_kind = is_row_number or (bool(is_strict) and declared in ("INT", "INTEGER", "TEXT"))
    return TableFacts(facts, affinity_of(declared), has_one_kind, kind != "view")


def has_key_index(connection: sqlite3.Connection, table: str) -> bool:
    """Return whether the primary key has an index; an alias of the row number has none."""
    found = connection.execute("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", (table,))
    return found.fetchone() is not None


def has_unique_index(connection: sqlite3.Connection, columns: Columns) -> bool:
    """Return whether an index over all rows allows each item only once.

    Every key is the column itself, compared byte by byte. An expression has no name.
    """
    found = connection.execute(
        """
        SELECT 1 FROM pragma_index_list(?) AS list
        WHERE list."unique" AND NOT list.partial AND (
            SELECT MIN(name IS ? AND coll = 'BINARY')
            FROM pragma_index_xinfo(list.name) WHERE key
        )
        """,
        (columns.table, columns.item),
    )
    return found.fetchone() is not None


def affinity_of(declared: str) -> Affinity:
    """Return what SQLite makes of a declared type, by its own rules."""
    if declared == "":
        return Affinity.NONE
    found = (affinity for word, affinity in AFFINITIES if word in declared)
    return next(found, Affinity.NUMERIC)


def domain_in_column(domain: Domain, affinity: Affinity) -> Domain:
    """Return the domain with items as a column of this type holds them.

    A column of integers holds numbers and a column of texts holds texts. Without a type, the items
    are what the domain lists: numbers in a range, texts in a file. A numeric column cannot hold a
    text that spells a number, so a domain of such texts is one of numbers there.
    """
    if affinity is Affinity.NONE:
        return domain
    if affinity is not Affinity.NUMERIC:
        return domain.of_kind(int if affinity is Affinity.INTEGER else str)
    try:
        return domain.of_kind(int)
    except SelectionError:
        return domain


def kind_flaws(statements: Statements, columns: Columns, kind: Kind) -> list[Flaw]:
    """Return the conditions of items of another kind; an index on the items answers them.

    SQLite sorts numbers before texts, and texts before blobs. Fractions among numbers are found
    only where they are read.
    """
    item = statements.item
    others = [f"WHERE {item} >= ''"] if kind is int else [f"WHERE {item} < ''"]
    if kind is str:
        others.append(f"WHERE {item} >= x''")
    return [(condition, kind_error(columns, kind)) for condition in others]


def kind_error(columns: Columns, kind: Kind) -> SelectionError:
    """Return the error of an item of another kind than declared."""
    return SelectionError(
        Reason.WRONG_TYPE,
        f"the items in column {columns.item!r} of table {columns.table!r} must be {WORDS[kind]}, "
        "as the type of the column and the declared domain say, but a row has something else; "
        "a view can convert it",
    )
