"""Scores in a table of a PostgreSQL server that is started for the race.

Both sides keep one connection, as a service that selects repeatedly does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import psycopg

from privtopk.impl.measurement.databases.stored import SCORES, TABLE, Stored
from privtopk.impl.measurement.servers.postgresql import (
    PostgresqlServer,
    required_programs,
    running_postgresql,
)
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.postgresql.scores import PostgresqlScores

EVERYTHING: Final = f"SELECT string_agg(int8send((item << 32) | score), '') FROM {TABLE}"
"""One string of bytes takes a tenth of the time of a binary copy. An entry as one number takes
three quarters of the time of two numbers; items and scores have 31 bits here."""

SENT: Final = np.dtype([("item", ">u4"), ("score", ">u4")])

CACHE: Final = "128MB"
"""PostgreSQL's default memory for pages; the servers of tests have less."""


@contextmanager
def in_postgresql(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a table with an index, on their own server."""
    domain = RangeDomain(0, len(scores) - 1)
    with running_postgresql(required_programs(), shared_buffers=CACHE) as server:
        fill(server, scores)
        address = server.address()
        with (
            server.connection() as connection,
            PostgresqlScores(address, TABLE, domain=domain) as store,
        ):
            yield Stored(store, partial(fetch_everything, connection))


def fetch_everything(connection: psycopg.Connection[Any]) -> Page:
    """Return all entries."""
    (sent,) = connection.execute(EVERYTHING.encode(), binary=True).fetchone() or (b"",)
    entries = np.frombuffer(sent, SENT)
    return Page(entries["item"].astype(SCORES), entries["score"].astype(SCORES))


def fill(server: PostgresqlServer, scores: Integers) -> None:
    """Create the table."""
    create = f"CREATE TABLE {TABLE} (item bigint PRIMARY KEY, score bigint NOT NULL)"
    with server.connection() as connection:
        connection.execute(create.encode())
        with connection.cursor().copy(f"COPY {TABLE} FROM STDIN") as copy:
            for entry in enumerate(scores.tolist()):
                copy.write_row(entry)
        connection.execute(f"CREATE INDEX ON {TABLE} (score, item)".encode())
        connection.execute(f"VACUUM ANALYZE {TABLE}".encode())
