"""Cells that measure time: they run alone, and only ratios of one run are shown."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.baselines import block_scan
from privtopk.impl.measurement.databases.race import SourceSizes, databases_named, race_database
from privtopk.impl.measurement.inputs import Input, study_input
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.selections import mean_counts
from privtopk.impl.measurement.study.cell import Cell

BLOCK_SCAN: Final = "block scan"

EXACT_RUNS: Final = 20
"""Selections whose accesses and draws are compared."""

COLUMNS: Final = {
    "selection_ms": "selection ms",
    "everything_ms": "everything ms",
    "times_faster": "ratio",
    "rows_moved": "rows moved",
    "round_trips": "round trips",
    "engine": "engine",
}
"""The columns of the study, and what the benchmark calls them."""


@dataclass(frozen=True, slots=True)
class RaceCell(Cell):
    """Engines that take turns on one input."""

    is_timed: ClassVar[bool] = True

    family: str
    m: int
    k: int
    epsilon: float
    rounds: int

    @property
    def data(self) -> Input:
        """The input."""
        return study_input(self.family, self.m, self.k)


@dataclass(frozen=True, slots=True)
class TimeCell(RaceCell):
    """All engines and the best linear scan."""

    topic: ClassVar[str] = "times"

    def measure(self) -> list[Row]:
        """Race the engines."""
        data, generator = self.data, self.generator
        per_item = data.budget(self.epsilon) / self.k
        contenders: dict[str, Callable[[], object]] = {
            BLOCK_SCAN: partial(block_scan, data.scores, self.k, per_item, generator)
        }
        for engine in Engine:
            if engine is not Engine.AUTO:
                contenders[engine.value] = data.selector(
                    self.k, self.epsilon, engine=engine, rng=generator
                )
        times = race(contenders, self.rounds)
        return [
            {
                "contender": name,
                "milliseconds": 1000 * times.best(name),
                "times_faster": times.ratio(BLOCK_SCAN, name),
            }
            for name in contenders
        ]


@dataclass(frozen=True, slots=True)
class ExactnessCell(RaceCell):
    """What exact arithmetic costs: the exact engine and the default one."""

    topic: ClassVar[str] = "exactness"

    def measure(self) -> list[Row]:
        """Race the two engines as people run them, and compare what they read and draw."""
        select = partial(self.data.selector, self.k, self.epsilon)
        engines = (Engine.EXACT, Engine.BATCHED)
        times = race({engine: select(engine=engine) for engine in engines}, self.rounds)
        seeded = (
            select(engine=engine, rng=generator)
            for engine, generator in zip(engines, self.generator.spawn(2), strict=True)
        )
        exact, default = ([run() for _ in range(EXACT_RUNS)] for run in seeded)
        return [
            {
                "exact_milliseconds": 1000 * times.best(Engine.EXACT),
                "default_milliseconds": 1000 * times.best(Engine.BATCHED),
                "times_slower": times.ratio(Engine.EXACT, Engine.BATCHED),
                **mean_counts(exact, exact_accesses="accesses"),
                **mean_counts(default, default_accesses="accesses"),
                **mean_counts(exact, exact_draws="noise_draws"),
                **mean_counts(default, default_draws="noise_draws"),
            }
        ]


@dataclass(frozen=True, slots=True)
class SourceCell(Cell):
    """A selection from a database against fetching everything."""

    topic: ClassVar[str] = "sources"
    is_timed: ClassVar[bool] = True

    database: str
    family: str
    m: int
    k: int
    rounds: int

    def measure(self) -> list[Row]:
        """Race the two; a database that is not installed gives a row that says so."""
        (database,) = databases_named([self.database])
        sizes = SourceSizes(self.m, self.k, self.rounds)
        try:
            row = race_database(database, self.family, sizes)
        except (ImportError, FileNotFoundError) as error:
            return [{"absent": str(error)}]
        return [{"absent": "", **{name: row[column] for name, column in COLUMNS.items()}}]
