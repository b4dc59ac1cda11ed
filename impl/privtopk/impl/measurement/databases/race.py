"""The race of `privtopk bench --sources`: a selection against fetching everything.

Both sides start alike and end with the items. Both open a connection each time, except on
PostgreSQL, where both keep one. The other side fetches every score in the fastest way that was
found, not in the usual one, and adds noise to all of them by the block scan. A database that is not
installed is left out, and the report says so.
"""

import importlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.measurement.databases.stored import Stored, StoreScores
from privtopk.impl.measurement.inputs import SEED, Input, make_input
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Row, column
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName
from privtopk.spec.model.errors import Reason, SelectionError

SELECTION: Final = "selection"
SCAN: Final = "everything"

PACKAGE: Final = "privtopk.impl.measurement.databases"

SELECTIONS: Final = 4
"""Selections per turn where a target depends on their mean: the cost of one is random."""

FAMILIES: Final = (FamilyName.PLATEAU, FamilyName.HARD, FamilyName.NEAR, FamilyName.ZIPF)
"""The engine's worst family, that of the lower bound, one without ties, and the usual one."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database, and how many times faster than fetching everything a selection must be."""

    name: str
    module: str
    at_least: float | None

    def load_driver(self) -> StoreScores:
        """Return the function that stores scores; a missing driver raises ImportError."""
        module = importlib.import_module(f"{PACKAGE}.{self.module}")
        store_scores: StoreScores = getattr(module, f"in_{self.name.lower()}")
        return store_scores


DATABASES: Final = (
    Database("SQLite", "in_sqlite", 10.0),
    Database("PostgreSQL", "in_postgresql", 8.0),
    Database("Redis", "in_redis", 40.0),
    Database("DuckDB", "in_duckdb", None),
    Database("Parquet", "in_duckdb", None),
    Database("Spark", "in_spark", None),
)


def databases_named(names: Sequence[str]) -> tuple[Database, ...]:
    """Return the databases of these names, in any case; without names, all."""
    known = {database.name.lower(): database for database in DATABASES}
    for name in names:
        if name.lower() not in known:
            raise SelectionError(
                Reason.WRONG_TYPE, f"only must be one of {', '.join(known)}, got {name!r}"
            )
    return tuple(known[name.lower()] for name in names) or DATABASES


@dataclass(frozen=True, slots=True)
class SourceSizes:
    """The size of the race."""

    m: int = 10**6
    k: int = 10
    rounds: int = 5


def database_parts(
    sizes: SourceSizes, databases: Sequence[Database] = DATABASES
) -> dict[str, Callable[[], Findings]]:
    """Return one part of a benchmark per database."""
    return {database.name: partial(measure_database, database, sizes) for database in databases}


def measure_database(database: Database, sizes: SourceSizes) -> Findings:
    """Race on every family; a database that is not installed gives a note instead."""
    try:
        rows = [race_database(database, name, sizes) for name in FAMILIES]
    except (ImportError, FileNotFoundError) as error:
        return Findings(notes=[f"{database.name}: {error}"])
    if database.at_least is None:
        return Findings(rows=rows)
    target = Target(
        f"source-{database.name.lower()}",
        f"{database.name} against fetching everything, m={sizes.m:,}, k={sizes.k}, worst family",
        min(column(rows, "ratio")),
        at_least=database.at_least,
    )
    return Findings([target], rows)


def race_database(database: Database, family: str, sizes: SourceSizes) -> Row:
    """Return the race on one family in one database."""
    data = make_input(family, sizes.m, sizes.k)
    store_scores = database.load_driver()
    with (
        tempfile.TemporaryDirectory() as folder,
        store_scores(data.scores, Path(folder)) as stored,
    ):
        return _race_row(database, data, stored, sizes)


def _race_row(database: Database, data: Input, stored: Stored, sizes: SourceSizes) -> Row:
    select = partial(top_k, stored.store, sizes.k, epsilon=data.budget(sizes.k))
    contenders: dict[str, Callable[[], object]] = {
        SELECTION: select,
        SCAN: partial(stored.scan, sizes.k, float(data.unit), np.random.default_rng(SEED)),
    }
    least_calls = {} if database.at_least is None else {SELECTION: SELECTIONS}
    times = race(contenders, sizes.rounds, least_calls)
    audit = select().audit
    return {
        "topic": "sources",
        "database": database.name,
        "family": data.name,
        "selection ms": 1000 * times.best(SELECTION),
        "everything ms": 1000 * times.best(SCAN),
        "ratio": times.ratio(SCAN, SELECTION),
        "rows moved": audit.accesses,
        "of": sizes.m,
        "round trips": audit.round_trips,
        "engine": audit.engine,
    }
