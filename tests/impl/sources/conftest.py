"""Servers for the tests of sources: one per session; tests are skipped if it is not installed."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from postgresql_votes import TERMINATE
from privtopk.impl.measurement.servers.postgresql import (
    PostgresqlServer,
    programs,
    running_postgresql,
)
from privtopk.impl.measurement.servers.redis import Client, RedisServer


@pytest.fixture
def record_faults(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Return the function that records how many faults a test has injected into a source."""
    return lambda where, count: record_property("faults", (where, count))


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Yield a Redis server."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with RedisServer() as server:
        yield server


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Client]:
    """Yield a client of an empty server."""
    with redis_server.client() as client:
        client.flushall()
        client.config_resetstat()
        yield client


@pytest.fixture
def votes(client: Client) -> Client:
    """Return a client of a server with two sets in which fig leads."""
    client.zadd("votes", {"fig": 10**6, "pear": 5})
    client.zadd("others", {"pear": 10**6})
    return client


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
    """Return the shared PostgreSQL, empty and without connections."""
    postgresql_session.execute(TERMINATE, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return postgresql_session
