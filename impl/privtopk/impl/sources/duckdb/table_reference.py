"""The table that a statement of DuckDB reads from, and what is known about its columns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column and what the catalogue guarantees about it."""

    name: str
    """The name as a quoted identifier."""

    type: str
    is_untyped: bool = False
    """Whether it comes from a CSV file, where every value is a text that may spell a number."""

    is_required: bool = False
    is_unique: bool = False


@dataclass(frozen=True, slots=True)
class TableReference:
    """A table, a view or a call such as read_parquet(...), as SQL writes it."""

    sql: str
    """The text after FROM."""

    columns: tuple[TypedColumn, ...]
    """The requested columns, in the order of the request."""

    is_recomputed: bool = False
    """Whether each query would compute the rows again; then they are copied first."""
