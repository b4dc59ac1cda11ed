"""Facts about what is published, for every database: rows and domain are stored best first."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from duckdb_samples import csv_file, database, parquet_file
from impl.sources.test_sqlite import database as sqlite_database
from privtopk.impl.engines.choice import Engine
from privtopk.impl.sources.duckdb.scores import DuckdbScores
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.sources.spark.scores import SparkScores
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.impl.sources.votes import DuckdbVotes
from privtopk.impl.top_k import top_k
from privtopk.spec.accounting.assumptions import DomainAssumption
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.distributions import NoiseKind
from spark_session import SPARK, frame, spark_session
from support import refusal

BEST_FIRST = {"plum": 4, "fig": 3, "pear": 2, "kiwi": 1}
ROWS = ", ".join(f"('{item}', {score})" for item, score in BEST_FIRST.items())
BY_NAME = ("fig", "kiwi", "pear", "plum")

Opener: TypeAlias = Callable[[pytest.FixtureRequest, Path, Any], Any]
"""Stores the rows, and returns the source with a domain."""


def in_sqlite(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return a table of SQLite."""
    table = "CREATE TABLE votes (item TEXT PRIMARY KEY NOT NULL, score INTEGER NOT NULL) STRICT"
    index = "CREATE INDEX by_score ON votes (score, item)"
    path = sqlite_database(folder, table, index, f"INSERT INTO votes VALUES {ROWS}")
    return SqliteScores(path, "votes", domain=domain)


def in_duckdb(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return a table of DuckDB."""
    path = database(folder, f"CREATE TABLE votes AS FROM (VALUES {ROWS}) AS rows (item, score)")
    return DuckdbScores(path, "votes", domain=domain)


def in_csv(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return a CSV file."""
    lines = (f"{item},{score}" for item, score in BEST_FIRST.items())
    return DuckdbScores(csv_file(folder / "votes.csv", "item,score", *lines), domain=domain)


def in_parquet(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return a Parquet file."""
    rows = f"FROM (VALUES {ROWS}) AS rows (item, score)"
    return DuckdbScores(parquet_file(folder / "votes.parquet", rows), domain=domain)


def in_raw_votes(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return raw votes, best first."""
    lines = (f"c{client},{item}" for item, score in BEST_FIRST.items() for client in range(score))
    return DuckdbVotes(csv_file(folder / "votes.csv", "client,item", *lines), domain=domain)


def in_postgresql(request: pytest.FixtureRequest, _: Path, domain: Any) -> Any:
    """Return a table of PostgreSQL."""
    server = request.getfixturevalue("postgresql")
    table = "CREATE TABLE votes (item text PRIMARY KEY, score bigint NOT NULL)"
    index = "CREATE INDEX ON votes (score, item)"
    server.execute(table, index, f"INSERT INTO votes VALUES {ROWS}")
    return PostgresqlScores(server.address(), "votes", domain=domain)


def in_redis(request: pytest.FixtureRequest, _: Path, domain: Any) -> Any:
    """Return a sorted set of Redis."""
    request.getfixturevalue("client").zadd("votes", BEST_FIRST)
    return RedisScores(request.getfixturevalue("redis_server").url, "votes", domain=domain)


def in_spark(_: pytest.FixtureRequest, folder: Path, domain: Any) -> Any:
    """Return a frame of Spark."""
    rows = frame(spark_session(folder), "item string, score int", *BEST_FIRST.items())
    return SparkScores(rows, domain=domain)


databases = pytest.mark.parametrize(
    "opened",
    [
        in_sqlite,
        in_duckdb,
        in_csv,
        in_parquet,
        in_raw_votes,
        in_postgresql,
        in_redis,
        pytest.param(in_spark, marks=SPARK),
    ],
)


@databases
@pytest.mark.parametrize("domain", ["public", list(BEST_FIRST)], ids=["public", "declared"])
def test_a_set_is_listed_by_name(
    request: pytest.FixtureRequest, tmp_path: Path, opened: Opener, domain: Any
) -> None:
    """Neither the order of the rows nor that of the domain, both by score, is published."""
    scores = opened(request, tmp_path, domain)
    engines = [one for one in Engine if opened is not in_spark or one is Engine.BATCHED]
    for engine in engines:
        for noise in NoiseKind:
            chosen = top_k(scores, 4, epsilon=1, noise=noise, engine=engine, ranked=False)
            assert chosen.items == BY_NAME, (engine, noise)


@databases
@pytest.mark.parametrize(
    ("domain", "assumption"),
    [
        ("public", DomainAssumption.PUBLIC),
        (list(BEST_FIRST), DomainAssumption.DECLARED),
        (set(BEST_FIRST), DomainAssumption.DECLARED),
    ],
    ids=["public", "list", "set"],
)
def test_the_guarantee_says_where_the_items_come_from(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    opened: Opener,
    domain: Any,
    assumption: DomainAssumption,
) -> None:
    """A domain is the word "public" or any collection, as in memory, and the guarantee says so."""
    scores = opened(request, tmp_path, domain)
    assert top_k(scores, 1, epsilon=1).guarantee.domain is assumption


@databases
def test_the_number_of_public_items_is_not_told(
    request: pytest.FixtureRequest, tmp_path: Path, opened: Opener
) -> None:
    """The refusal of k does not say how many items have rows."""
    scores = opened(request, tmp_path, "public")
    assert refusal(lambda: top_k(scores, 5, epsilon=1)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and the number of items, got 5",
    )


@databases
def test_a_database_has_one_domain(
    request: pytest.FixtureRequest, tmp_path: Path, opened: Opener
) -> None:
    """A second domain in the call is refused."""
    scores = opened(request, tmp_path, list(BEST_FIRST))
    assert refusal(lambda: top_k(scores, 1, epsilon=1, domain="public")) == (
        Reason.WRONG_TYPE,
        "a source has its own domain and columns: leave out domain, item and score",
    )


def test_consecutive_numbers_are_assumed_public_too(tmp_path: Path) -> None:
    """A public domain that happens to be a range is still one that comes from the votes."""
    table = "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL) STRICT"
    index = "CREATE INDEX by_score ON votes (score, item)"
    path = sqlite_database(tmp_path, table, index, "INSERT INTO votes VALUES (3, 9), (4, 5)")
    scores = SqliteScores(path, "votes", domain="public")
    assert repr(scores.domain) == "3..4"
    assert top_k(scores, 1, epsilon=1).guarantee.domain is DomainAssumption.PUBLIC
