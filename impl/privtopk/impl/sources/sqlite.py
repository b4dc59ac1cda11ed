"""Scores in a table of SQLite, the embedded default: nothing to install and nothing to start.

A selection reads inside one read transaction, which shows one state of the database whatever
others write. Lists of items go as one JSON parameter: how many variables a statement may have
differs from build to build.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import reading, unknown_table, warn_of_scans
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
from privtopk.spec.model.errors import Reason, SelectionError

TRIP_PRICE: Final = 20.0
"""So many rows come in the time of one more statement."""

PATIENCE: Final = 10.0
"""Seconds to wait for a writer that holds the file."""

CODE_ZERO: Final = json.dumps("\0").strip('"')
"""Where a JSON text has this, SQLite ends the text that it takes out."""


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
        self._columns = Columns(table, item, score)
        self._statements = Statements(*map(quoted, (table, item, score)))
        with self._transaction() as connection:
            known = facts(connection, str(self._path), self._columns)
            self.domain = declared(connection, self._statements, domain)
            missing = missing_indexes(connection, self._statements)
            spared = spared_scans(connection, self._statements, self._columns, known)
            is_view = kind_of_table(connection, table) == "view"
        self._trip_price = self.size if missing else TRIP_PRICE
        warn_of_scans(table, missing, spared, is_stored=not is_view)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores inside one read transaction, after a look for rows that are wrong."""
        with self._transaction() as connection:
            self._require_sound(connection)
            query = SqliteQuery(connection, self._statements, str(self._path))
            yield View(self.domain, query, self._trip_price)

    def _require_sound(self, connection: sqlite3.Connection) -> None:
        """Refuse rows that are wrong; what the catalogue rules out at this moment is not sought."""
        known = facts(connection, str(self._path), self._columns)
        wrong = flaws(self._statements, known, self.domain, is_fractional(self._statements.score))
        statement = self._statements.exist([condition for condition, _ in wrong])
        for is_met, (_, error) in zip(connection.execute(statement).fetchone(), wrong, strict=True):
            if is_met:
                raise error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that cannot write, inside a transaction, and close it."""
        with reading(str(self._path), sqlite3.Error):
            address = f"file:{quote(str(self._path.absolute()))}?mode=ro"
            connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)
            with closing(connection):
                connection.execute("BEGIN")
                yield connection


class SqliteQuery:
    """The rows of one read transaction."""

    def __init__(self, connection: sqlite3.Connection, statements: Statements, place: str) -> None:
        self._connection = connection
        self._statements = statements
        self._place = place
        self._cursor: sqlite3.Cursor | None = None

    def rewind(self) -> None:
        """Go back to the first row."""
        self._cursor = None

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score."""
        with reading(self._place, sqlite3.Error):
            if self._cursor is None:
                self._cursor = self._connection.execute(self._statements.best)
            return by_column(self._cursor.fetchmany(count))

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items."""
        asked = json.dumps(items)
        if CODE_ZERO in asked:
            return self._one_by_one(items)
        return self._lists(rows_of(self._statements), asked)

    def _one_by_one(self, items: list[Any]) -> Rows:
        """Return the rows of some items, each asked for as it is."""
        statement = f"{self._statements.all} WHERE {self._statements.item} = ?"
        with reading(self._place, sqlite3.Error):
            found = (self._connection.execute(statement, (item,)).fetchall() for item in items)
            return by_column([row for rows in found for row in rows])

    def all(self) -> Rows:
        """Return all rows."""
        return self._lists(self._statements.all)

    def _lists(self, statement: str, *arguments: str) -> Rows:
        """Return what a statement finds as two lists: many rows take less time so than as pairs."""
        with reading(self._place, sqlite3.Error):
            items, scores = self._connection.execute(
                f"WITH found(item, score) AS ({statement}) "
                "SELECT json_group_array(item), json_group_array(score) FROM found",
                arguments,
            ).fetchone()
        return Rows(json.loads(items), json.loads(scores))


def by_column(rows: list[tuple[Any, Any]]) -> Rows:
    """Return pairs as two columns."""
    items, scores = zip(*rows, strict=True) if rows else ((), ())
    return Rows(items, scores)


def rows_of(statements: Statements) -> str:
    """Return the statement that finds the rows of the items of a JSON list."""
    return f"{statements.all} WHERE {statements.item} IN (SELECT value FROM json_each(?))"


def facts(connection: sqlite3.Connection, place: str, columns: Columns) -> Facts:
    """Return what the catalogue says of a table or view, or refuse columns that it lacks."""
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
    known = Facts(
        columns=names,
        has_whole_scores=is_strict and types.get(columns.score) in ("INT", "INTEGER"),
        has_no_nulls=columns.score in required and (is_row_number or columns.item in required),
        has_one_row_an_item=is_row_number or has_unique_index(connection, columns),
    )
    require_columns(columns, known)
    return known


def kind_of_table(connection: sqlite3.Connection, table: str) -> str:
    """Return whether it is a table, a view, or something else."""
    (kind,) = connection.execute("SELECT type FROM pragma_table_list(?)", (table,)).fetchone()
    return str(kind)


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
    """Return the statements that would spare both doors a sort or a scan."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if any("TEMP B-TREE" in step for step in plan_of(connection, statements.best)):
        missing.append(f"CREATE INDEX by_score ON {table} ({score}, {item})")
    if scans(plan_of(connection, rows_of(statements), "[]")):
        missing.append(f"CREATE UNIQUE INDEX by_item ON {table} ({item})")
    return missing


def spared_scans(
    connection: sqlite3.Connection, statements: Statements, columns: Columns, known: Facts
) -> list[str]:
    """Return the statement that would spare the look for fractions a scan.

    The index holds the rows whose scores are no integers: none, where all is well.
    """
    if known.has_whole_scores:
        return []
    partial = connection.execute(
        "SELECT name FROM pragma_index_list(?) WHERE partial", (columns.table,)
    )
    short = tuple(f" INDEX {name}" for (name,) in partial)
    look = statements.exist([f"WHERE {is_fractional(statements.score)}"])
    if not any(not step.endswith(short) for step in scans(plan_of(connection, look))):
        return []
    wrong = f"typeof({statements.score}) <> 'integer'"
    return [f"CREATE INDEX by_flaw ON {statements.table} ({statements.score}) WHERE {wrong}"]


def is_fractional(score: str) -> str:
    """Return the condition that a score is no whole number, whatever its type."""
    return f"typeof({score}) <> 'integer' AND {score} IS NOT CAST({score} AS INTEGER)"


def scans(plan: list[str]) -> list[str]:
    """Return the steps of a plan that read a whole table or index."""
    steps = (step for step in plan if step.startswith("SCAN"))
    return [step for step in steps if "json_each" not in step and "CONSTANT ROW" not in step]


def plan_of(connection: sqlite3.Connection, statement: str, *arguments: str) -> list[str]:
    """Return the steps that SQLite would take."""
    return [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", arguments)]
