"""Facts about the data of a study."""

from pathlib import Path

import pyarrow.parquet
import pytest

from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.store import Finished
from privtopk.impl.measurement.study.tables import (
    digest,
    parse_field,
    read_csv,
    tables_of,
    write_csv,
    write_parquet,
)
from support_evaluation import ClockCell, DrawnCell

ROWS: list[Row] = [{"engine": "batched", "m": 10, "mean": 0.1 + 0.2}, {"engine": "exact", "m": 20}]


def test_csv_keeps_every_digit(tmp_path: Path) -> None:
    """A table that is read again is the one that was written."""
    write_csv(tmp_path / "table.csv", ROWS)
    assert read_csv(tmp_path / "table.csv") == ROWS


def test_parquet_keeps_types(tmp_path: Path) -> None:
    """Numbers and texts keep their types; a missing value is null."""
    write_parquet(tmp_path / "table.parquet", ROWS)
    table = pyarrow.parquet.read_table(tmp_path / "table.parquet")
    assert [str(field.type) for field in table.schema] == ["string", "int64", "double"]
    assert table.to_pylist() == [ROWS[0], {**ROWS[1], "mean": None}]


def test_tables_collect_topics() -> None:
    """Rows of one topic make one table, in the order of the study."""
    cells: list[Cell] = [DrawnCell(1), ClockCell(1), DrawnCell(2)]
    finished = {cell: Finished(cell.rows(), "2026-01-02") for cell in cells}
    tables = tables_of(finished)
    assert {topic: [row["place"] for row in rows] for topic, rows in tables.items()} == {
        "drawn": [1, 2],
        "clock": [1],
    }


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("1e-3", 0.001), ("zipf-1.0", "zipf-1.0")])
def test_fields_are_parsed(text: str, value: str | int | float) -> None:
    """A field that looks like a number is one."""
    assert parse_field(text) == value


def test_a_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    """Two tables have the same digest if their files are the same."""
    for name in ("one.csv", "two.csv"):
        write_csv(tmp_path / name, ROWS)
    assert digest(tmp_path / "one.csv") == digest(tmp_path / "two.csv")
