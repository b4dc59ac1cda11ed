"""What `privtopk bench --sources` measures: a selection against fetching everything.

Both start alike and end with the items: without a connection, but on PostgreSQL, where both keep
one. The other side fetches every score in the fastest way that was found, not in the usual one, and
adds noise to all of them by the block scan. What is not installed is left out and told.
"""

import importlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.measurement.databases.stored import Stored, Storing
from privtopk.impl.measurement.inputs import SEED, Input, benchmark_input
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Row, Target
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName
from privtopk.spec.model.errors import Reason, SelectionError

SELECTION: Final = "selection"
SCAN: Final = "everything"

PACKAGE: Final = "privtopk.impl.measurement.databases"

SELECTIONS: Final = 4
"""Where a target stands on it, a round has the mean of so many: what one reads is random."""

FAMILIES: Final = (FamilyName.PLATEAU, FamilyName.HARD, FamilyName.NEAR, FamilyName.ZIPF)
"""The worst for the engine, the one of the lower bound, one without ties, and the usual one."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database, and how many times as fast as fetching everything a selection must be."""

    name: str
    module: str
    at_least: float | None

    def storing(self) -> Storing:
        """Return what puts scores into it; a driver that is missing is an ImportError."""
        found: Storing = getattr(importlib.import_module(f"{PACKAGE}.{self.module}"), self.function)
        return found

    @property
    def function(self) -> str:
        """The name of the function, which begins like its module."""
        return f"in_{self.name.lower()}"


DATABASES: Final = (
    Database("SQLite", "in_sqlite", 10.0),
    Database("PostgreSQL", "in_postgresql", 8.0),
    Database("Redis", "in_redis", 40.0),
    Database("DuckDB", "in_duckdb", None),
    Database("Parquet", "in_duckdb", None),
    Database("Spark", "in_spark", None),
)


def databases_named(names: Sequence[str]) -> tuple[Database, ...]:
    """Return the databases of some names, all if there are none; capitals do not matter."""
    known = {database.name.lower(): database for database in DATABASES}
    for name in names:
        if name.lower() not in known:
            raise SelectionError(
                Reason.WRONG_TYPE, f"only must be one of {', '.join(known)}, got {name!r}"
            )
    return tuple(known[name.lower()] for name in names) or DATABASES


@dataclass(frozen=True, slots=True)
class SourceSizes:
    """How much is measured."""

    m: int = 10**6
    k: int = 10
    rounds: int = 5


def measure_sources(
    sizes: SourceSizes,
    progress: Callable[[str], None] = lambda line: None,
    databases: Sequence[Database] = DATABASES,
) -> Findings:
    """Race on those databases that can be had here."""
    targets: list[Target] = []
    rows: list[Row] = []
    notes: list[str] = []
    for database in databases:
        progress(database.name)
        try:
            found = [measured(database, name, sizes) for name in FAMILIES]
        except (ImportError, FileNotFoundError) as error:
            notes.append(f"{database.name}: {error}")
            continue
        rows += found
        if database.at_least is not None:
            targets.append(_target(database, found, sizes))
    return Findings(tuple(targets), tuple(rows), tuple(notes))


def _target(database: Database, rows: list[Row], sizes: SourceSizes) -> Target:
    worst = min(float(row["ratio"]) for row in rows)
    return Target(
        f"source-{database.name.lower()}",
        f"{database.name} against fetching everything, m={sizes.m:,}, k={sizes.k}, worst family",
        worst,
        at_least=database.at_least or 0.0,
    )


def measured(database: Database, name: FamilyName, sizes: SourceSizes) -> Row:
    """Return the race on one family in one database."""
    data = benchmark_input(name, sizes.m, sizes.k)
    storing = database.storing()
    with tempfile.TemporaryDirectory() as folder, storing(data.scores, Path(folder)) as stored:
        return _raced(database, data, stored, sizes)


def _raced(database: Database, data: Input, stored: Stored, sizes: SourceSizes) -> Row:
    budget = data.budget(sizes.k)
    generator = np.random.default_rng(SEED)
    select = partial(top_k, stored.store, sizes.k, epsilon=budget)
    contenders: dict[str, Callable[[], object]] = {
        SELECTION: select,
        SCAN: partial(stored.scan, sizes.k, float(data.unit), generator),
    }
    often = {} if database.at_least is None else {SELECTION: SELECTIONS}
    times = race(contenders, sizes.rounds, often)
    audit = select().audit
    return {
        "topic": "sources",
        "database": database.name,
        "family": data.name.value,
        "selection ms": 1000 * times.best(SELECTION),
        "everything ms": 1000 * times.best(SCAN),
        "ratio": times.ratio(SCAN, SELECTION),
        "rows moved": audit.accesses,
        "of": sizes.m,
        "round trips": audit.round_trips,
        "engine": audit.engine,
    }
