"""SQL expressions that convert the columns of items and scores, whatever type they have.

A score becomes a BIGINT, clipped just outside the valid range, so that a large number fits and is
still recognised as too large. An item becomes a BIGINT or a text that is compared byte by byte.
A value that cannot be converted is NULL, and a second expression reports it.
"""

from dataclasses import dataclass
from typing import Final

from privtopk.impl.scores.domain import Kind
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.duckdb.table_reference import TypedColumn
from privtopk.spec.model.errors import Reason, SelectionError

NARROW: Final = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
)
"""Types of whole numbers that fit into a BIGINT."""

WIDE: Final = frozenset(("UBIGINT", "HUGEINT", "UHUGEINT"))
FLOATING: Final = frozenset(("FLOAT", "DOUBLE"))
TEXTS: Final = frozenset(("VARCHAR", "ENUM", "UUID"))

CUT: Final = f"CAST(greatest(-1, least({LARGEST_SCORE + 2}, {{number}})) AS BIGINT)"
"""The upper limit is 2^53 + 2, because 2^53 + 1 is not a double."""

WHOLE_NUMBER: Final = r"[+-]?[0-9]+(\.0*)?"
"""The spellings of a whole number in a CSV file."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An SQL value, and the condition under which it could not be converted."""

    value: str
    error_condition: str = "false"


def score_expression(column: TypedColumn, place: str) -> Expression:
    """Return the expression of scores as BIGINT; a score that is not whole is wrong."""
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
    elif column.is_untyped:
        is_whole = f"regexp_full_match({name}, '{WHOLE_NUMBER}')"
    else:
        raise column_type_error(column, place, "scores must be whole numbers")
    return Expression(
        f"CASE WHEN {is_whole} THEN {CUT.format(number=number)} END",
        f"{name} IS NOT NULL AND NOT ({is_whole})",
    )


def item_expression(column: TypedColumn, kind: Kind) -> Expression:
    """Return the expression of items of a kind.

    A number is wrong if it does not fit into 64 bits, or is not in its plain decimal spelling.
    """
    name, number = column.name, f"TRY_CAST({column.name} AS BIGINT)"
    if kind is str:
        return Expression(f'CAST({name} AS VARCHAR) COLLATE "binary"')
    if family_of(column) in NARROW:
        return Expression(name)
    if family_of(column) in WIDE:
        return Expression(number, f"{name} IS NOT NULL AND {number} IS NULL")
    is_plain = f"CAST({number} AS VARCHAR) IS NOT DISTINCT FROM {name}"
    return Expression(f"CASE WHEN {is_plain} THEN {number} END", f"NOT ({is_plain})")


def kind_of(column: TypedColumn, wanted: Kind, place: str) -> Kind:
    """Return whether a column holds numbers or texts; a CSV column holds what is wanted."""
    if column.is_untyped:
        return wanted
    if family_of(column) in NARROW | WIDE:
        return int
    if family_of(column) in TEXTS:
        return str
    raise column_type_error(column, place, "items must be texts or whole numbers")


def exact_text(column: TypedColumn) -> str:
    """Return a column without its collation, so that different texts count as different."""
    return f'{column.name} COLLATE "binary"' if column.type == "VARCHAR" else column.name


def family_of(column: TypedColumn) -> str:
    """Return the name of a type without its parameters; a list type is returned unchanged."""
    return column.type if column.type.endswith("]") else column.type.partition("(")[0]


def column_type_error(column: TypedColumn, place: str, required: str) -> SelectionError:
    """Return the error of a column of an unsuitable type."""
    return SelectionError(
        Reason.WRONG_TYPE, f"{required}, but column {column.name} of {place} is {column.type}"
    )
