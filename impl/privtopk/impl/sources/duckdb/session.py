"""One connection to DuckDB, and the translation of its errors.

Each selection opens an engine of its own in memory and closes it. So nothing is locked between
selections, and a forked process inherits nothing. The engine neither loads nor downloads
extensions. Once the given database or files are known, it can open no others: a view of a database
from somebody else could read any file of this machine. Opening takes about 20 ms.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import first_line, replace_errors, unreachable_error

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


PROGRESS: Final = "SET enable_progress_bar = true; SET enable_progress_bar_print = false"
"""The progress of a statement is measured, and not printed."""

LOCKS: Final = "SET enable_external_access = false; SET lock_configuration = true"
"""No other files, databases or extensions from here on; no statement can undo this."""

QUOTABLE: Final = (
    "Binder Error",
    "Catalog Error",
    "INTERRUPT Error",
    "IO Error",
    "Out of Memory Error",
    "Permission Error",
    "Resource In Use Error",
)
"""Errors whose messages are about files, names and rights; all others may quote values."""

HARMLESS: Final = re.compile(
    "CSV Error on Line: [0-9]+|too small to be a Parquet file|No magic bytes found at end of file"
)
"""What is repeated of other messages."""


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

    def seal(self, paths: Sequence[str] = ()) -> None:
        """Let statements read the open databases and these files only, until the end."""
        self.run(f"SET allowed_paths = [{', '.join(map(quote_text, paths))}]; {LOCKS}")

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
        session = Session(connection, place)
        session.run(PROGRESS)
        yield session


@contextmanager
def translate_driver_errors(place: str) -> Iterator[None]:
    """Turn errors of DuckDB into errors of a selection, and its interruption into Ctrl-C.

    Interrupted statements, and texts that are not Unicode, raise errors of Python.
    """
    raised = (import_extra("duckdb", "duckdb").Error, RuntimeError, UnicodeError)
    with replace_errors(raised, lambda error: unreachable_error(place, words_of(error))):
        try:
            yield
        except RuntimeError as error:
            if str(error) == CTRL_C:
                raise KeyboardInterrupt from None
            raise


def words_of(error: Exception) -> str:
    """Return DuckDB's message, or only the kind of an error that may quote a value."""
    line = first_line(error)
    kind, _, rest = line.partition(": ")
    if not isinstance(error, import_extra("duckdb", "duckdb").Error):
        return type(error).__name__
    if kind in QUOTABLE:
        return line
    found = HARMLESS.search(rest)
    return f"{kind}: {found[0]}" if found else kind


def quote_text(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def column_of(items: Sequence[Any]) -> NDArray[Any]:
    """Return items, at least one, as an array that DuckDB reads as a column."""
    return np.array(items, dtype=np.int64 if isinstance(items[0], int) else object)
