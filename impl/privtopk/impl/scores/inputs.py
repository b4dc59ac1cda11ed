"""What a caller may pass as scores: a source, a store, an array, a mapping, a column or a table.

Columns and tables of pandas, polars and Arrow are recognised by their methods, so that none of
these packages is needed. A pandas column keeps its index as the names of the items. A table has one
column of scores, or one of names and one of scores, in this order. A lazy table, as those of
polars, DuckDB, Dask and Spark can be, is refused: it would have to run before the number of items
is known, and might return other rows the next time.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias, TypeGuard

from numpy.typing import ArrayLike

from privtopk.impl.scores.column import Names, Numbers, score_list
from privtopk.impl.scores.memory import ArrayScores, SparseScores
from privtopk.impl.scores.protocols import Source, Store, is_store
from privtopk.spec.model.errors import Reason, SelectionError

Scores: TypeAlias = Source | Store | Mapping[Any, int] | ArrayLike
"""The type of scores; data frames have numpy's array protocol or are Any to type checkers."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """Scores whose number is known and whose values were not read yet."""

    scores: Numbers
    names: Names | None

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self.scores)

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as a source; raise if a score is not allowed."""
        yield ArrayScores(self.scores, self.names)


def source_or_store(given: Any) -> Source | Store:
    """Return a source or a store unchanged, and everything else as a column of scores."""
    if isinstance(given, ArrayScores | SparseScores):
        return given
    if isinstance(given, Mapping):
        return ScoreColumn(score_list(list(given.values())), list(given))
    if is_store(given) or is_source(given):
        return given
    require_rows(given)
    table = columns_of(given)
    if table is not None:
        return table_column(table)
    return (
        named_column(given) if hasattr(given, "to_numpy") else ScoreColumn(score_list(given), None)
    )


def is_source(given: Any) -> TypeGuard[Source]:
    """Return whether an object has the methods of a source.

    A pandas column with items called top and scores has these attributes too, as numbers.
    """
    return all(callable(getattr(given, door, None)) for door in ("top", "scores", "name"))


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
            f"got {type(given).__module__.split('.')[0]} {type(given).__name__}",
        )


def columns_of(given: Any) -> list[Any] | None:
    """Return the columns of a data frame or an Arrow table, or None if it is neither."""
    if hasattr(given, "column_names"):
        return [given.column(place) for place in range(len(given.column_names))]
    if hasattr(given, "columns"):
        return [given[name] for name in given.columns]
    return None


def table_column(columns: Sequence[Any]) -> ScoreColumn:
    """Return the scores of a table; the first of two columns has their names."""
    if len(columns) == 1:
        return named_column(columns[0])
    if len(columns) == 2:
        return ScoreColumn(score_list(columns[1]), plain_values(columns[0]))
    raise SelectionError(
        Reason.WRONG_TYPE,
        "a table must have one column of scores, or one of names and one of scores, "
        f"got {len(columns)} columns",
    )


def named_column(column: Any) -> ScoreColumn:
    """Return the scores of a column, with its index as names if it has one."""
    index = getattr(column, "index", None)
    scores = column if hasattr(column, "__array__") else column.to_numpy()
    return ScoreColumn(score_list(scores), None if index is None or callable(index) else index)


def plain_values(column: Any) -> list[Hashable]:
    """Return a column as a list of Python values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
