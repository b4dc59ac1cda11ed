"""Sources on servers as subjects of the test oracle; an environment variable has the address."""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import psycopg
import redis

from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.duckdb.scores import DuckdbScores
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.subjects.sources import StoredHistogram, StoreSubject

ADDRESS = "PRIVTOPK_SERVER"


@contextmanager
def postgresql_histogram(kind: Kind) -> Iterator[StoredHistogram]:
    """Yield a table of its own."""
    address, table = os.environ[ADDRESS], f"votes_{secrets.token_hex(8)}"
    item = "bigint" if kind is int else "text"
    with psycopg.connect(address, autocommit=True) as writer:
        writer.execute(
            f"CREATE TABLE {table} (item {item} PRIMARY KEY, score bigint NOT NULL)".encode()
        )
        writer.execute(f"CREATE INDEX ON {table} (score, item)".encode())

        def write(scores: dict[Any, int]) -> None:
            if any("\0" in name for name in scores if isinstance(name, str)):
                raise NotImplementedError("PostgreSQL has no texts with characters of code 0")
            with writer.transaction(), writer.cursor() as cursor:
                cursor.execute(f"DELETE FROM {table}".encode())
                insert = f"INSERT INTO {table} VALUES (%s, %s)".encode()
                cursor.executemany(insert, list(scores.items()))

        try:
            yield StoredHistogram(
                write, lambda domain: PostgresqlScores(address, table, domain=domain)
            )
        finally:
            writer.execute(f"DROP TABLE {table}".encode())


@contextmanager
def redis_histogram(kind: Kind) -> Iterator[StoredHistogram]:
    """Yield a sorted set of its own."""
    address, key = os.environ[ADDRESS], secrets.token_hex(8)
    with closing(redis.Redis.from_url(address)) as writer:

        def write(scores: dict[Any, int]) -> None:
            if any(score >= 2**53 for score in scores.values()):
                raise NotImplementedError("scores in Redis are below 2^53")
            with writer.pipeline() as together:
                together.delete(key)
                if scores:
                    together.zadd(key, {str(name): score for name, score in scores.items()})
                together.execute()

        try:
            yield StoredHistogram(write, lambda domain: RedisScores(address, key, domain=domain))
        finally:
            writer.delete(key)


@contextmanager
def parquet_histogram(kind: Kind) -> Iterator[StoredHistogram]:
    """Yield a file of its own; every write replaces it."""
    item = "BIGINT" if kind is int else "VARCHAR"
    with TemporaryDirectory() as folder, closing(duckdb.connect()) as writer:
        path = Path(folder) / "votes.parquet"
        writer.execute(f"CREATE TABLE votes (item {item}, score BIGINT)")

        def write(scores: dict[Any, int]) -> None:
            writer.execute("DELETE FROM votes")
            if scores:
                writer.executemany("INSERT INTO votes VALUES (?, ?)", list(scores.items()))
            fresh = path.with_suffix(".new")
            writer.execute(f"COPY votes TO '{fresh}' (FORMAT parquet)")
            fresh.replace(path)

        yield StoredHistogram(write, lambda domain: DuckdbScores(path, domain=domain))


postgresql = StoreSubject(postgresql_histogram)
in_redis = StoreSubject(redis_histogram)
parquet = StoreSubject(parquet_histogram)
