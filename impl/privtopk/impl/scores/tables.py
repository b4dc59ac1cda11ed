"""The scores and the names of their items in a mapping, a column, a table or an array in memory.

Columns and tables of pandas, polars and Arrow are recognised by their methods, so that none of
these packages is needed. The columns of a table are chosen by name, never by position: a table of
(score, item) would otherwise publish its scores. A pandas column keeps its index as the names of
the items, unless the index only counts the rows. A lazy table, as those of polars, DuckDB, Dask and
Spark can be, is refused: it would have to run before the number of items is known, and might return
other rows the next time.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from privtopk.spec.model.errors import Reason, SelectionError

ITEM: Final = "item"
SCORE: Final = "score"
"""The names of the two columns, unless the caller names others."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """Scores as the caller has passed them; nothing of them was read yet."""

    scores: Any
    """A list, an array or a column."""

    names: Any
    """The names of the items in the same order, or None if the items are indices."""

    kind: str
    """What the caller has passed, for error messages."""


def column_of(given: Any, item: Hashable | None, score: Hashable | None) -> ScoreColumn:
    """Return the scores and the names in what a caller has passed; no score is read."""
    if isinstance(given, Mapping):
        refuse_column_names(item, score, "a mapping")
        return ScoreColumn(list(given.values()), given.keys(), "a mapping")
    require_rows(given)
    columns = names_of_columns(given)
    if columns is not None:
        return table_column(given, columns, item, score)
    refuse_column_names(item, score, f"a {type(given).__name__}")
    return indexed_column(given) if hasattr(given, "to_numpy") else array_column(given)


def refuse_column_names(item: Hashable | None, score: Hashable | None, kind: str) -> None:
    """Refuse names of columns for what has none."""
    if item is not None or score is not None:
        raise SelectionError(
            Reason.WRONG_TYPE, f"item and score are the names of columns of a table, got {kind}"
        )


def require_rows(given: Any) -> None:
    """Raise if a table is lazy; narwhals, which recognises them, is imported for tables only."""
    if not hasattr(type(given), "columns"):
        return
    narwhals = import_module("narwhals.stable.v2")
    if narwhals.dependencies.is_into_dataframe(given):
        return
    if isinstance(narwhals.from_native(given, pass_through=True), narwhals.LazyFrame):
        raise SelectionError(
            Reason.WRONG_TYPE,
            "a table must be in memory: collect it first, or read it through a store; "
            f"got {type(given).__module__.split('.')[0].lstrip('_')} {type(given).__name__}",
        )


def names_of_columns(given: Any) -> list[Hashable] | None:
    """Return the names of the columns of a data frame or an Arrow table, or None otherwise."""
    for attribute in ("column_names", "columns"):
        if hasattr(type(given), attribute):  # a pandas column has its labels as attributes
            return list(getattr(given, attribute))
    return None


def table_column(
    table: Any, columns: list[Hashable], item: Hashable | None, score: Hashable | None
) -> ScoreColumn:
    """Return two columns of a table; if it has one column only, its rows have no names."""
    if item is not None and item == score:
        raise SelectionError(
            Reason.WRONG_TYPE, f"item and score must be two columns, got {item!r} for both"
        )
    scores = find_column(table, columns, SCORE if score is None else score)
    if item is None and len(columns) == 1:
        return indexed_column(scores)
    return ScoreColumn(
        values_of(scores), find_column(table, columns, ITEM if item is None else item), "a table"
    )


def find_column(table: Any, columns: list[Hashable], name: Hashable) -> Any:
    """Return the column with a name; refuse a name that no column has, or more than one."""
    places = [place for place, column in enumerate(columns) if column == name]
    if len(places) == 1:
        return table.column(places[0]) if hasattr(type(table), "column_names") else table[name]
    found = f"{len(places)} columns" if places else "no column"
    raise SelectionError(
        Reason.UNKNOWN_COLUMN,
        f"the table has {found} {name!r}; it has {', '.join(map(repr, columns))}: pass "
        "item= and score= with the names of the columns of items and of scores",
    )


def indexed_column(column: Any) -> ScoreColumn:
    """Return the scores of a column, with its index as names if it has one."""
    index = getattr(column, "index", None)
    if index is None or callable(index) or is_row_count(index):
        return array_column(values_of(column))
    return ScoreColumn(values_of(column), index, "a column with an index")


def is_row_count(index: Any) -> bool:
    """Return whether a pandas index is the default one, which counts rows from 0.

    It has a type of its own. An index of the same numbers that comes from the data has not.
    """
    return (getattr(index, "start", None), getattr(index, "step", None)) == (0, 1)


def array_column(scores: Any) -> ScoreColumn:
    """Return scores whose items are indices."""
    return ScoreColumn(scores, None, "an array")


def values_of(column: Any) -> Any:
    """Return a column as something that numpy takes."""
    return column if hasattr(column, "__array__") else column.to_numpy()
