"""Servers that tests of several modules share; each starts once a session, and a worker's own."""

import shutil
from collections.abc import Iterator

import pytest

from redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Yield a Redis server, or skip where there is none to start."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with RedisServer() as server:
        yield server
