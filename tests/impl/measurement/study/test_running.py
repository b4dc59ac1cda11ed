"""Facts about running a study."""

from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.study import running
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.running import run_study
from privtopk.impl.measurement.study.store import CellStore
from support_evaluation import MEASURED, AtOnce, ClockCell, DrawnCell

CELLS: list[Cell] = [DrawnCell(1), ClockCell(1), DrawnCell(2), DrawnCell(3), ClockCell(2)]


@pytest.fixture(autouse=True)
def nothing_measured() -> None:
    """Clear the record of measured cells."""
    MEASURED.clear()


def test_timed_cells_come_last_and_alone(tmp_path: Path) -> None:
    """Counting cells run first; the result is in the order of the study."""
    found = run_study(CELLS, CellStore(tmp_path), AtOnce())
    assert MEASURED == ["drawn-1", "drawn-2", "drawn-3", "clock-1", "clock-2"]
    assert list(found) == CELLS


def test_an_interrupted_study_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interrupt only missing cells are measured, and the result is the same."""
    whole = run_study(CELLS, CellStore(tmp_path / "whole"), AtOnce())
    MEASURED.clear()
    genuine = running.rows_of

    def interrupt_at_three(cell: Cell) -> list[Row]:
        if cell == DrawnCell(3):
            raise KeyboardInterrupt
        return genuine(cell)

    monkeypatch.setattr(running, "rows_of", interrupt_at_three)
    store = CellStore(tmp_path / "other")
    with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as executor:
        run_study(CELLS, store, executor)
    assert "drawn-3" not in MEASURED
    monkeypatch.setattr(running, "rows_of", genuine)
    MEASURED.clear()
    again = run_study(CELLS, store, AtOnce())
    assert "drawn-3" in MEASURED
    assert len(MEASURED) < len(CELLS)
    assert [kept.rows for kept in again.values()] == [kept.rows for kept in whole.values()]


def test_a_finished_study_measures_nothing(tmp_path: Path) -> None:
    """A second run takes all rows from the store, with their days."""
    first = run_study(CELLS, CellStore(tmp_path), AtOnce(), today=lambda: "2026-01-02")
    MEASURED.clear()
    assert run_study(CELLS, CellStore(tmp_path), AtOnce(), today=lambda: "2027-01-01") == first
    assert MEASURED == []


@pytest.mark.parametrize("workers", [1, 3])
def test_the_executor_does_not_matter(tmp_path: Path, workers: int) -> None:
    """The rows of cells do not depend on the executor or on their order."""
    executor: Executor
    with ThreadPoolExecutor(workers) as executor:
        found = run_study(CELLS, CellStore(tmp_path), executor, today=lambda: "2026-01-02")
    alone = run_study(CELLS, CellStore(tmp_path / "alone"), AtOnce(), today=lambda: "2026-01-02")
    assert found == alone


def test_progress_counts_every_cell(tmp_path: Path) -> None:
    """The bar moves from 0 to all cells."""
    positions: list[int] = []
    run_study(CELLS, CellStore(tmp_path), AtOnce(), lambda done, total, at: positions.append(done))
    assert (positions[0], positions[-1], sorted(set(positions))) == (0, 5, [0, 1, 2, 3, 4, 5])
