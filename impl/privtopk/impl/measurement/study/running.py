"""Running a study: cells that count in an executor, timed cells alone, finished ones not again."""

import datetime
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, as_completed

from privtopk.impl.measurement.progress import ShowProgress, show_nothing
from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.store import CellStore, Finished


def run_study(
    cells: Sequence[Cell],
    store: CellStore,
    executor: Executor,
    progress: ShowProgress = show_nothing,
    today: Callable[[], str] = lambda: datetime.date.today().isoformat(),
) -> dict[Cell, Finished]:
    """Return every cell with its rows, in the order of the study.

    A cell that the store has is not measured again. Every other one is saved as soon as it is done.
    """
    finished = {cell: kept for cell in cells if (kept := store.load(cell)) is not None}
    progress(len(finished), len(cells), "")
    missing = [cell for cell in cells if cell not in finished]

    def keep(cell: Cell, rows: list[Row]) -> None:
        finished[cell] = Finished(rows, today())
        store.save(cell, finished[cell])
        progress(len(finished), len(cells), cell.name)

    count_cells((cell for cell in missing if not cell.is_timed), executor, keep)
    for cell in missing:
        if cell.is_timed:
            progress(len(finished), len(cells), cell.name)
            keep(cell, cell.rows())
    return {cell: finished[cell] for cell in cells}


def count_cells(
    cells: Iterable[Cell], executor: Executor, keep: Callable[[Cell, list[Row]], None]
) -> None:
    """Measure cells in an executor; if anything stops it, cancel the waiting tasks."""
    tasks = {executor.submit(rows_of, cell): cell for cell in cells}
    try:
        for task in as_completed(tasks):
            keep(tasks[task], task.result())
    finally:
        for task in tasks:
            task.cancel()


def rows_of(cell: Cell) -> list[Row]:
    """Return the rows of a cell; the executor calls this in its own process."""
    return cell.rows()
