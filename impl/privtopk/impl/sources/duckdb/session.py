"""One connection to DuckDB, and the translation of its errors.

Each selection opens an engine of its own in memory and closes it. So nothing is locked between
selections, and a forked process inherits nothing. The engine neither loads nor downloads
extensions. Opening takes about 20 ms.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import unreachable_error

SETTINGS: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "enable_external_file_cache": False,
    "python_enable_replacements": False,
    "preserve_insertion_order": False,
}
"""No extensions, no secrets, no Python variables as tables, no cached file pages."""

CTRL_C: Final = "Query interrupted"
"""The text of the RuntimeError that DuckDB makes of Ctrl-C."""


class Session:
    """A connection; every error of the engine names the place, a path or a pattern."""

    def __init__(self, connection: Any, place: str) -> None:
        self._connection = connection
        self._place = place

    def run(self, statement: str, parameters: Sequence[Any] = ()) -> None:
        """Execute a statement that returns no rows."""
        with translate_driver_errors(self._place):
            self._connection.execute(statement, parameters)

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a small result."""
        with translate_driver_errors(self._place):
            found: list[tuple[Any, ...]] = self._connection.execute(
                statement, parameters
            ).fetchall()
        return found

    def row(self, statement: str) -> tuple[Any, ...]:
        """Return the only row of a result."""
        (row,) = self.rows(statement)
        return row

    def columns(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the columns of a result as arrays, without one Python object per number."""
        with translate_driver_errors(self._place):
            return list(self._connection.execute(statement, parameters).fetchnumpy().values())

    @contextmanager
    def register_columns(self, table: str, **columns: NDArray[Any]) -> Iterator[None]:
        """Let statements read arrays as the columns of a table while the context lasts."""
        with translate_driver_errors(self._place):
            self._connection.register(table, columns)
        try:
            yield
        finally:
            self._connection.unregister(table)

    @property
    def progress(self) -> float:
        """The finished share of the running statement, between 0 and 1."""
        return float(max(0.0, self._connection.query_progress()) / 100)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._connection.interrupt()


@contextmanager
def open_session(place: str, folder: str = "") -> Iterator[Session]:
    """Yield a connection to a new engine, and close it; large tables may spill to the folder."""
    duckdb = import_extra("duckdb", "duckdb")
    with translate_driver_errors(place):
        connection = duckdb.connect(":memory:", config=SETTINGS | {"temp_directory": folder})
    with closing(connection):
        yield Session(connection, place)


@contextmanager
def translate_driver_errors(place: str) -> Iterator[None]:
    """Turn errors of DuckDB into errors of a selection, without the values that they quote."""
    duckdb = import_extra("duckdb", "duckdb")
    try:
        yield
    except duckdb.DataError as error:
        kind, _, _ = str(error).partition(":")
        raise unreachable_error(place, ValueError(kind)) from None
    except (duckdb.Error, RuntimeError, UnicodeError) as error:
        # Texts that are not Unicode, and interrupted statements, raise the last two.
        if str(error) == CTRL_C:
            raise KeyboardInterrupt from None
        raise unreachable_error(place, error) from error


def quote_text(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def column_of(items: Sequence[Any]) -> NDArray[Any]:
    """Return items, at least one, as an array that DuckDB reads as a column."""
    return np.array(items, dtype=np.int64 if isinstance(items[0], int) else object)
