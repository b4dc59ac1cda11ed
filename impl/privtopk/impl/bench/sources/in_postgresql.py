"""Scores in a table of a PostgreSQL that is started for the purpose."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.bench.sources.postgresql_server import (
    PostgresqlServer,
    required_programs,
    running_postgresql,
)
from privtopk.impl.bench.sources.stored import SCORES, TABLE, Stored
from privtopk.impl.domain import RangeDomain
from privtopk.impl.randomness import Integers
from privtopk.impl.source import Page
from privtopk.impl.sources.postgresql_scores import PostgresqlScores

ROW: Final = np.dtype(
    [("columns", ">i2"), ("width", ">i4"), ("item", ">i8"), ("gap", ">i4"), ("score", ">i8")]
)
HEADER: Final = 19
TRAILER: Final = 2
"""Bytes before and after the rows of a binary copy."""


@contextmanager
def in_postgresql(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a table with an index, on a server of their own."""
    with running_postgresql(required_programs()) as server:
        fill(server, scores)

        def fetch() -> Page:
            command = f"COPY (SELECT item, score FROM {TABLE}) TO STDOUT (FORMAT BINARY)"
            with server.connection() as connection, connection.cursor().copy(command) as copy:
                sent = b"".join(copy)
            rows = np.frombuffer(sent, dtype=ROW, offset=HEADER, count=len(scores))
            return Page(rows["item"].astype(SCORES), rows["score"].astype(SCORES))

        domain = RangeDomain(0, len(scores) - 1)
        yield Stored(PostgresqlScores(server.address(), TABLE, domain=domain), fetch)


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
