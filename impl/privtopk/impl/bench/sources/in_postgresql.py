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

EVERYTHING: Final = f"""
SELECT string_agg(int8send(item), ''), string_agg(int8send(score), '') FROM {TABLE}
"""
"""Two strings of bytes come in a tenth of the time of a binary copy."""

SENT: Final = np.dtype(">i8")


@contextmanager
def in_postgresql(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a table with an index, on a server of their own."""
    with running_postgresql(required_programs()) as server:
        fill(server, scores)

        def fetch() -> Page:
            with server.connection() as connection:
                columns = connection.execute(EVERYTHING.encode(), binary=True).fetchone() or ()
            return Page(*(np.frombuffer(column, SENT).astype(SCORES) for column in columns))

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
