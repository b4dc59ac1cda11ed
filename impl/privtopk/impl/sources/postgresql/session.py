"""Transactions and statements of PostgreSQL, and the translation of their errors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import unreachable_error
from privtopk.impl.sources.postgresql.address import EXTRA
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

QUOTABLE: Final = ("08", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58")
"""Classes of errors whose messages are about connections, rights, names and limits.

All others may quote values: if a view converts texts, the error quotes the text that failed.
"""

MISSING: Final = ("3F000", "42P01")
"""The codes of a missing schema and of a missing table."""


@contextmanager
def transaction(engine: "Engine", place: str, opening: str) -> Iterator["Connection"]:
    """Yield a read-only connection inside a transaction, and roll the transaction back."""
    with translate_driver_errors(place), engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        fetch_rows(connection, escape_colons(opening))
        yield connection


def fetch_rows(connection: "Connection", statement: str, **values: Any) -> Sequence[Sequence[Any]]:
    """Return the rows of a statement, in which :name is a placeholder."""
    answer = connection.execute(import_extra("sqlalchemy", EXTRA).text(statement), values)
    return answer.fetchall() if answer.returns_rows else ()


def fetch_by_driver(
    connection: "Connection", statement: str, *values: Any
) -> Sequence[Sequence[Any]]:
    """Return the rows of a statement through the driver; its placeholders are $1, $2, ...

    SQLAlchemy creates one object per row. For thousands of rows that is at least a quarter of
    the time.
    """
    driver = connection.connection.driver_connection
    with import_extra("psycopg", EXTRA).RawCursor(driver) as cursor:
        cursor.execute(statement.encode(), values or None, binary=True)
        rows: Sequence[Sequence[Any]] = cursor.fetchall() if cursor.description else ()
    return rows


def escape_colons(statement: str) -> str:
    """Return a statement in which no colon begins a placeholder, whatever identifiers contain."""
    return statement.replace(":", r"\:")


@contextmanager
def translate_driver_errors(place: str) -> Iterator[None]:
    """Turn exceptions of the driver into errors that reveal neither a score nor a password."""
    raised = (
        import_extra("sqlalchemy.exc", EXTRA).SQLAlchemyError,
        import_extra("psycopg", EXTRA).Error,
    )
    try:
        yield
    except raised as error:
        cause = getattr(error, "orig", None) or error
        raise driver_error(place, cause) from cause


def driver_error(place: str, error: BaseException) -> SelectionError:
    """Return the error of a selection that PostgreSQL has aborted."""
    state = getattr(error, "sqlstate", None)
    if state is not None and not state.startswith(QUOTABLE):
        return SelectionError(
            Reason.FAULTY_SOURCE, f"{place} cannot be read: it raised {type(error).__name__}"
        )
    unreachable = unreachable_error(place, error)
    if state in MISSING:
        return SelectionError(Reason.UNKNOWN_COLUMN, str(unreachable))
    return unreachable
