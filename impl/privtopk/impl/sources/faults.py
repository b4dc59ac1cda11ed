"""Errors and warnings of databases, in words that reveal neither a stored value nor a password.

The exception of a driver may quote both. So it is neither the cause nor the context of our error,
and its message is repeated only where the driver is known to quote neither.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from privtopk.spec.console.escaping import printable
from privtopk.spec.model.errors import Reason, SelectionError


class SlowSourceWarning(UserWarning):
    """A store answers correctly, but each query is a full scan; the text says what would help."""


class EmptySourceWarning(UserWarning):
    """A sorted set has no members: its name may be wrong. The warning depends on the votes."""


def warn_about_scans(
    table: str, missing: list[str], for_checks: list[str], is_stored: bool = True
) -> None:
    """Warn that a table lacks indexes, and list the statements that create them.

    Without those in `missing` every query is a scan; without those in `for_checks` every selection
    needs one. A view cannot have an index of its own.
    """
    if missing or for_checks:
        what = "query of" if missing else "selection from"
        statements = f"run: {'; '.join(dict.fromkeys(missing + for_checks))}"
        remedy = statements if is_stored else "index the tables behind the view"
        message = f"every {what} {table!r} is a full scan; to avoid it, {remedy}"
        # The warning points at the caller of the constructor that calls this function.
        warnings.warn(printable(message), SlowSourceWarning, stacklevel=3)


def unreachable_error(place: str, words: str) -> SelectionError:
    """Return the error of a database that does not answer, or loses the connection."""
    return SelectionError(Reason.UNREACHABLE_SOURCE, f"{place} cannot be read: {words}")


def first_line(error: BaseException) -> str:
    """Return the first line of a message that may be repeated, or the type of the exception."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@contextmanager
def replace_errors(
    kinds: tuple[type[Exception], ...], replacement: Callable[[Exception], SelectionError]
) -> Iterator[None]:
    """Raise our own error in place of exceptions of a driver."""
    try:
        yield
    except SelectionError:
        raise
    except kinds as error:
        raise_alone(replacement(error))


def raise_alone(error: SelectionError) -> NoReturn:
    """Raise an error that has no reference to the exception that is being handled.

    `from None` hides that exception from a traceback, but the error still holds it. It is also
    being handled outside of the `except` clause, if this is called while a context is left.
    """
    try:
        raise error
    finally:
        error.__context__ = None


def unknown_table_error(place: str, table: str) -> SelectionError:
    """Return the error of a table that does not exist."""
    return SelectionError(Reason.UNKNOWN_COLUMN, f"{place} has no table {table!r}")


def unknown_column_error(table: str, column: str, columns: tuple[str, ...]) -> SelectionError:
    """Return the error of a column that does not exist; it lists those that do."""
    return SelectionError(
        Reason.UNKNOWN_COLUMN,
        f"table {table!r} has no column {column!r}; it has {', '.join(map(repr, columns))}",
    )


def undeclared_domain_error() -> SelectionError:
    """Return the error of a call that does not declare the domain."""
    return SelectionError(
        Reason.UNDECLARED_DOMAIN,
        "the domain must be declared: a range or a list of items, or 'public' if everybody may "
        "know which items the table has; an item that is there because one client voted for it "
        "would reveal that client",
    )
