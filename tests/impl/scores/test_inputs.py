"""Facts about what callers may pass as scores; stand-ins have the attributes of data frames.

The second part tests pandas, polars, Arrow and others themselves, if they are installed.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.column import Numbers
from privtopk.impl.scores.inputs import source_or_store
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Page, Source, view_of
from privtopk.spec.model.errors import Reason
from support import refusal


class Index:
    """Like pandas.Index: labels that know whether they differ."""

    def __init__(self, labels: Sequence[object]) -> None:
        self._labels = np.array(labels)
        self.is_unique = len(set(labels)) == len(labels)

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, place: int) -> object:
        return self._labels[place]

    def __iter__(self) -> Iterator[object]:
        return iter(self._labels.tolist())


class PandasSeries:
    """Like pandas.Series: numpy's protocol, an index, and labels as attributes."""

    name = None

    def __init__(self, values: Sequence[object], labels: Sequence[object]) -> None:
        self._values = np.array(values)
        self.index = Index(labels)
        self.size = len(values)
        for label, value in zip(labels, values, strict=True):
            if isinstance(label, str):
                setattr(self, label, value)

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return self._values

    def to_numpy(self) -> Numbers:
        """Return the values."""
        return self._values

    def tolist(self) -> list[object]:
        """Return the values as Python objects."""
        return list(self._values.tolist())


class PandasFrame:
    """Like pandas.DataFrame: columns by name over a common index."""

    def __init__(self, labels: Sequence[object], **columns: Sequence[object]) -> None:
        self.columns = Index(list(columns))
        self._columns = {
            name: PandasSeries(values, labels or range(len(values)))
            for name, values in columns.items()
        }

    def __getitem__(self, name: object) -> PandasSeries:
        return self._columns[str(name)]

    def to_numpy(self) -> Numbers:
        """Return all columns as one table."""
        return np.column_stack([column.to_numpy() for column in self._columns.values()])


class PolarsSeries:
    """Like polars.Series: numpy's protocol, no index."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = list(values)

    def to_numpy(self) -> Numbers:
        """Return the values; a missing one becomes NaN."""
        return np.array([float("nan") if value is None else value for value in self._values])

    def to_list(self) -> list[object]:
        """Return the values as Python objects."""
        return self._values

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return self.to_numpy()


class PolarsFrame:
    """Like polars.DataFrame: a list of column names."""

    def __init__(self, **columns: Sequence[object]) -> None:
        self.columns = list(columns)
        self._columns = columns

    def __getitem__(self, name: str) -> PolarsSeries:
        return PolarsSeries(self._columns[name])

    def to_numpy(self) -> Numbers:
        """Return all columns as one table."""
        return np.column_stack([np.array(column) for column in self._columns.values()])


class ArrowArray:
    """Like pyarrow.Array: iteration gives boxed values, and `index` is a search."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = list(values)

    def __iter__(self) -> Iterator[object]:
        return iter([[value] for value in self._values])

    def to_numpy(self, zero_copy_only: bool = True) -> Numbers:
        """Return the values, which must not be missing."""
        return np.array(self._values)

    def to_pylist(self) -> list[object]:
        """Return the values as Python objects."""
        return self._values

    def index(self, value: object) -> int:
        """Return the place of a value."""
        return self._values.index(value)

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return np.array([float("nan") if value is None else value for value in self._values])


class ArrowTable:
    """Like pyarrow.Table: columns by their places."""

    def __init__(self, **columns: Sequence[object]) -> None:
        self.column_names = list(columns)
        self._columns = [ArrowArray(column) for column in columns.values()]

    def column(self, place: int) -> ArrowArray:
        """Return a column."""
        return self._columns[place]


class OnlyToNumpy:
    """A column that has only `to_numpy`."""

    def to_numpy(self) -> Numbers:
        """Return the values."""
        return np.array([3, 5])


class SourceWithColumns:
    """A user's source that also has columns."""

    size = 1
    columns = ("item", "score")

    def top(self, start: int, count: int) -> Page:
        """Return its only item."""
        return Page(np.array([0]), np.array([4]))

    def scores(self, items: Integers) -> Integers:
        """Return its only score."""
        return np.full(len(items), 4)

    def name(self, item: int) -> object:
        """Return its only name."""
        return "only"


class NamedArray:
    """An array with a method `name`, which does not make it a source."""

    def name(self) -> str:
        """Return its name."""
        return "votes"

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return np.array([3, 5])


def source_of(given: object) -> Source:
    """Return the source for an input."""
    with view_of(source_or_store(given)) as source:
        return source


def entries(given: object) -> list[tuple[object, int]]:
    """Return names and scores, best first."""
    source = source_of(given)
    page = source.top(0, source.size)
    names = [source.name(int(item)) for item in page.items]
    return list(zip(names, page.scores.tolist(), strict=True))


@pytest.mark.parametrize(
    "source",
    [ArrayScores([1]), IndexedScores([1]), SparseScores(3, {}), SourceWithColumns()],
)
def test_a_source_is_left_as_it_is(source: Source) -> None:
    """An object with both doors is read through them, even if it has other attributes."""
    assert source_or_store(source) is source


def test_doors_may_be_attributes() -> None:
    """An object whose doors are plain functions is a source."""
    inner = SourceWithColumns()
    source = SimpleNamespace(size=1, top=inner.top, scores=inner.scores, name=inner.name)
    assert source_or_store(source) is source


@pytest.mark.parametrize(
    "scores",
    [
        [3, 5],
        (3, 5),
        np.array([3, 5], dtype=np.uint8),
        np.array([3, 5]).data,
        OnlyToNumpy(),
        NamedArray(),
        PolarsSeries([3, 5]),
        PolarsFrame(votes=[3, 5]),
        ArrowArray([3, 5]),
        ArrowTable(votes=[3, 5]),
    ],
    ids=lambda scores: type(scores).__name__,
)
def test_scores_without_names_go_by_index(scores: object) -> None:
    """A list, an array or a column without an index names its items 0, 1, ..."""
    assert entries(scores) == [(1, 5), (0, 3)]


@pytest.mark.parametrize(
    "scores",
    [
        {"pear": 3, "fig": 5},
        MappingProxyType({"pear": 3, "fig": 5}),
        Counter({"pear": 3, "fig": 5}),
        PandasSeries([3, 5], ["pear", "fig"]),
        PandasFrame(["pear", "fig"], votes=[3, 5]),
        PandasFrame([], fruit=["pear", "fig"], votes=[3, 5]),
        PolarsFrame(fruit=["pear", "fig"], votes=[3, 5]),
        ArrowTable(fruit=["pear", "fig"], votes=[3, 5]),
    ],
    ids=lambda scores: type(scores).__name__,
)
def test_names_are_kept(scores: object) -> None:
    """A mapping has names, a pandas column its index, a table with two columns its first one."""
    assert entries(scores) == [("fig", 5), ("pear", 3)]


def test_a_pandas_index_of_numbers_is_kept() -> None:
    """A filtered pandas column keeps the row numbers that it was filtered from."""
    assert entries(PandasSeries([3, 5], [17, 4])) == [(4, 5), (17, 3)]


def test_labels_do_not_make_a_source() -> None:
    """A pandas column with items called top and scores is still a column."""
    assert entries(PandasSeries([3, 5], ["top", "scores"])) == [("scores", 5), ("top", 3)]


def test_equal_labels_are_refused() -> None:
    """A pandas column whose index repeats a label is refused."""
    assert refusal(lambda: source_of(PandasSeries([3, 5, 1], ["fig", "pear", "fig"]))) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 3 items of which 2 differ",
    )


@pytest.mark.parametrize(
    "column", [PolarsSeries([3, None]), ArrowArray([3, None]), ArrowTable(votes=[3, None])]
)
def test_missing_scores_are_refused(column: object) -> None:
    """A missing value in a column is refused."""
    assert refusal(lambda: source_of(column)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


@pytest.mark.parametrize(
    "table", [PolarsFrame(a=[1], b=[2], c=[3]), ArrowTable(a=[1], b=[2], c=[3])]
)
def test_a_wide_table_is_refused(table: object) -> None:
    """A table with three columns is refused: the column of scores is not guessed."""
    assert refusal(lambda: source_or_store(table)) == (
        Reason.WRONG_TYPE,
        "a table must have one column of scores, or one of names and one of scores, got 3 columns",
    )


def test_a_table_in_the_wrong_order_is_refused() -> None:
    """A table with scores first and names second is refused, not swapped."""
    assert refusal(lambda: source_or_store(PolarsFrame(votes=[3, 5], fruit=["pear", "fig"]))) == (
        Reason.WRONG_TYPE,
        "scores must be one list of numbers, got 1 dimensions of <U4",
    )


@pytest.mark.parametrize("nothing", [[], {}, np.array([]), PolarsFrame(votes=[])])
def test_nothing_to_select_from_is_refused(nothing: object) -> None:
    """An empty input of any kind is refused."""
    assert refusal(lambda: source_or_store(nothing)) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


FRUIT = ["pear", "fig"]
VOTES = [3, 5]


def pandas_tables() -> dict[str, Any]:
    """Return the same scores in the forms that pandas has for them."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"fruit": FRUIT, "votes": VOTES})
    return {
        "index": pandas.Series(VOTES, index=FRUIT),
        "nullable": pandas.Series(VOTES, index=FRUIT, dtype="Int64"),
        "arrow": pandas.Series(VOTES, index=FRUIT, dtype="int64[pyarrow]"),
        "objects": pandas.Series(VOTES, index=FRUIT, dtype=object),
        "doubles": pandas.Series([3.0, 5.0], index=FRUIT),
        "one column": table.set_index("fruit"),
        "two columns": table,
        "categories": table.astype({"fruit": "category"}),
        "numbered columns": table.set_axis([0, 1], axis=1),
        "counted": pandas.Series(["fig"] * 5 + ["pear"] * 3).value_counts(),
    }


def polars_tables() -> dict[str, Any]:
    """Return the same scores in the forms that polars has for them."""
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"fruit": FRUIT, "votes": VOTES})
    return {
        "two columns": table,
        "categories": table.with_columns(polars.col("fruit").cast(polars.Categorical)),
        "bytes": table.with_columns(polars.col("votes").cast(polars.UInt8)),
        "collected": table.lazy().collect(),
    }


def arrow_tables() -> dict[str, Any]:
    """Return the same scores in the forms that Arrow has for them."""
    arrow = pytest.importorskip("pyarrow")
    columns = [arrow.array(FRUIT), arrow.array(VOTES)]
    return {
        "table": arrow.table({"fruit": FRUIT, "votes": VOTES}),
        "batch": arrow.record_batch({"fruit": FRUIT, "votes": VOTES}),
        "dictionary": arrow.table({"fruit": columns[0].dictionary_encode(), "votes": VOTES}),
        "chunks": arrow.table({"f": arrow.chunked_array([FRUIT[:1], FRUIT[1:]]), "v": VOTES}),
        "equal names": arrow.Table.from_arrays(columns, names=["column", "column"]),
    }


@pytest.mark.parametrize("tables", [pandas_tables, polars_tables, arrow_tables])
def test_tables_keep_their_names(tables: Callable[[], dict[str, Any]]) -> None:
    """All forms of a table of names and scores give the same source."""
    for form, table in tables().items():
        assert entries(table) == [("fig", 5), ("pear", 3)], form


def nameless_columns() -> dict[str, Any]:
    """Return columns without names, of all packages."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    return {
        "pandas column": pandas.Series(VOTES),
        "pandas index": pandas.Index(VOTES),
        "polars column": polars.Series(VOTES),
        "polars table": polars.DataFrame({"votes": VOTES}),
        "arrow array": arrow.array(VOTES),
        "arrow chunks": arrow.chunked_array([VOTES[:1], VOTES[1:]]),
        "arrow table": arrow.table({"votes": VOTES}),
    }


def test_columns_without_names_go_by_index() -> None:
    """A column of any package names its items 0, 1, ... if it has no index of its own."""
    for form, column in nameless_columns().items():
        assert entries(column) == [(1, 5), (0, 3)], form


def columns_with_gaps() -> dict[str, Any]:
    """Return columns in which a score is missing, of all packages."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    gap = [2**53 - 1, None]
    return {
        "pandas": pandas.Series(gap),
        "pandas nullable": pandas.Series(gap, dtype="Int64"),
        "pandas arrow": pandas.Series(gap, dtype="int64[pyarrow]"),
        "pandas table": pandas.DataFrame({"fruit": FRUIT, "votes": gap}),
        "polars": polars.Series(gap),
        "polars table": polars.DataFrame({"fruit": FRUIT, "votes": gap}),
        "arrow": arrow.array(gap),
        "arrow table": arrow.table({"fruit": FRUIT, "votes": gap}),
    }


def test_missing_values_of_any_package_are_refused() -> None:
    """A missing score is refused in every package's form."""
    for form, column in columns_with_gaps().items():
        assert refusal(partial(source_of, column)) == (
            Reason.WRONG_TYPE,
            "every score must be a whole number",
        ), form


def plan_of(package: str) -> Any:
    """Return a lazy table."""
    module = pytest.importorskip(package)
    if package == "polars":
        return module.LazyFrame({"fruit": FRUIT, "votes": VOTES})
    if package == "duckdb":
        return module.sql("SELECT 'fig' AS fruit, 5 AS votes")
    pandas = pytest.importorskip("pandas")
    return module.from_pandas(pandas.DataFrame({"fruit": FRUIT, "votes": VOTES}), npartitions=1)


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("polars", "polars LazyFrame"),
        ("duckdb", "duckdb DuckDBPyRelation"),
        pytest.param("dask.dataframe", "dask DataFrame", marks=pytest.mark.slow),
    ],
)
def test_a_plan_is_no_table(package: str, name: str) -> None:
    """A lazy table is refused: its number of items is unknown until it runs, and it is not run."""
    assert refusal(lambda: source_or_store(plan_of(package))) == (
        Reason.WRONG_TYPE,
        f"a table must be in memory: collect it first, or read it through a store; got {name}",
    )


def test_nothing_is_imported_for_arrays() -> None:
    """Neither narwhals nor a package of tables is imported before a table is passed."""
    program = (
        "import sys; from privtopk.impl import top_k; top_k([3, 5], 1, epsilon=1); "
        "print({'narwhals', 'pandas', 'polars', 'pyarrow', 'pyspark'} & set(sys.modules))"
    )
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "set()\n"


def test_scores_are_not_looked_at_before_they_are_asked_for() -> None:
    """The size of a column is known before its values, right or wrong, are read."""
    assert source_or_store({"pear": -3, "fig": 0.5}).size == 2
