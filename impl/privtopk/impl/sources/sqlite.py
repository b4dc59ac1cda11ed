"""Scores in a table of SQLite, the embedded default: nothing to install and nothing to start.

A selection reads inside one read transaction, which shows one state of the database whatever
others write. A list of items is sent as one JSON parameter, because the maximum number of
variables per statement differs between builds of SQLite.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import (
    translate_driver_errors,
    unknown_table_error,
    warn_about_scans,
)
from privtopk.impl.sources.rows import Rows, by_column
from privtopk.impl.sources.table import (
    Columns,
    Facts,
    Statements,
    forbidden_conditions,
    quote_identifier,
    require_columns,
    require_no_flaw,
    resolve_domain,
)
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason, SelectionError

TRIP_PRICE: Final = 20.0
"""One more statement takes as long as reading 20 rows."""

TIMEOUT: Final = 10.0
"""Seconds to wait for a writer that has locked the file."""

CODE_ZERO: Final = json.dumps("\0").strip('"')
"""SQLite cuts a text from JSON at this escape sequence."""


class SqliteScores:
    """A table with a column of items and a column of scores."""

    def __init__(
        self,
        path: Path | str,
        table: str,
        *,
        item: str = "item",
        score: str = "score",
        domain: DomainLike | None = None,
    ) -> None:
        """Read the catalogue; rows are read here only for a public domain."""
        self._path = Path(path)
        self._columns = Columns(table, item, score)
        self._statements = Statements(*map(quote_identifier, (table, item, score)))
        with self._transaction() as connection:
            known = table_facts(connection, str(self._path), self._columns)
            self.domain = read_domain(connection, self._statements, domain)
            missing = missing_indexes(connection, self._statements)
            for_checks = missing_check_indexes(connection, self._statements, self._columns, known)
            is_view = kind_of_table(connection, table) == "view"
        self._trip_price = self.size if missing else TRIP_PRICE
        warn_about_scans(table, missing, for_checks, is_stored=not is_view)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores inside one read transaction, after a check of the rows."""
        with self._transaction() as connection:
            self._require_sound(connection)
            query = SqliteQuery(connection, self._statements, str(self._path))
            yield View(self.domain, query, self._trip_price)

    def _require_sound(self, connection: sqlite3.Connection) -> None:
        """Refuse invalid rows; what the catalogue rules out at this moment is not checked."""
        known = table_facts(connection, str(self._path), self._columns)
        condition = fractional_condition(self._statements.score)
        flaws = forbidden_conditions(self._statements, known, self.domain, condition)
        require_no_flaw(
            flaws, self._statements, lambda statement: connection.execute(statement).fetchone()
        )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection inside a transaction, and close it."""
        with translate_driver_errors(str(self._path), sqlite3.Error):
            address = f"file:{quote(str(self._path.absolute()))}?mode=ro"
            connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=TIMEOUT)
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
        with translate_driver_errors(self._place, sqlite3.Error):
            if self._cursor is None:
                self._cursor = self._connection.execute(self._statements.best)
            return by_column(self._cursor.fetchmany(count))

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items."""
        wanted = json.dumps(items)
        if CODE_ZERO in wanted:
            return self._one_by_one(items)
        return self._lists(rows_of(self._statements), wanted)

    def _one_by_one(self, items: list[Any]) -> Rows:
        """Return the rows of some items, with one statement per item."""
        statement = f"{self._statements.all} WHERE {self._statements.item} = ?"
        with translate_driver_errors(self._place, sqlite3.Error):
            found = (self._connection.execute(statement, (item,)).fetchall() for item in items)
            return by_column([row for rows in found for row in rows])

    def all(self) -> Rows:
        """Return all rows."""
        return self._lists(self._statements.all)

    def _lists(self, statement: str, *arguments: str) -> Rows:
        """Return the rows of a statement as two lists, which is faster than pairs."""
        with translate_driver_errors(self._place, sqlite3.Error):
            items, scores = self._connection.execute(
                f"WITH found(item, score) AS ({statement}) "
                "SELECT json_group_array(item), json_group_array(score) FROM found",
                arguments,
            ).fetchone()
        return Rows(json.loads(items), json.loads(scores))


def rows_of(statements: Statements) -> str:
    """Return the statement that finds the rows of the items in a JSON list."""
    return f"{statements.all} WHERE {statements.item} IN (SELECT value FROM json_each(?))"


def table_facts(connection: sqlite3.Connection, place: str, columns: Columns) -> Facts:
    """Return what the catalogue guarantees about a table or view, or refuse missing columns."""
    described = connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)', (columns.table,)
    ).fetchall()
    if not described:
        raise unknown_table_error(place, columns.table)
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
        has_one_row_per_item=is_row_number or has_unique_index(connection, columns),
    )
    require_columns(columns, known)
    return known


def kind_of_table(connection: sqlite3.Connection, table: str) -> str:
    """Return SQLite's word for what a table is: table, view, shadow or virtual."""
    (kind,) = connection.execute("SELECT type FROM pragma_table_list(?)", (table,)).fetchone()
    return str(kind)


def has_unique_index(connection: sqlite3.Connection, columns: Columns) -> bool:
    """Return whether an index over all rows allows each item only once."""
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


def read_domain(
    connection: sqlite3.Connection, statements: Statements, domain: DomainLike | None
) -> Domain:
    """Return the domain with items as the table writes them."""
    ends = connection.execute(statements.ends).fetchone()

    def fetch_column(statement: str) -> list[Any]:
        return [value for (value,) in connection.execute(statement)]

    return resolve_domain(domain, kind_of(ends), ends, fetch_column, statements)


def kind_of(ends: tuple[Any, Any]) -> Kind | None:
    """Return whether the items are numbers or texts, from the smallest and the largest item.

    SQLite sorts numbers before texts, so a mixed column has a number first and a text last.
    """
    kinds = {type(item) for item in ends}
    if kinds == {type(None)}:
        return None
    if kinds in ({int}, {str}):
        return int if kinds == {int} else str
    raise SelectionError(
        Reason.WRONG_TYPE, "the items of a table must be all texts or all whole numbers"
    )


def missing_indexes(connection: sqlite3.Connection, statements: Statements) -> list[str]:
    """Return the statements that create the indexes that the two doors lack."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if any("TEMP B-TREE" in step for step in plan_of(connection, statements.best)):
        missing.append(f"CREATE INDEX by_score ON {table} ({score}, {item})")
    if scans(plan_of(connection, rows_of(statements), "[]")):
        missing.append(f"CREATE UNIQUE INDEX by_item ON {table} ({item})")
    return missing


def missing_check_indexes(
    connection: sqlite3.Connection, statements: Statements, columns: Columns, known: Facts
) -> list[str]:
    """Return the statement that saves the check for fractions a scan.

    It creates an index of the rows whose scores are not integers; usually there are none.
    """
    if known.has_whole_scores:
        return []
    partial = connection.execute(
        "SELECT name FROM pragma_index_list(?) WHERE partial", (columns.table,)
    )
    short = tuple(f" INDEX {name}" for (name,) in partial)
    check = statements.exist([f"WHERE {fractional_condition(statements.score)}"])
    if all(step.endswith(short) for step in scans(plan_of(connection, check))):
        return []
    wrong = f"typeof({statements.score}) <> 'integer'"
    return [f"CREATE INDEX by_flaw ON {statements.table} ({statements.score}) WHERE {wrong}"]


def fractional_condition(score: str) -> str:
    """Return the condition that a score is not a whole number, whatever its type."""
    return f"typeof({score}) <> 'integer' AND {score} IS NOT CAST({score} AS INTEGER)"


def scans(plan: list[str]) -> list[str]:
    """Return the steps of a plan that read a whole table or index."""
    steps = (step for step in plan if step.startswith("SCAN"))
    return [step for step in steps if "json_each" not in step and "CONSTANT ROW" not in step]


def plan_of(connection: sqlite3.Connection, statement: str, *arguments: str) -> list[str]:
    """Return the steps of SQLite's query plan."""
    return [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", arguments)]
