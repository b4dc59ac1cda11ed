"""Scores in a table of SQLite, the embedded default: nothing to install and nothing to start.

A selection reads inside one read transaction, which shows one state of the database whatever
others write. Lists of items go as one JSON parameter: how many variables a statement may have
differs from build to build.
"""

import json
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from privtopk.impl.domain import Domain, Kind
from privtopk.impl.source import Source
from privtopk.impl.sources.faults import SlowSourceWarning, unknown_table, unreachable
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import (
    Columns,
    Declared,
    Facts,
    Statements,
    flaws,
    quoted,
    require_columns,
    resolved,
)
from privtopk.impl.sources.view import View
from privtopk.spec.errors import Reason, SelectionError

TRIP_PRICE: Final = 20.0
"""So many rows come in the time of one more statement."""

IS_FRACTIONAL: Final = "typeof({score}) <> 'integer' AND {score} IS NOT CAST({score} AS INTEGER)"

PATIENCE: Final = 10.0
"""Seconds to wait for a writer that holds the file."""


class SqliteScores:
    """A table with a column of items and a column of scores."""

    def __init__(
        self,
        path: Path | str,
        table: str,
        *,
        item: str = "item",
        score: str = "score",
        domain: Declared | None = None,
    ) -> None:
        """Look at the catalogue; rows are read by selections only, but for a public domain."""
        self._path = Path(path)
        columns = Columns(table, item, score)
        with self._transaction() as connection:
            self._facts = facts(connection, str(self._path), columns)
            require_columns(columns, self._facts)
            self._statements = Statements(*map(quoted, (table, item, score)))
            self.domain = declared(connection, self._statements, domain)
            missing = missing_indexes(connection, self._statements)
        self._trip_price = self.size if missing else TRIP_PRICE
        if missing:
            warnings.warn(
                f"every question to table {table!r} costs a scan; create: {'; '.join(missing)}",
                SlowSourceWarning,
                stacklevel=2,
            )

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores inside one read transaction, after a look for rows that are wrong."""
        with self._transaction() as connection:
            self._require_sound(connection)
            yield View(self.domain, SqliteQuery(connection, self._statements), self._trip_price)

    def _require_sound(self, connection: sqlite3.Connection) -> None:
        is_fractional = IS_FRACTIONAL.format(score=self._statements.score)
        wrong = flaws(self._statements, self._facts, self.domain, is_fractional)
        statement = self._statements.exist([condition for condition, _ in wrong])
        for is_met, (_, error) in zip(connection.execute(statement).fetchone(), wrong, strict=True):
            if is_met:
                raise error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that cannot write, inside a transaction, and close it."""
        try:
            address = f"file:{quote(str(self._path.absolute()))}?mode=ro"
            connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)
            with closing(connection):
                connection.execute("BEGIN")
                yield connection
        except sqlite3.Error as error:
            raise unreachable(str(self._path), error) from error


class SqliteQuery:
    """The rows of one read transaction."""

    def __init__(self, connection: sqlite3.Connection, statements: Statements) -> None:
        self._connection = connection
        self._statements = statements
        self._cursor: sqlite3.Cursor | None = None

    def rewind(self) -> None:
        """Go back to the first row."""
        self._cursor = None

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score."""
        if self._cursor is None:
            self._cursor = self._connection.execute(self._statements.best)
        return by_column(self._cursor.fetchmany(count))

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items."""
        return by_column(
            self._connection.execute(rows_of(self._statements), (json.dumps(items),)).fetchall()
        )

    def all(self) -> Rows:
        """Return all rows."""
        return by_column(self._connection.execute(self._statements.all).fetchall())


def by_column(rows: list[tuple[Any, Any]]) -> Rows:
    """Return pairs as two columns."""
    items, scores = zip(*rows, strict=True) if rows else ((), ())
    return Rows(items, scores)


def rows_of(statements: Statements) -> str:
    """Return the statement that finds the rows of the items of a JSON list."""
    return f"{statements.all} WHERE {statements.item} IN (SELECT value FROM json_each(?))"


def facts(connection: sqlite3.Connection, place: str, columns: Columns) -> Facts:
    """Return what the catalogue says of a table or view."""
    described = connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)', (columns.table,)
    ).fetchall()
    if not described:
        raise unknown_table(place, columns.table)
    names = tuple(name for name, *_ in described)
    types = {name: declared.upper() for name, declared, *_ in described}
    required = {name for name, _, is_required, _ in described if is_required}
    keys = [name for name, *_, key in described if key]
    is_strict = bool(
        connection.execute(
            "SELECT 1 FROM pragma_table_list(?) WHERE strict", (columns.table,)
        ).fetchone()
    )
    is_row_number = keys == [columns.item] and types.get(columns.item) == "INTEGER"
    return Facts(
        columns=names,
        has_whole_scores=is_strict and types.get(columns.score) in ("INT", "INTEGER"),
        has_no_nulls=columns.score in required and (is_row_number or columns.item in required),
        has_one_row_an_item=is_row_number or has_unique_index(connection, columns),
    )


def has_unique_index(connection: sqlite3.Connection, columns: Columns) -> bool:
    """Return whether an index over all rows admits each item once."""
    found = connection.execute(
        """
        SELECT 1 FROM pragma_index_list(?) AS list
        WHERE list."unique" AND NOT list.partial AND (
            SELECT group_concat(name, char(0)) FROM pragma_index_info(list.name)
        ) = ?
        """,
        (columns.table, columns.item),
    )
    return found.fetchone() is not None


def declared(
    connection: sqlite3.Connection, statements: Statements, domain: Declared | None
) -> Domain:
    """Return the domain as the table writes items."""
    ends = connection.execute(statements.ends).fetchone()

    def asked(statement: str) -> list[Any]:
        return [value for (value,) in connection.execute(statement)]

    return resolved(domain, kind_of(ends), ends, asked, statements)


def kind_of(ends: tuple[Any, Any]) -> Kind | None:
    """Return whether items are numbers or texts: SQLite sorts the former before the latter."""
    kinds = {type(item) for item in ends}
    if kinds == {type(None)}:
        return None
    if kinds in ({int}, {str}):
        return int if kinds == {int} else str
    raise SelectionError(
        Reason.WRONG_TYPE, "the items of a table must be all texts or all whole numbers"
    )


def missing_indexes(connection: sqlite3.Connection, statements: Statements) -> list[str]:
    """Return the statements that would spare a sort or a scan."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if any("TEMP B-TREE" in step for step in plan_of(connection, statements.best)):
        missing.append(f"CREATE INDEX by_score ON {table} ({score}, {item})")
    if any(
        step.startswith("SCAN") and "json_each" not in step
        for step in plan_of(connection, rows_of(statements))
    ):
        missing.append(f"CREATE UNIQUE INDEX by_item ON {table} ({item})")
    return missing


def plan_of(connection: sqlite3.Connection, statement: str) -> list[str]:
    """Return the steps that SQLite would take."""
    arguments = ("[]",) * statement.count("?")
    return [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", arguments)]
