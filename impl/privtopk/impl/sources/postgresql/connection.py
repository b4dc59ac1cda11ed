"""Connections to PostgreSQL: an engine of the caller, or one that keeps a single connection.

A new connection costs more than an easy selection. So one is kept between selections and tested
before it is used again. A connection that was lost in between is replaced before the first
statement; one that is lost later aborts the selection.
"""

import os
import weakref
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from privtopk.impl.sources.postgresql.address import engine_of, place_of
from privtopk.impl.sources.postgresql.session import transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


class PostgresqlDatabase:
    """Opens transactions on one database, and closes the connections that it has opened."""

    def __init__(self, address: "str | Engine") -> None:
        """Take the address; nothing is connected yet."""
        self._engine = engine_of(address)
        self.place = place_of(self._engine)
        self._is_own = self._engine is not address
        self._process = os.getpid()
        if self._is_own:
            weakref.finalize(self, dispose_engine, self._engine, self._process)

    def transaction(self, opening: str) -> AbstractContextManager["Connection"]:
        """Return a read-only connection inside a transaction."""
        if self._is_own and self._process != os.getpid():
            # Two processes on one connection would read each other's answers.
            dispose_engine(self._engine, self._process)
            self._process = os.getpid()
        return transaction(self._engine, self.place, opening)

    def close(self) -> None:
        """Close the kept connection; an engine of the caller stays open."""
        if self._is_own:
            dispose_engine(self._engine, self._process)


def dispose_engine(engine: "Engine", process: int) -> None:
    """Drop the engine's connections; those of a parent process are not closed."""
    engine.dispose(close=process == os.getpid())
