"""What goes wrong with a database, in words that tell neither a score nor a password."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from privtopk.spec.model.errors import Reason, SelectionError


class SlowSourceWarning(UserWarning):
    """A store answers rightly, but each question costs it a scan; the text says what would help."""


def warn_of_scans(
    table: str, missing: list[str], spared: list[str], is_stored: bool = True
) -> None:
    """Tell who opens a table which statements would spare questions, or selections, a scan."""
    if missing or spared:
        what = "question to" if missing else "selection from"
        statements = f"create: {'; '.join(dict.fromkeys(missing + spared))}"
        cure = statements if is_stored else "index the tables behind the view"
        said = f"every {what} {table!r} costs a scan; {cure}"
        # Up to whoever calls the constructor that calls this.
        warnings.warn(said, SlowSourceWarning, stacklevel=3)


def unreachable(place: str, error: BaseException) -> SelectionError:
    """Return the error of a database that does not answer, or breaks off."""
    said = str(error).strip().splitlines()
    return SelectionError(
        Reason.UNREACHABLE_SOURCE, f"{place} cannot be read: {said[0] if said else repr(error)}"
    )


@contextmanager
def reading(place: str, *kinds: type[Exception]) -> Iterator[None]:
    """Turn what a driver raises into the error of a database that does not answer."""
    try:
        yield
    except kinds as error:
        raise unreachable(place, error) from error


def unknown_table(place: str, table: str) -> SelectionError:
    """Return the error of a table that is not there."""
    return SelectionError(Reason.UNKNOWN_COLUMN, f"{place} has no table {table!r}")


def unknown_column(table: str, column: str, columns: tuple[str, ...]) -> SelectionError:
    """Return the error of a column that is not there."""
    return SelectionError(
        Reason.UNKNOWN_COLUMN,
        f"table {table!r} has no column {column!r}; it has {', '.join(map(repr, columns))}",
    )


def undeclared() -> SelectionError:
    """Return the error of a call that does not say which items there are."""
    return SelectionError(
        Reason.UNDECLARED_DOMAIN,
        "the domain must be declared: a range or a list of items, or 'public' if everybody may "
        "know which items the table has; an item that is there because one client voted for it "
        "would give that client away",
    )
