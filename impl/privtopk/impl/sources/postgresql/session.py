"""Transactions and statements of PostgreSQL, and the translation of their errors."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import first_line, replace_errors
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


def translate_driver_errors(place: str) -> AbstractContextManager[None]:
    """Return a context that turns exceptions of the driver into errors of a selection."""
    raised = (
        import_extra("sqlalchemy.exc", EXTRA).SQLAlchemyError,
        import_extra("psycopg", EXTRA).Error,
        UnicodeError,
    )
    return replace_errors(
        raised, lambda error: driver_error(place, getattr(error, "orig", None) or error)
    )


def driver_error(place: str, error: BaseException) -> SelectionError:
    """Return the error of a selection that PostgreSQL or its driver has aborted."""
    state = getattr(error, "sqlstate", None)
    if is_quotable(error):
        reason = Reason.UNKNOWN_COLUMN if state in MISSING else Reason.UNREACHABLE_SOURCE
        words = first_line(error)
    else:
        reason = Reason.UNREACHABLE_SOURCE if state is None else Reason.FAULTY_SOURCE
        words = f"it raised {type(error).__name__}"
    return SelectionError(reason, f"{place} cannot be read: {words}")


def is_quotable(error: Any) -> bool:
    """Return whether the first line of a message has neither a stored value nor a password.

    An error with a context comes from a function of the database, which may say anything. Without
    a code it is one of the driver, and only those about connections and options are quoted.
    """
    state = getattr(error, "sqlstate", None)
    if state is not None:
        return bool(state.startswith(QUOTABLE) and error.diag.context is None)
    psycopg, pool = import_extra("psycopg", EXTRA), import_extra("sqlalchemy.exc", EXTRA)
    harmless = psycopg.OperationalError, psycopg.ProgrammingError, pool.TimeoutError
    return isinstance(error, harmless)
