"""The sources on servers and in files conform."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.measurement.servers.redis import RedisServer
from server_subjects import ADDRESS

TESTS = Path(__file__).parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.heavy]


def require_conformance(subject: str, address: str) -> None:
    """Run the oracle on a source, with a few of its examples."""
    program = Path(sys.executable).parent / "privtopk-conformance"
    run = subprocess.run(
        [str(program), "run", f"python:server_subjects:{subject}", "--quiet", "--budget", "0.2"],
        cwd=TESTS,
        env=os.environ | {ADDRESS: address, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "conforms" in run.stdout


def test_postgresql_conforms(postgresql: PostgresqlServer) -> None:
    """A table of PostgreSQL conforms."""
    require_conformance("postgresql", postgresql.address())


def test_redis_conforms(redis_server: RedisServer) -> None:
    """A sorted set of Redis conforms; it refuses reads during writes."""
    require_conformance("in_redis", redis_server.url)


def test_parquet_conforms() -> None:
    """A Parquet file conforms; it refuses reads after it was replaced."""
    require_conformance("parquet", "")
