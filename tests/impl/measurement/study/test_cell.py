"""Facts about units of work."""

from privtopk.impl.measurement.study.counting import AccessCell
from support_evaluation import DrawnCell


def test_names_are_topic_and_parameters() -> None:
    """The name of a cell has all its parameters."""
    assert DrawnCell(3).name == "drawn-3"
    cell = AccessCell("m", "batched", "worst", 100, 2, 1.0, 5)
    assert cell.name == "accesses-m-batched-worst-100-2-1.0-5"


def test_the_seed_is_the_name() -> None:
    """The same cell draws the same numbers, another cell draws others."""
    assert DrawnCell(1).measure() == DrawnCell(1).measure() != DrawnCell(2).measure()


def test_rows_have_the_parameters() -> None:
    """A row of a table has the parameters of its cell."""
    (row,) = DrawnCell(7).rows()
    assert list(row) == ["place", "number"]
    assert row["place"] == 7
