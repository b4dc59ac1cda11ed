"""Rows as a statement of DuckDB finds them, and what is known of their columns."""

from dataclasses import dataclass


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

    is_fleeting: bool = False
    """Whether each question would make the rows anew, so that they are to be copied first."""
