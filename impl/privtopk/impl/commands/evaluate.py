"""The command `privtopk evaluate`; importing it needs the extra `evaluate`."""

import multiprocessing
import platform
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.measurement.progress import progress_bar
from privtopk.impl.measurement.results import missed_results
from privtopk.impl.measurement.rows import Table
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.checks import BoundCheck, checks_of, tables_with_laws
from privtopk.impl.measurement.study.figures.registry import FigureOfStudy, draw_all
from privtopk.impl.measurement.study.page.page import Account, page_of
from privtopk.impl.measurement.study.running import run_study
from privtopk.impl.measurement.study.store import CellStore, Finished
from privtopk.impl.measurement.study.study import quick_study, whole_study
from privtopk.impl.measurement.study.tables import tables_of, write_csv, write_parquet
from privtopk.spec.console.whole_files import whole_file

JOBS: Final = 2
"""Number of worker processes; the counts do not depend on it."""


def evaluate(folder: Path, pages: Path | None, is_quick: bool) -> int:
    """Run the quick or the whole study in worker processes."""
    cells = quick_study() if is_quick else whole_study()
    # A forked process may hang if its parent has threads, as the progress bar does: spawn instead.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(JOBS, mp_context=context) as executor:
        try:
            return evaluate_cells(cells, folder, pages, executor)
        except KeyboardInterrupt:
            executor.shutdown(wait=False, cancel_futures=True)
            print("privtopk: interrupted; run the same command to continue", file=sys.stderr)
            return 130


def evaluate_cells(
    cells: Sequence[Cell], folder: Path, pages: Path | None, executor: Executor
) -> int:
    """Measure, write tables, figures and the page; return 1 if a proven bound was exceeded."""
    folder.mkdir(parents=True, exist_ok=True)
    with progress_bar("evaluate") as progress:
        finished = run_study(cells, CellStore(folder / "cells"), executor, progress)
    tables = tables_with_laws(tables_of(finished))
    checks = checks_of(tables)
    write_tables(folder, {**tables, "checks": [check.as_row() for check in checks]})
    figures = list(draw_all(folder))
    if pages is not None:
        write_page(folder, pages, figures, page_of(figures, tables, checks, account_of(finished)))
    return report(folder, pages, checks)


def write_tables(folder: Path, tables: Mapping[str, Table]) -> None:
    """Write every table as CSV and as Parquet."""
    for name, rows in tables.items():
        write_csv(folder / f"{name}.csv", rows)
        write_parquet(folder / f"{name}.parquet", rows)


def write_page(folder: Path, pages: Path, figures: Sequence[FigureOfStudy], text: str) -> None:
    """Write the page, and next to it the figures that it shows and the tables that it names."""
    beside = pages / "evaluation"
    beside.mkdir(parents=True, exist_ok=True)
    for old in (*beside.glob("*.svg"), *beside.glob("*.csv")):
        old.unlink()
    names = {f"{figure.topic}.csv" for figure in figures} | {"checks.csv"}
    for name in sorted(names | {f"{figure.name}.svg" for figure in figures}):
        with whole_file(beside / name) as unfinished:
            shutil.copyfile(folder / name, unfinished)
    with whole_file(pages / "evaluation.md") as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def account_of(finished: Mapping[Cell, Finished]) -> Account:
    """Return the dates, the number of cells and the versions of the measurement."""
    days = sorted(kept.day for kept in finished.values())
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    return Account(days[0], days[-1], len(finished), versions)


def report(folder: Path, pages: Path | None, checks: list[BoundCheck]) -> int:
    """Print a summary and every exceeded bound; return 1 if there is one, else 0."""
    failed = missed_results(checks)
    for check in failed:
        print(
            f"exceeded: {check.name}: {check.observed:g} against {check.proven:g} ({check.bound})"
        )
    print(f"{len(checks)} checks, {len(failed)} exceeded; data and figures in {folder}")
    if pages is not None:
        print(f"page in {pages / 'evaluation.md'}")
    return 1 if failed else 0
