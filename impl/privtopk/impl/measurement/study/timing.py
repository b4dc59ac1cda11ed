"""Cells that measure time. They run alone, and only ratios of one run are shown."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.baselines import block_scan
from privtopk.impl.measurement.databases.race import DATABASES, SourceSizes, measured
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.counting import mean_of
from privtopk.impl.measurement.study.inputs import study_input
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName

BLOCK_SCAN: Final = "block scan"

EXACT_RUNS: Final = 20
"""Selections whose accesses and draws are compared."""


@dataclass(frozen=True, slots=True)
class TimeCell(Cell):
    """All engines and the best linear scan, taking turns on one input."""

    topic: ClassVar[str] = "times"
    is_timed: ClassVar[bool] = True

    family: str
    m: int
    k: int
    epsilon: float
    rounds: int

    def measure(self) -> list[Row]:
        """Race the engines."""
        data = study_input(self.family, self.m, self.k)
        generator, budget = self.generator, data.budget(self.epsilon)
        per_item = budget / self.k
        contenders: dict[str, Callable[[], object]] = {
            BLOCK_SCAN: partial(block_scan, data.scores, self.k, per_item, generator)
        }
        for engine in Engine:
            if engine is not Engine.AUTO:
                contenders[engine.value] = partial(
                    top_k, data.source, self.k, epsilon=budget, engine=engine, rng=generator
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
class ExactnessCell(Cell):
    """What exact arithmetic costs: the exact engine beside the default one."""

    topic: ClassVar[str] = "exactness"
    is_timed: ClassVar[bool] = True

    family: str
    m: int
    k: int
    epsilon: float
    rounds: int

    def measure(self) -> list[Row]:
        """Race the two engines as people run them, and compare what they read and draw."""
        data = study_input(self.family, self.m, self.k)
        select = partial(top_k, data.source, self.k, epsilon=data.budget(self.epsilon))
        engines = (Engine.EXACT, Engine.BATCHED)
        times = race({engine: partial(select, engine=engine) for engine in engines}, self.rounds)
        audits = {
            engine: [select(engine=engine, rng=generator).audit for _ in range(EXACT_RUNS)]
            for engine, generator in zip(engines, self.generator.spawn(2), strict=True)
        }
        exact, default = audits[Engine.EXACT], audits[Engine.BATCHED]
        return [
            {
                "exact_milliseconds": 1000 * times.best(Engine.EXACT),
                "default_milliseconds": 1000 * times.best(Engine.BATCHED),
                "times_slower": times.ratio(Engine.EXACT, Engine.BATCHED),
                "exact_accesses": mean_of(audit.accesses for audit in exact),
                "default_accesses": mean_of(audit.accesses for audit in default),
                "exact_draws": mean_of(audit.noise_draws for audit in exact),
                "default_draws": mean_of(audit.noise_draws for audit in default),
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
        """Race the two; a database that is not there gives a row that says so."""
        (database,) = (one for one in DATABASES if one.name == self.database)
        sizes = SourceSizes(self.m, self.k, self.rounds)
        try:
            row = measured(database, FamilyName(self.family), sizes)
        except (ImportError, FileNotFoundError) as error:
            return [{"absent": str(error)}]
        return [
            {
                "absent": "",
                "selection_ms": row["selection ms"],
                "everything_ms": row["everything ms"],
                "times_faster": row["ratio"],
                "rows_moved": row["rows moved"],
                "round_trips": row["round trips"],
                "engine": row["engine"],
            }
        ]
