"""The race of databases, on a small scale."""

from pathlib import Path

import numpy as np
import pytest

from privtopk.impl.measurement.databases.race import (
    DATABASES,
    FAMILIES,
    Database,
    SourceSizes,
    database_parts,
    databases_named,
)
from privtopk.impl.measurement.results import collect_findings
from privtopk.impl.measurement.servers.postgresql import programs
from privtopk.spec.model.errors import Reason
from support import refusal

SMALL = SourceSizes(m=20_000, k=3, rounds=1)


@pytest.mark.parametrize(
    "database",
    [
        # Spark takes longer to start than all other databases together.
        pytest.param(one, id=one.name, marks=[pytest.mark.heavy] if one.name == "Spark" else [])
        for one in DATABASES
    ],
)
def test_everything_is_fetched(database: Database, tmp_path: Path) -> None:
    """The full fetch returns every item with its score."""
    scores = np.random.default_rng(1).integers(0, 1000, size=2000)
    try:
        store_scores = database.load_driver()
        with store_scores(scores, tmp_path) as stored:
            page = stored.fetch()
    except (ImportError, FileNotFoundError) as error:
        pytest.skip(str(error))
    assert sorted(page.items.tolist()) == list(range(2000))
    assert page.scores.tolist() == scores[page.items].tolist()


@pytest.mark.slow
@pytest.mark.heavy
def test_a_race_has_a_row_for_each_database_and_family() -> None:
    """Ratios are positive, and databases that are not installed have a note."""
    findings = collect_findings(database_parts(SMALL))
    raced = {row["database"] for row in findings.rows}
    left_out = {note.partition(":")[0] for note in findings.notes}
    assert raced | left_out == {database.name for database in DATABASES}
    assert len(findings.rows) == len(raced) * len(FAMILIES)
    assert all(float(row["ratio"]) > 0 for row in findings.rows)
    assert {row["of"] for row in findings.rows} == {20_000}
    assert {target.id for target in findings.targets} >= {"source-sqlite"}
    assert (programs() is None) == ("PostgreSQL" in left_out)


def test_some_databases_may_be_named() -> None:
    """Only the named databases race, in the order of the names; without names all do."""
    assert [database.name for database in databases_named(["redis", "SQLite"])] == [
        "Redis",
        "SQLite",
    ]
    assert databases_named([]) == DATABASES
    findings = collect_findings(database_parts(SMALL, databases_named(["sqlite"])))
    assert {row["database"] for row in findings.rows} == {"SQLite"}


def test_a_database_that_is_not_known() -> None:
    """An unknown name is refused, and the message lists the known ones."""
    assert refusal(lambda: databases_named(["sqlite", "oracle"])) == (
        Reason.WRONG_TYPE,
        "only must be one of sqlite, postgresql, redis, duckdb, parquet, spark, got 'oracle'",
    )
