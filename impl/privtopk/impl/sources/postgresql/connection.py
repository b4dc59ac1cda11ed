"""The way to a PostgreSQL: an engine of the caller, or one that keeps a single connection.

A new connection costs more than an easy selection. So one is kept between selections, and tried
before it is used: a connection that was lost meanwhile is replaced before anything is asked, and
one that is lost later breaks the selection off.
"""

import os
import weakref
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from privtopk.impl.sources.postgresql.address import engine_of, place_of
from privtopk.impl.sources.postgresql.session import transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


class Line:
    """Leads to one database; what it has opened is closed with it."""

    def __init__(self, address: "str | Engine") -> None:
        """Connect to nothing yet."""
        self._engine = engine_of(address)
        self.place = place_of(self._engine)
        self._is_own = self._engine is not address
        self._process = os.getpid()
        if self._is_own:
            weakref.finalize(self, hang_up, self._engine, self._process)

    def transaction(self, opening: str) -> AbstractContextManager["Connection"]:
        """Return a connection that cannot write, inside a transaction."""
        if self._is_own and self._process != os.getpid():
            # Two processes that speak on one connection would read each other's answers.
            hang_up(self._engine, self._process)
            self._process = os.getpid()
        return transaction(self._engine, self.place, opening)

    def close(self) -> None:
        """Close the connection that was kept; an engine of the caller is the caller's."""
        if self._is_own:
            hang_up(self._engine, self._process)


def hang_up(engine: "Engine", process: int) -> None:
    """Let go of what an engine keeps, and close it unless it is that of a parent process."""
    engine.dispose(close=process == os.getpid())
