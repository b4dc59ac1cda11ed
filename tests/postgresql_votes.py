"""Tables of votes in PostgreSQL, and helpers to inspect them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import sqlalchemy
from sqlalchemy import event

from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import SlowSourceWarning
from privtopk.impl.sources.postgresql.scores import PostgresqlScores

STRICT = "CREATE TABLE votes (item bigint PRIMARY KEY, score bigint NOT NULL)"
INDEX = "CREATE INDEX ON votes (score, item)"
ITEMS = "CREATE INDEX ON votes (item)"
FIVE = RangeDomain(1, 5)

TERMINATE = (
    "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
"""Ends all connections except the own one, and waits until they have ended."""


def votes(server: PostgresqlServer, *statements: str, **options: Any) -> PostgresqlScores:
    """Return the table of votes after some statements; the default domain is 1 to 5."""
    server.execute(*statements)
    return PostgresqlScores(server.address(), "votes", **{"domain": FIVE, **options})


def votes_with_rows(server: PostgresqlServer, rows: str, **options: Any) -> PostgresqlScores:
    """Return a table of numbers with some rows."""
    return votes(server, STRICT, INDEX, f"INSERT INTO votes VALUES {rows}", **options)


def unconstrained_votes(
    server: PostgresqlServer, rows: str, score: str = "bigint", item: str = "bigint"
) -> PostgresqlScores:
    """Return a table without constraints, and catch the warning that it is slow."""
    server.execute(
        f"CREATE TABLE votes (item {item}, score {score})", f"INSERT INTO votes VALUES {rows}"
    )
    with pytest.warns(SlowSourceWarning):
        return PostgresqlScores(server.address(), "votes", domain=FIVE)


@contextmanager
def caller_engine(server: PostgresqlServer, **options: Any) -> Iterator[sqlalchemy.Engine]:
    """Yield an engine of a caller."""
    address = server.address().replace("postgresql:", "postgresql+psycopg:")
    engine = sqlalchemy.create_engine(address, **options)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def statements_of(engine: sqlalchemy.Engine) -> Iterator[list[str]]:
    """Yield a list to which every statement of an engine is appended."""
    statements: list[str] = []

    def listen(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", listen)
    yield statements
    event.remove(engine, "before_cursor_execute", listen)


def all_entries(source: Source) -> tuple[list[tuple[int, int]], list[int]]:
    """Return all entries of a source, through both doors."""
    page = source.top(0, source.size)
    pairs = list(zip(page.items.tolist(), page.scores.tolist(), strict=True))
    return pairs, source.scores(np.arange(source.size)).tolist()


def terminate_connections(server: PostgresqlServer) -> None:
    """End all connections except this one."""
    server.execute(TERMINATE)
