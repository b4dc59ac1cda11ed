"""One connection to DuckDB, and what it says when something goes wrong.

Each selection opens an engine of its own, in memory, and lets it go: nothing is locked in
between, and nothing is inherited by a process that was forked. It loads no extension and asks
no network for one. Opening takes about 20 ms.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import unreachable

SETTINGS: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "enable_external_file_cache": False,
    "python_enable_replacements": False,
    "preserve_insertion_order": False,
}
"""No extension, no secret, no variable of a caller taken for a table, no old page of a file."""


class Session:
    """A connection; every error of the engine names the file."""

    def __init__(self, connection: Any, place: str) -> None:
        self._connection = connection
        self._place = place

    def run(self, statement: str, parameters: Sequence[Any] = ()) -> None:
        """Execute a statement for its effect."""
        with told(self._place):
            self._connection.execute(statement, parameters)

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the few rows of an answer."""
        with told(self._place):
            found: list[tuple[Any, ...]] = self._connection.execute(
                statement, parameters
            ).fetchall()
        return found

    def columns(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the columns of an answer as arrays, without an object for each number."""
        with told(self._place):
            return list(self._connection.execute(statement, parameters).fetchnumpy().values())

    @contextmanager
    def shown(self, table: str, **columns: NDArray[Any]) -> Iterator[None]:
        """Let statements read arrays as the columns of a table."""
        with told(self._place):
            self._connection.register(table, columns)
        try:
            yield
        finally:
            self._connection.unregister(table)

    @property
    def progress(self) -> float:
        """The share of the running statement that is done."""
        return float(max(0.0, self._connection.query_progress()) / 100)

    def interrupt(self) -> None:
        """Break the running statement off."""
        self._connection.interrupt()


@contextmanager
def session(place: str, folder: str = "") -> Iterator[Session]:
    """Yield a connection to an engine of its own; it writes large tables to a folder, if any."""
    duckdb = import_extra("duckdb", "duckdb")
    with told(place):
        connection = duckdb.connect(":memory:", config=SETTINGS | {"temp_directory": folder})
    with closing(connection):
        yield Session(connection, place)


@contextmanager
def told(place: str) -> Iterator[None]:
    """Say what DuckDB says, but for the values that it found wrong."""
    duckdb = import_extra("duckdb", "duckdb")
    try:
        yield
    except duckdb.DataError as error:
        kind, _, _ = str(error).partition(":")
        raise unreachable(place, ValueError(kind)) from None
    except (duckdb.Error, RuntimeError, UnicodeError) as error:
        # The latter two come from texts that are no Unicode, and from an interrupted statement.
        raise unreachable(place, error) from error


def literal(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def column_of(items: Sequence[Any]) -> NDArray[Any]:
    """Return whole numbers or texts, at least one, as an array that DuckDB reads as a column."""
    return np.array(items, dtype=np.int64 if isinstance(items[0], int) else object)
