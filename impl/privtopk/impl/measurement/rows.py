"""Rows of measurements: picked, grouped, and printed as tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Row: TypeAlias = dict[str, str | int | float]
"""One measurement: values by the names of their columns."""

Table: TypeAlias = list[Row]


def number(row: Row, name: str) -> float:
    """Return a number of a row."""
    return float(row[name])


def column(rows: Table, name: str) -> list[float]:
    """Return one column as numbers."""
    return [number(row, name) for row in rows]


def column_names(rows: Table) -> list[str]:
    """Return the names of all columns, in the order of their first use."""
    return list(dict.fromkeys(name for row in rows for name in row))


def rows_where(rows: Iterable[Row], **wanted: object) -> Table:
    """Return the rows whose columns have these values."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def rows_sorted_by(rows: Table, name: str) -> Table:
    """Return rows in ascending order of a column of numbers."""
    return sorted(rows, key=lambda row: number(row, name))


def rows_grouped_by(rows: Table, name: str) -> dict[str, Table]:
    """Return rows by the text in a column, in the order of its first use."""
    groups: dict[str, Table] = {}
    for row in rows:
        groups.setdefault(str(row[name]), []).append(row)
    return groups


def format_value(value: str | int | float, whole_from: float = 10_000) -> str:
    """Return a float with four digits, or without decimals from some size on; thousands apart."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= whole_from else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value


def aligned_table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells for a terminal, each column as wide as its longest cell."""
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def markdown_table(rows: Iterable[Row], headings: Mapping[str, str]) -> str:
    """Return rows as a table of Markdown, with a heading for the name of each column."""
    lines = [list(headings.values())]
    lines += [[format_value(row.get(name, "")) for name in headings] for row in rows]
    first, *others = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([first, "|" + "---|" * len(headings), *others])
