"""One transaction of PostgreSQL, what is asked in it, and what goes wrong in it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import unreachable
from privtopk.impl.sources.postgresql.address import EXTRA
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

QUOTABLE: Final = ("08", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58")
"""Classes of errors whose words are about connections, rights, names and limits.

All others may quote values: a view that converts texts says which text it could not convert.
"""

MISSING: Final = ("3F000", "42P01")
"""There is no such schema or table."""


@contextmanager
def transaction(engine: "Engine", place: str, opening: str) -> Iterator["Connection"]:
    """Yield a connection that cannot write, inside a transaction, and roll that back."""
    with reading(place), engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        asked(connection, escaped(opening))
        yield connection


def asked(connection: "Connection", statement: str, **values: Any) -> Sequence[Sequence[Any]]:
    """Return the rows that a statement finds, in which :name stands for a value."""
    answer = connection.execute(import_extra("sqlalchemy", EXTRA).text(statement), values)
    return answer.fetchall() if answer.returns_rows else ()


def sent(connection: "Connection", statement: str, *values: Any) -> Sequence[Sequence[Any]]:
    """Return the same straight from the driver, in which $1, $2, ... stand for values.

    SQLAlchemy makes an object of each row: of thousands, that is a quarter of the time and more.
    """
    driver = connection.connection.driver_connection
    with import_extra("psycopg", EXTRA).RawCursor(driver) as cursor:
        cursor.execute(statement.encode(), values or None, binary=True)
        rows: Sequence[Sequence[Any]] = cursor.fetchall() if cursor.description else ()
    return rows


def escaped(statement: str) -> str:
    """Return a statement in which no colon stands for a value, whatever identifiers contain."""
    return statement.replace(":", r"\:")


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn what the driver raises into an error that tells neither a score nor a password."""
    raised = (
        import_extra("sqlalchemy.exc", EXTRA).SQLAlchemyError,
        import_extra("psycopg", EXTRA).Error,
    )
    try:
        yield
    except raised as error:
        cause = getattr(error, "orig", None) or error
        raise refused(place, cause) from cause


def refused(place: str, error: BaseException) -> SelectionError:
    """Return the error of a selection that PostgreSQL broke off."""
    state = getattr(error, "sqlstate", None)
    if state is not None and not state.startswith(QUOTABLE):
        return SelectionError(
            Reason.FAULTY_SOURCE, f"{place} cannot be read: it raised {type(error).__name__}"
        )
    broken = unreachable(place, error)
    return SelectionError(Reason.UNKNOWN_COLUMN, str(broken)) if state in MISSING else broken
