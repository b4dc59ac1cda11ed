"""The cells of the whole study, and of a quick one that takes seconds."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.inputs import FAMILIES, SHAPES, WORST
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.counting import AccessCell, PriceCell
from privtopk.impl.measurement.study.promises import (
    TWO_LEVELS,
    AccuracyCell,
    CertificateCell,
    PlanCell,
)
from privtopk.impl.measurement.study.timing import ExactnessCell, SourceCell, TimeCell
from privtopk.spec.inputs.families import FamilyName
from privtopk.spec.inputs.vote_shapes import ShapeName
from privtopk.spec.noise.distributions import NoiseKind

RUNS: Final = {
    Engine.ONE_SHOT: 2,
    Engine.THRESHOLD: 40,
    Engine.ONLINE: 40,
    Engine.RANK_FREE: 120,
    Engine.BATCHED: 400,
    Engine.EXACT: 200,
}
"""Selections per cell: many where they are fast; the cost of a scan does not vary."""

SLOW: Final = 2
"""The divisor of the selections where an engine makes many accesses one at a time."""

USUAL: Final = ShapeName.ZIPF_WORDS.value
QUICK: Final = (USUAL, FamilyName.PLATEAU.value)

SIZES: Final = (10**3, 10**4, 10**5, 10**6)
COUNTS: Final = (1, 3, 10, 30, 100, 300, 1000)
BUDGETS: Final = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
BUDGET_FAMILIES: Final = (
    FamilyName.LINEAR.value,
    ShapeName.ZIPF_WORDS.value,
    ShapeName.LOG_NORMAL.value,
    ShapeName.BALLOTS.value,
)
PRICES: Final = (1, 3, 10, 30, 100, 300, 1000)
BETAS: Final = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
DATABASES: Final = ("SQLite", "DuckDB", "Parquet", "PostgreSQL", "Redis")


def whole_study() -> tuple[Cell, ...]:
    """Return all cells of the study."""
    return (
        *access_cells(),
        *price_cells(),
        *accuracy_cells(),
        *plan_cells(),
        *certificate_cells(),
        *timed_cells(),
    )


def quick_study() -> tuple[Cell, ...]:
    """Return a few small cells of every kind."""
    engines = (Engine.RANK_FREE, Engine.BATCHED, Engine.EXACT, Engine.ONE_SHOT)
    return (
        *(AccessCell("m", e.value, WORST, m, 2, 1.0, 5) for e in engines for m in (300, 20_000)),
        *(AccessCell("k", e.value, WORST, 2000, k, 1.0, 5) for e in engines for k in (2, 4)),
        *(AccessCell("epsilon", "rank-free", USUAL, 2000, 2, e, 5) for e in (0.1, 10.0)),
        *(AccessCell("family", e.value, f, 2000, 2, 1.0, 5) for e in engines for f in QUICK),
        *(PriceCell(Engine.BATCHED.value, WORST, 2000, 2, 1.0, *p, 5) for p in ((1, 9), (9, 1))),
        AccuracyCell(Engine.BATCHED.value, NoiseKind.GUMBEL.value, 500, 2, 0.5, 20),
        PlanCell(WORST, 2000, 2, 1.0, 1, 1, 5),
        *(CertificateCell(2000, k, 1.0) for k in (1, 10)),
        TimeCell(WORST, 2000, 2, 1.0, 1),
        ExactnessCell(WORST, 20_000, 2, 1.0, 1),
        SourceCell("SQLite", FamilyName.PLATEAU.value, 2000, 2, 1),
    )


def access_cells() -> Iterator[AccessCell]:
    """Yield the cells of access cost against m, k, epsilon and family, largest first."""
    for engine in engines():
        for m in reversed(SIZES):
            yield AccessCell("m", engine, WORST, m, 10, 1.0, runs(engine, m * 10))
        for k in reversed(COUNTS):
            yield AccessCell("k", engine, WORST, 10**5, k, 1.0, runs(engine, 10**5 * k))
        for family in (WORST, *FAMILIES, *SHAPES):
            yield AccessCell("family", engine, family, 10**5, 10, 1.0, runs(engine, 10**6))
    yield AccessCell("m", Engine.BATCHED.value, WORST, 10**7, 10, 1.0, 400)
    for engine in (Engine.RANK_FREE.value, Engine.BATCHED.value):
        for family in BUDGET_FAMILIES:
            for epsilon in BUDGETS:
                yield AccessCell("epsilon", engine, family, 10**5, 10, epsilon, runs(engine, 10**6))


def price_cells() -> Iterator[PriceCell]:
    """Yield the cells of unequal costs, from 1:1000 to 1000:1."""
    ratios = [(price, 1) for price in reversed(PRICES)] + [(1, price) for price in PRICES[1:]]
    for family in (WORST, USUAL, ShapeName.LOG_NORMAL.value):
        for prices in ratios:
            yield PriceCell(Engine.BATCHED.value, family, 10**5, 10, 1.0, *prices, 200)


def accuracy_cells() -> Iterator[AccuracyCell]:
    """Yield the cells of accuracy, for every engine, both noises and several sizes."""
    for noise in NoiseKind:
        for beta in BETAS:
            yield AccuracyCell(Engine.BATCHED.value, noise.value, 10**4, 10, beta, 4000)
        for m, k in ((10**3, 1), (10**5, 10), (10**5, 100), (10**6, 10)):
            yield AccuracyCell(Engine.BATCHED.value, noise.value, m, k, 0.05, 2000)
        for engine in engines():
            if engine != Engine.BATCHED.value:
                yield AccuracyCell(engine, noise.value, 10**3, 10, 0.05, 1000)


def plan_cells() -> Iterator[PlanCell]:
    """Yield the cells of the planner, on its worst inputs and on usual ones."""
    for m, k in ((10**4, 10), (10**4, 100), (10**5, 10), (10**5, 1000), (10**6, 1), (10**6, 10)):
        yield PlanCell(WORST, m, k, 1.0, 1, 1, 1000 if k < 100 else 300)
    for prices in ((1, 20), (20, 1)):
        yield PlanCell(WORST, 10**5, 10, 1.0, *prices, 500)
    for m, k in ((10**4, 10), (10**5, 10)):
        yield PlanCell(TWO_LEVELS, m, k, 1.0, 1, 1, 2000)
    for family in (USUAL, ShapeName.LOG_NORMAL.value, ShapeName.BALLOTS.value):
        yield PlanCell(family, 10**5, 10, 1.0, 1, 1, 500)


def certificate_cells() -> Iterator[CertificateCell]:
    """Yield the cells of the gap between the bounds, for k from 1 to 1000."""
    counts = sorted({*range(1, 21), *np.geomspace(20, 1000, 24).round().astype(int).tolist()})
    for epsilon in (1.0, 0.1, 0.0):
        yield from (CertificateCell(10**6, k, epsilon) for k in counts)


def timed_cells() -> Iterator[Cell]:
    """Yield the cells that measure time."""
    for family in (WORST, USUAL):
        yield from (TimeCell(family, m, 10, 1.0, 3) for m in SIZES)
    for family in (FamilyName.HARD.value, WORST, FamilyName.ZERO.value, USUAL, "log-normal"):
        yield ExactnessCell(family, 10**6, 10, 1.0, 5)
    for database in DATABASES:
        for name in (FamilyName.PLATEAU.value, FamilyName.ZIPF.value):
            yield SourceCell(database, name, 10**6, 10, 3)


def engines() -> tuple[str, ...]:
    """Return the names of all engines."""
    return tuple(engine.value for engine in RUNS)


def runs(engine: str, area: int) -> int:
    """Return the number of selections of a cell; `area` is m times k."""
    many = RUNS[Engine(engine)]
    return many // SLOW if area > 10**6 and 10 < many < 200 else many
