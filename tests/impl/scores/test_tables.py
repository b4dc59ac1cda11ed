"""Facts about names and scores in mappings, columns, tables and arrays.

The first part has stand-ins with the attributes of data frames. The second part tests pandas,
polars and Arrow themselves, if they are installed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from privtopk.impl.scores.column import Numbers
from privtopk.impl.scores.inputs import source_or_store
from privtopk.impl.scores.protocols import Source, view_of
from privtopk.impl.scores.tables import column_of
from privtopk.spec.model.errors import Reason
from support import refusal


class Index:
    """Like pandas.Index: a sequence of labels."""

    def __init__(self, labels: Sequence[object]) -> None:
        self._labels = list(labels)

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[object]:
        return iter(self._labels)


class RangeIndex(Index):
    """Like pandas.RangeIndex: it knows its first number and its step."""

    def __init__(self, numbers: range) -> None:
        super().__init__(numbers)
        self.start, self.step = numbers.start, numbers.step


class PandasSeries:
    """Like pandas.Series: numpy's protocol, an index, and labels as attributes."""

    name = None

    def __init__(self, values: Sequence[object], labels: Sequence[object]) -> None:
        self._values = np.array(values)
        self.index = RangeIndex(labels) if isinstance(labels, range) else Index(labels)
        self.size = len(values)
        for label, value in zip(labels, values, strict=True):
            if isinstance(label, str):
                setattr(self, label, value)

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return self._values

    def __len__(self) -> int:
        return len(self._values)

    def to_numpy(self) -> Numbers:
        """Return the values."""
        return self._values

    def tolist(self) -> list[object]:
        """Return the values as Python objects."""
        return list(self._values.tolist())


class PandasFrame:
    """Like pandas.DataFrame: columns by name over a common index."""

    columns = Index([])

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

    def __len__(self) -> int:
        return len(self._values)

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

    columns: tuple[str, ...] = ()

    def __init__(self, **columns: Sequence[object]) -> None:
        self.columns = tuple(columns)
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

    def __len__(self) -> int:
        return len(self._values)

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

    column_names: tuple[str, ...] = ()

    def __init__(self, **columns: Sequence[object]) -> None:
        self.column_names = tuple(columns)
        self._columns = [ArrowArray(column) for column in columns.values()]

    def column(self, place: int) -> ArrowArray:
        """Return a column."""
        return self._columns[place]


class OnlyToNumpy:
    """A column that has only `to_numpy`."""

    def to_numpy(self) -> Numbers:
        """Return the values."""
        return np.array([3, 5])


def source_of(given: object, **options: Any) -> Source:
    """Return the source for an input."""
    with view_of(source_or_store(given, **options)) as source:
        return source


def entries(given: object, **options: Any) -> list[tuple[object, int]]:
    """Return names and scores, best first."""
    source = source_of(given, **options)
    page = source.top(0, source.size)
    names = [source.name(int(item)) for item in page.items]
    return list(zip(names, page.scores.tolist(), strict=True))


named = partial(entries, domain="public")


@pytest.mark.parametrize(
    "scores",
    [
        [3, 5],
        (3, 5),
        np.array([3, 5], dtype=np.uint8),
        np.array([3, 5]).data,
        OnlyToNumpy(),
        PandasSeries([3, 5], range(2)),
        PandasFrame([], score=[3, 5]),
        PolarsSeries([3, 5]),
        PolarsFrame(score=[3, 5]),
        ArrowArray([3, 5]),
        ArrowTable(score=[3, 5]),
    ],
    ids=lambda scores: type(scores).__name__,
)
def test_scores_without_names_go_by_index(scores: object) -> None:
    """A list, an array, and a column or a table without names name their items 0, 1, ..."""
    assert entries(scores) == [(1, 5), (0, 3)]


@pytest.mark.parametrize(
    "scores",
    [
        {"pear": 3, "fig": 5},
        MappingProxyType({"pear": 3, "fig": 5}),
        Counter({"pear": 3, "fig": 5}),
        PandasSeries([3, 5], ["pear", "fig"]),
        PandasFrame(["pear", "fig"], score=[3, 5]),
        PandasFrame([], item=["pear", "fig"], score=[3, 5]),
        PandasFrame(["row 1", "row 2"], score=[3, 5], item=["pear", "fig"]),
        PolarsFrame(item=["pear", "fig"], score=[3, 5]),
        PolarsFrame(price=[9, 8], score=[3, 5], item=["pear", "fig"]),
        ArrowTable(score=[3, 5], item=["pear", "fig"]),
    ],
    ids=lambda scores: type(scores).__name__,
)
def test_names_are_kept(scores: object) -> None:
    """A mapping has names, a pandas column its index, a table its column of items."""
    assert named(scores) == [("fig", 5), ("pear", 3)]


@pytest.mark.parametrize("table", [PandasFrame, PolarsFrame, ArrowTable])
def test_the_columns_may_have_other_names(table: Callable[..., object]) -> None:
    """The columns of items and scores are those that the caller names, wherever they stand."""
    index: list[Any] = [[]] if table is PandasFrame else []
    given = table(*index, votes=[3, 5], item=["x", "x"], product=["pear", "fig"])
    assert named(given, item="product", score="votes") == [("fig", 5), ("pear", 3)]


def test_a_count_is_not_taken_for_an_item() -> None:
    """A table of (votes, product_id) is refused: positions mean nothing, whatever their types."""
    table = PolarsFrame(votes=[310, 295], product_id=[7001, 7002])
    assert refusal(lambda: column_of(table, None, None)) == (
        Reason.UNKNOWN_COLUMN,
        "the table has no column 'score'; it has 'votes', 'product_id': pass item= and score= "
        "with the names of the columns of items and of scores",
    )
    assert named(table, item="product_id", score="votes") == [(7001, 310), (7002, 295)]


@pytest.mark.parametrize(
    ("options", "name"),
    [({}, "item"), ({"item": "prodct"}, "prodct"), ({"item": "price", "score": "n"}, "n")],
)
def test_a_missing_column_is_named(options: dict[str, str], name: str) -> None:
    """The message lists the columns that there are."""
    table = PolarsFrame(score=[3, 5], price=[1, 2])
    assert refusal(lambda: source_or_store(table, "public", **options)) == (
        Reason.UNKNOWN_COLUMN,
        f"the table has no column {name!r}; it has 'score', 'price': pass item= and score= with "
        "the names of the columns of items and of scores",
    )


def test_one_column_is_not_both() -> None:
    """Items that are also scores would be published."""
    table = PolarsFrame(score=[3, 5], item=["pear", "fig"])
    assert refusal(lambda: column_of(table, "score", "score")) == (
        Reason.WRONG_TYPE,
        "item and score must be two columns, got 'score' for both",
    )


@pytest.mark.parametrize(
    ("given", "kind"),
    [({"pear": 3}, "a mapping"), ([3], "a list"), (PandasSeries([3], ["a"]), "a PandasSeries")],
)
def test_only_tables_have_columns(given: object, kind: str) -> None:
    """Names of columns are refused for what has none."""
    for options in ({"item": "a"}, {"score": "b"}):
        assert refusal(partial(source_or_store, given, "public", **options)) == (
            Reason.WRONG_TYPE,
            f"item and score are the names of columns of a table, got {kind}",
        )


def test_a_pandas_index_of_numbers_is_kept() -> None:
    """A filtered pandas column keeps the row numbers that it was filtered from."""
    assert named(PandasSeries([3, 5], [17, 4])) == [(4, 5), (17, 3)]
    assert named(PandasSeries([3, 5], range(4, 6))) == [(5, 5), (4, 3)]


@pytest.mark.parametrize("labels", [["top", "scores"], ["columns", "column_names"]])
def test_labels_do_not_make_a_source_or_a_table(labels: list[str]) -> None:
    """A pandas column whose items are called like doors or like columns is still a column."""
    assert named(PandasSeries([3, 5], labels)) == [(labels[1], 5), (labels[0], 3)]


@pytest.mark.parametrize(
    "column", [PolarsSeries([3, None]), ArrowArray([3, None]), ArrowTable(score=[3, None])]
)
def test_missing_scores_are_refused(column: object) -> None:
    """A missing value in a column is refused."""
    assert refusal(lambda: source_of(column)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


FRUIT = ["pear", "fig"]
VOTES = [3, 5]


def pandas_tables() -> dict[str, Any]:
    """Return the same scores in the forms that pandas has for them."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"score": VOTES, "item": FRUIT})
    return {
        "index": pandas.Series(VOTES, index=FRUIT),
        "nullable": pandas.Series(VOTES, index=FRUIT, dtype="Int64"),
        "arrow": pandas.Series(VOTES, index=FRUIT, dtype="int64[pyarrow]"),
        "objects": pandas.Series(VOTES, index=FRUIT, dtype=object),
        "doubles": pandas.Series([3.0, 5.0], index=FRUIT),
        "one column": table.set_index("item"),
        "two columns": table,
        "more columns": table.assign(price=1.5),
        "categories": table.astype({"item": "category"}),
        "counted": pandas.Series(["fig"] * 5 + ["pear"] * 3).value_counts(),
    }


def polars_tables() -> dict[str, Any]:
    """Return the same scores in the forms that polars has for them."""
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"score": VOTES, "item": FRUIT})
    return {
        "two columns": table,
        "categories": table.with_columns(polars.col("item").cast(polars.Categorical)),
        "bytes": table.with_columns(polars.col("score").cast(polars.UInt8)),
        "collected": table.lazy().collect(),
    }


def arrow_tables() -> dict[str, Any]:
    """Return the same scores in the forms that Arrow has for them."""
    arrow = pytest.importorskip("pyarrow")
    fruit = arrow.array(FRUIT)
    return {
        "table": arrow.table({"score": VOTES, "item": FRUIT}),
        "batch": arrow.record_batch({"score": VOTES, "item": FRUIT}),
        "dictionary": arrow.table({"score": VOTES, "item": fruit.dictionary_encode()}),
        "chunks": arrow.table(
            {"score": VOTES, "item": arrow.chunked_array([FRUIT[:1], FRUIT[1:]])}
        ),
    }


@pytest.mark.parametrize("tables", [pandas_tables, polars_tables, arrow_tables])
def test_tables_keep_their_names(tables: Callable[[], dict[str, Any]]) -> None:
    """All forms of a table of names and scores give the same source."""
    for form, table in tables().items():
        assert named(table) == [("fig", 5), ("pear", 3)], form


@pytest.mark.parametrize("tables", [pandas_tables, polars_tables, arrow_tables])
def test_tables_declare_no_domain(tables: Callable[[], dict[str, Any]]) -> None:
    """No form of a table of names and scores is taken without a domain."""
    for form, table in tables().items():
        assert refusal(partial(source_or_store, table))[0] is Reason.UNDECLARED_DOMAIN, form


def test_columns_with_equal_names_are_refused() -> None:
    """If two columns have the name that is asked for, neither is chosen."""
    pandas, arrow = map(pytest.importorskip, ("pandas", "pyarrow"))
    names = ["item", "score", "score"]
    tables = [
        arrow.Table.from_arrays([arrow.array(FRUIT), *map(arrow.array, (VOTES, VOTES))], names),
        pandas.DataFrame([["pear", 3, 3], ["fig", 5, 5]], columns=names),
    ]
    for table in tables:
        assert refusal(partial(source_or_store, table, "public")) == (
            Reason.UNKNOWN_COLUMN,
            "the table has 2 columns 'score'; it has 'item', 'score', 'score': pass item= and "
            "score= with the names of the columns of items and of scores",
        )


def test_columns_may_have_numbers_for_names() -> None:
    """pandas names columns by any hashable object."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([["pear", 3], ["fig", 5]])
    assert named(table, item=0, score=1) == [("fig", 5), ("pear", 3)]


def nameless_columns() -> dict[str, Any]:
    """Return columns without names, of all packages."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    return {
        "pandas column": pandas.Series(VOTES),
        "pandas index": pandas.Index(VOTES),
        "pandas table": pandas.DataFrame({"score": VOTES}),
        "polars column": polars.Series(VOTES),
        "polars table": polars.DataFrame({"score": VOTES}),
        "arrow array": arrow.array(VOTES),
        "arrow chunks": arrow.chunked_array([VOTES[:1], VOTES[1:]]),
        "arrow table": arrow.table({"score": VOTES}),
    }


def test_columns_without_names_go_by_index() -> None:
    """A column of any package names its items 0, 1, ... if it has no index of its own."""
    for form, column in nameless_columns().items():
        assert entries(column) == [(1, 5), (0, 3)], form


def test_an_index_from_the_data_is_never_a_row_count() -> None:
    """Counts of the numbers 0 and 1 have names, although the names look like indices."""
    pandas = pytest.importorskip("pandas")
    counted = pandas.Series([0, 1, 1]).value_counts().sort_index()
    assert counted.index.tolist() == [0, 1]
    assert refusal(lambda: source_or_store(counted))[0] is Reason.UNDECLARED_DOMAIN


def columns_with_gaps() -> dict[str, Any]:
    """Return columns in which a score is missing, of all packages."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    gap = [2**53 - 1, None]
    return {
        "pandas": pandas.Series(gap, index=FRUIT),
        "pandas nullable": pandas.Series(gap, index=FRUIT, dtype="Int64"),
        "pandas arrow": pandas.Series(gap, index=FRUIT, dtype="int64[pyarrow]"),
        "pandas table": pandas.DataFrame({"item": FRUIT, "score": gap}),
        "polars table": polars.DataFrame({"item": FRUIT, "score": gap}),
        "arrow table": arrow.table({"item": FRUIT, "score": gap}),
    }


def test_missing_values_of_any_package_are_refused() -> None:
    """A missing score is refused in every package's form."""
    for form, column in columns_with_gaps().items():
        assert refusal(partial(source_of, column, domain="public")) == (
            Reason.WRONG_TYPE,
            "every score must be a whole number",
        ), form


def tables_with_nameless_items() -> dict[str, Any]:
    """Return mappings, columns and tables in which an item has no name."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    gap, moments = ["fig", None], [pandas.Timestamp(0), pandas.NaT]
    numbers = {"item": [7.0, float("nan")], "score": VOTES}
    return {
        "mapping": dict(zip(gap, VOTES, strict=True)),
        "mapping of NaN": {float("nan"): 3, 7.0: 5},
        "mapping of two NaN": {float("nan"): 3, float("nan"): 5},
        "mapping of a tuple": {("fig", float("nan")): 3, ("fig", 1.0): 5},
        "pandas index": pandas.Series(VOTES, index=gap),
        "pandas NA": pandas.Series(VOTES, index=pandas.array(["fig", pandas.NA], dtype="string")),
        "pandas numbers": pandas.Series(VOTES, index=numbers["item"]),
        "pandas two NaN": pandas.Series(VOTES, index=[float("nan"), float("nan")]),
        "pandas moments": pandas.Series(VOTES, index=moments),
        "pandas pairs": pandas.DataFrame({"a": FRUIT, "b": gap, "score": VOTES}).set_index(
            ["a", "b"]
        ),
        "pandas table": pandas.DataFrame({"item": gap, "score": VOTES}),
        "pandas table of numbers": pandas.DataFrame(numbers),
        "polars table": polars.DataFrame({"item": gap, "score": VOTES}),
        "polars table of numbers": polars.DataFrame(numbers),
        "arrow table": arrow.table({"item": gap, "score": VOTES}),
        "arrow table of numbers": arrow.table(numbers),
    }


@pytest.mark.parametrize("domain", ["public", ["fig", "pear", 7.0]])
def test_items_without_a_name_are_refused(domain: object) -> None:
    """None, NaN, NaT and NA are no items, in every package's form and with any domain."""
    for form, table in tables_with_nameless_items().items():
        assert refusal(partial(source_of, table, domain=domain)) == (
            Reason.UNKNOWN_ITEM,
            "no item may be missing: None, NaN or NaT",
        ), form


def plan_of(package: str) -> Any:
    """Return a lazy table."""
    module = pytest.importorskip(package)
    if package == "polars":
        return module.LazyFrame({"item": FRUIT, "score": VOTES})
    if package == "duckdb":
        return module.sql("SELECT 'fig' AS item, 5 AS score")
    pandas = pytest.importorskip("pandas")
    return module.from_pandas(pandas.DataFrame({"item": FRUIT, "score": VOTES}), npartitions=1)


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
    assert refusal(lambda: source_or_store(plan_of(package), "public")) == (
        Reason.WRONG_TYPE,
        f"a table must be in memory: collect it first, or read it through a store; got {name}",
    )
