"""Facts about rows of measurements."""

from privtopk.impl.measurement.rows import (
    Row,
    aligned_table,
    column,
    column_names,
    format_value,
    markdown_table,
    rows_grouped_by,
    rows_sorted_by,
    rows_where,
)

ROWS: list[Row] = [{"engine": "batched", "m": 20}, {"engine": "exact", "m": 10, "mean": 0.5}]


def test_rows_are_picked() -> None:
    """`rows_where` returns the rows with given values."""
    assert rows_where(ROWS, engine="exact", m=10) == [ROWS[1]]
    assert rows_where(ROWS, engine="exact", m=20) == []


def test_rows_are_sorted_and_grouped() -> None:
    """Rows come in the order of a column, or by the text in it."""
    assert column(rows_sorted_by(ROWS, "m"), "m") == [10.0, 20.0]
    assert rows_grouped_by(ROWS, "engine") == {"batched": ROWS[:1], "exact": ROWS[1:]}


def test_columns_come_in_the_order_of_their_first_use() -> None:
    """The columns include those that the first row lacks."""
    assert column_names(ROWS) == ["engine", "m", "mean"]


def test_numbers_are_short() -> None:
    """Numbers have four digits, and separators between thousands."""
    assert [format_value(value) for value in (0.123456, 12345.6, 1234567, "x")] == [
        "0.1235",
        "12,346",
        "1,234,567",
        "x",
    ]
    assert (format_value(1234.5, 1000), format_value(1234.5)) == ("1,234", "1234")


def test_markdown() -> None:
    """A table has headings, and an empty cell if a row lacks a column."""
    assert markdown_table([{"a": 1}], {"a": "A", "b": "B"}) == "| A | B |\n|---|---|\n| 1 |  |"


def test_columns_are_aligned() -> None:
    """A column is as wide as its longest cell, and no line ends in spaces."""
    assert aligned_table([["a", "b"], ["long", ""]]) == "a     b\nlong"
