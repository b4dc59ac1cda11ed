"""The three databases of the soak: how a state is written, and how scores are read."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg
import redis

from privtopk.impl.measurement.soak.states import M, scores_of
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Store
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.sources.sqlite import SqliteScores

DOMAIN = RangeDomain(1, M)
LOST = (sqlite3.Error, psycopg.Error, redis.RedisError, OSError)
"""What a writer meets when its database is killed: it tries the next state."""


class SoakStore(Protocol):
    """One database; it is sent to other processes."""

    @property
    def name(self) -> str:
        """The name in the table of counts."""

    def create(self) -> None:
        """Create the table, in state 0."""

    def write(self, state: int) -> None:
        """Write a state in one transaction."""

    def scores(self) -> Store:
        """Return what selections read."""


@dataclass(frozen=True)
class SqliteStore:
    """A file with a write-ahead log."""

    path: Path
    name: str = "SQLite"

    def create(self) -> None:
        """Create the table, in state 0."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(
                "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL) STRICT"
            )
            connection.execute("CREATE INDEX by_score ON votes (score, item)")
            connection.executemany("INSERT INTO votes VALUES (?, ?)", scores_of(0).items())

    def write(self, state: int) -> None:
        """Write a state, row by row, in one transaction."""
        with closing(sqlite3.connect(self.path, timeout=10)) as connection, connection:
            rows = [(score, item) for item, score in scores_of(state).items()]
            connection.executemany("UPDATE votes SET score = ? WHERE item = ?", rows)

    def scores(self) -> SqliteScores:
        """Return what selections read."""
        return SqliteScores(self.path, "votes", domain=DOMAIN)


@dataclass(frozen=True)
class PostgresqlStore:
    """A table of a server."""

    address: str
    name: str = "PostgreSQL"

    def create(self) -> None:
        """Create the table, in state 0."""
        with psycopg.connect(self.address) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TABLE votes (item bigint PRIMARY KEY, score bigint NOT NULL)")
            cursor.execute("CREATE INDEX ON votes (score, item)")
            cursor.executemany("INSERT INTO votes VALUES (%s, %s)", list(scores_of(0).items()))

    def write(self, state: int) -> None:
        """Write a state, row by row, in one transaction."""
        with psycopg.connect(self.address) as connection:
            for item, score in scores_of(state).items():
                connection.execute("UPDATE votes SET score = %s WHERE item = %s", (score, item))

    def scores(self) -> PostgresqlScores:
        """Return what selections read."""
        return PostgresqlScores(self.address, "votes", domain=DOMAIN)


@dataclass(frozen=True)
class RedisStore:
    """A sorted set."""

    address: str
    name: str = "Redis"

    def create(self) -> None:
        """Create the set, in state 0."""
        self.write(0)

    def write(self, state: int) -> None:
        """Write a state by one transaction."""
        with closing(redis.Redis.from_url(self.address)) as client, client.pipeline() as together:
            for item, score in scores_of(state).items():
                together.zadd("votes", {str(item): score})
            together.execute()

    def scores(self) -> RedisScores:
        """Return what selections read."""
        return RedisScores(self.address, "votes", domain=DOMAIN)
