"""Items and scores in whatever type a column has, as expressions of DuckDB.

A score becomes a BIGINT, cut just outside the range of scores, so that what is too large is
still too large and fits; an item becomes a BIGINT or a text that is compared byte by byte.
Where that is impossible the value is NULL and another expression says so.
"""

from dataclasses import dataclass
from typing import Final

from privtopk.impl.scores.domain import Kind
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.duckdb.relation import Column
from privtopk.spec.model.errors import Reason, SelectionError

NARROW: Final = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
)
"""Whole numbers that BIGINT holds."""

WIDE: Final = frozenset(("UBIGINT", "HUGEINT", "UHUGEINT"))
FLOATING: Final = frozenset(("FLOAT", "DOUBLE"))
TEXTS: Final = frozenset(("VARCHAR", "ENUM", "UUID"))

CUT: Final = f"CAST(greatest(-1, least({LARGEST_SCORE + 2}, {{number}})) AS BIGINT)"
"""2^53 + 2 is a double, 2^53 + 1 is none."""

WRITTEN: Final = r"[+-]?[0-9]+(\.0*)?"
"""How a whole number may be written in a file."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A value, and the condition under which it could not be had."""

    value: str
    is_wrong: str = "false"


def score_of(column: Column, place: str) -> Expression:
    """Return scores as BIGINT; wrong where they are not whole."""
    name, number = column.name, f"TRY_CAST({column.name} AS HUGEINT)"
    family = family_of(column)
    if family in NARROW:
        return Expression(name)
    if family in WIDE:
        is_whole = f"{name} IS NOT NULL"
    elif family in FLOATING:
        number = f"CAST({name} AS DOUBLE)"
        is_whole = f"isfinite({name}) AND {name} = floor({name})"
    elif family == "DECIMAL":
        is_whole = f"{name} = floor({name})"
    elif column.is_written:
        is_whole = f"regexp_full_match({name}, '{WRITTEN}')"
    else:
        raise mistyped(column, place, "scores must be whole numbers")
    return Expression(
        f"CASE WHEN {is_whole} THEN {CUT.format(number=number)} END",
        f"{name} IS NOT NULL AND NOT ({is_whole})",
    )


def item_of(column: Column, kind: Kind) -> Expression:
    """Return items of a kind; wrong where a number is too large, or written with frills."""
    name, number = column.name, f"TRY_CAST({column.name} AS BIGINT)"
    if kind is str:
        return Expression(f'CAST({name} AS VARCHAR) COLLATE "binary"')
    if family_of(column) in NARROW:
        return Expression(name)
    if family_of(column) in WIDE:
        return Expression(number, f"{name} IS NOT NULL AND {number} IS NULL")
    is_plain = f"CAST({number} AS VARCHAR) IS NOT DISTINCT FROM {name}"
    return Expression(f"CASE WHEN {is_plain} THEN {number} END", f"NOT ({is_plain})")


def kind_of(column: Column, wanted: Kind, place: str) -> Kind:
    """Return whether a column has numbers or texts; what was written down is what is wanted."""
    if column.is_written:
        return wanted
    if family_of(column) in NARROW | WIDE:
        return int
    if family_of(column) in TEXTS:
        return str
    raise mistyped(column, place, "items must be texts or whole numbers")


def exact(column: Column) -> str:
    """Return a column such that different values differ, whatever its collation says."""
    return f'{column.name} COLLATE "binary"' if column.type == "VARCHAR" else column.name


def family_of(column: Column) -> str:
    """Return the name of a type without its parameters; that of a list is no number's or text's."""
    return column.type if column.type.endswith("]") else column.type.partition("(")[0]


def mistyped(column: Column, place: str, required: str) -> SelectionError:
    """Return the error of a column with values of another type."""
    return SelectionError(
        Reason.WRONG_TYPE, f"{required}, but column {column.name} of {place} is {column.type}"
    )
