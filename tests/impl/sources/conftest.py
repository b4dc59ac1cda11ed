"""Servers that the tests of sources need: one a session, skipped where it is not installed."""

import shutil
from collections.abc import Iterator

import pytest

from postgresql_votes import TERMINATE
from privtopk.impl.bench.sources.postgresql_server import (
    PostgresqlServer,
    programs,
    running_postgresql,
)
from privtopk.impl.bench.sources.redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Yield a Redis server."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with RedisServer() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_session() -> Iterator[PostgresqlServer]:
    """Yield a PostgreSQL that all tests of a worker share."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with running_postgresql(found) as server:
        yield server


@pytest.fixture
def postgresql(postgresql_session: PostgresqlServer) -> PostgresqlServer:
    """Return the shared PostgreSQL, with nothing in it and nobody connected."""
    postgresql_session.execute(TERMINATE, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return postgresql_session
