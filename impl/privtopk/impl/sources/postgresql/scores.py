"""Scores in a table, a partitioned table or a view of PostgreSQL.

A selection reads inside one REPEATABLE READ, READ ONLY transaction, which shows one state of
the database whatever others write. TRUNCATE and ALTER TABLE are exceptions: a table that they have
rewritten looks empty to an older snapshot. So the table is locked before the transaction takes its
snapshot. The lock blocks these commands only.

Rows by score come through a cursor of the server, which continues where it stopped. A selection
needs the right to SELECT from the table and no other. One connection is kept for the next
selection, outside of any transaction, until the source is closed or garbage-collected.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind, ListedDomain
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import warn_about_scans
from privtopk.impl.sources.postgresql.catalogue import (
    describe_columns,
    find_relation,
    fractional_condition,
    missing_check_indexes,
    missing_indexes,
)
from privtopk.impl.sources.postgresql.connection import PostgresqlDatabase
from privtopk.impl.sources.postgresql.session import (
    escape_colons,
    fetch_by_driver,
    fetch_rows,
    translate_driver_errors,
)
from privtopk.impl.sources.rows import Rows, by_column
from privtopk.impl.sources.table import (
    Columns,
    Declared,
    Statements,
    forbidden_conditions,
    quote_identifier,
    require_declared,
    require_no_flaw,
    resolve_domain,
)
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_number
from privtopk.spec.model.values import Number

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

TYPES: Final[dict[Kind, str]] = {int: "bigint", str: "text"}
"""The element type of a list of items."""

TRIP_PRICE: Final = 100.0
"""One more statement takes as long as reading 100 rows: 0.15 to 0.4 ms over a local socket."""

COSTS: Final = (1, 3)
"""A row by score takes 1 to 1.5 µs; a row by item, found through an index, takes 3 to 4 µs."""

TIMEOUT: Final = 600
"""Seconds that a statement may take.

It is long enough to scan a billion rows, and it ends a statement whose client was killed.
"""

SHORTEST: Final = 0.001
LONGEST: Final = 2_000_000
"""The limits in seconds: PostgreSQL stores milliseconds in 31 bits."""


class PostgresqlScores:
    """A table with a column of items and a column of scores."""

    costs = COSTS

    def __init__(
        self,
        address: "str | Engine",
        table: str,
        *,
        schema: str | None = None,
        item: str = "item",
        score: str = "score",
        domain: DomainLike | None = None,
        timeout: Number = TIMEOUT,
    ) -> None:
        """Read the catalogue; rows are read here only for a public domain."""
        self._opening = f"SET LOCAL statement_timeout = {milliseconds(timeout)}"
        declared = require_declared(domain)
        self._database = PostgresqlDatabase(address)
        self._columns = Columns(table, item, score)
        try:
            missing, for_checks = self._read_catalogue(schema, declared)
        except BaseException:
            self.close()
            raise
        self._has_index = not missing
        self._trip_price = TRIP_PRICE if self._has_index else self.size
        warn_about_scans(table, missing, for_checks, self._relation.is_stored)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    def __enter__(self) -> Self:
        """Return this source; leaving the context closes its connection."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close the kept connection."""
        self.close()

    def close(self) -> None:
        """Close the kept connection; the next selection opens another one."""
        self._database.close()

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores inside one transaction, after a check of the rows."""
        with self._transaction() as connection:
            self._require_sound(connection)
            kind, place = self.domain.kind, self._database.place
            query = PostgresqlQuery(connection, self._statements, kind, place, self._has_index)
            yield View(self.domain, query, self._trip_price, self.costs)

    def _read_catalogue(
        self, schema: str | None, declared: Declared
    ) -> tuple[list[str], list[str]]:
        """Read the catalogue and the domain; return the statements that would save scans."""
        columns = self._columns
        with self._transaction() as connection:
            relation = find_relation(connection, self._database.place, schema, columns.table)
        if relation.is_lockable:
            self._opening += f"; LOCK TABLE {relation.name} IN ACCESS SHARE MODE"
        self._relation = relation
        statements = Statements(
            relation.name, quote_identifier(columns.item), quote_identifier(columns.score)
        )
        self._statements = statements
        with self._transaction() as connection:
            known = describe_columns(connection, relation, columns)
            self.domain = read_domain(connection, statements, known.kind, declared)
            missing = missing_indexes(connection, statements, relation)
            return missing, missing_check_indexes(connection, statements, relation, known.facts)

    def _require_sound(self, connection: "Connection") -> None:
        """Refuse invalid rows; what the catalogue rules out at this moment is not checked."""
        known = describe_columns(connection, self._relation, self._columns)
        if known.kind is not self.domain.kind:
            raise SelectionError(
                Reason.CHANGED_SOURCE,
                f"the items of table {self._columns.table!r} are of another type than before",
            )
        condition = fractional_condition(self._statements.score)
        flaws = forbidden_conditions(self._statements, known.facts, self.domain, condition)
        require_no_flaw(
            flaws,
            self._statements,
            lambda statement: fetch_rows(connection, escape_colons(statement))[0],
        )

    def _transaction(self) -> AbstractContextManager["Connection"]:
        return self._database.transaction(self._opening)


class PostgresqlQuery:
    """The rows of one transaction."""

    def __init__(
        self,
        connection: "Connection",
        statements: Statements,
        kind: Kind,
        place: str,
        has_index: bool,
    ) -> None:
        self._connection = connection
        self._statements = statements
        self._kind = kind
        self._place = place
        self._is_begun = False
        self._is_steered = not has_index

    def rewind(self) -> None:
        """Go back to the first row."""
        if self._is_begun:
            self._ask("CLOSE best")
        self._is_begun = False

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score."""
        if not self._is_begun:
            self._ask(f"DECLARE best NO SCROLL CURSOR FOR {self._statements.best}")
            self._is_begun = True
        return by_column(self._ask(f"FETCH {count} FROM best"))

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items, by the index if there is one.

        For thousands of items the planner would prefer a scan, because it assumes a slow disk.
        """
        if not self._is_steered:
            self._ask("SET LOCAL enable_seqscan = off")
            self._is_steered = True
        return self._lists(rows_of(self._statements, self._kind), list_of(items, self._kind))

    def all(self) -> Rows:
        """Return all rows."""
        return self._lists(lists_of(self._statements, self._kind))

    def _lists(self, statement: str, *values: Any) -> Rows:
        """Return the rows of a statement as two lists, which is faster than pairs."""
        ((items, scores),) = self._ask(statement, *values)
        return Rows(items or (), scores or ())

    def _ask(self, statement: str, *values: Any) -> Sequence[Sequence[Any]]:
        with translate_driver_errors(self._place):
            return fetch_by_driver(self._connection, statement, *values)


def rows_of(statements: Statements, kind: Kind) -> str:
    """Return the statement that finds the rows of the items in a list, as two lists.

    The list is one parameter, because a statement has at most 65,535. Without the cast, a list of
    small numbers has another type than the column, and each row is compared with each item.
    """
    wanted = f"CAST($1 AS {TYPES[kind]}[])"
    return f"{lists_of(statements, kind)} WHERE {statements.item} = ANY({wanted})"


def list_of(items: list[Any], kind: Kind) -> list[Any] | str:
    """Return items as one parameter; numbers become one text, which the driver sends faster."""
    return f"{{{','.join(map(str, items))}}}" if kind is int else items


def lists_of(statements: Statements, kind: Kind) -> str:
    """Return the statement that finds all items and all scores, which are known to be whole.

    Without the casts, the driver cannot read a list of a user-defined type.
    """
    items = f"array_agg(CAST({statements.item} AS {TYPES[kind]}))"
    scores = f"array_agg(CAST({statements.score} AS bigint))"
    return f"SELECT {items}, {scores} FROM {statements.table}"


def read_domain(
    connection: "Connection", statements: Statements, kind: Kind, declared: Declared
) -> Domain:
    """Return the domain with items as the table writes them; only a public one reads rows."""

    def fetch_column(statement: str) -> list[Any]:
        return [value for (value,) in fetch_rows(connection, escape_colons(statement))]

    if isinstance(declared, ListedDomain):
        require_storable(declared.of_kind(kind))
    if not isinstance(declared, str):
        return resolve_domain(declared, kind, (None, None), fetch_column, statements)
    ((first, last),) = fetch_rows(connection, escape_colons(statements.ends))
    known = None if first is None else kind
    return resolve_domain(declared, known, (first, last), fetch_column, statements)


def require_storable(domain: ListedDomain) -> None:
    """Refuse texts that PostgreSQL cannot hold, not even as a parameter."""
    try:
        texts = "".join(map(str, domain.names(np.arange(domain.size)))).encode()
        is_storable = b"\0" not in texts
    except UnicodeEncodeError:
        is_storable = False
    if not is_storable:
        raise SelectionError(
            Reason.UNKNOWN_ITEM,
            "PostgreSQL cannot hold an item of the declared domain: texts must be Unicode without "
            "a zero character",
        )


def milliseconds(timeout: object) -> int:
    """Return a time limit in milliseconds, or refuse one that PostgreSQL cannot store."""
    seconds = require_number("timeout", timeout)
    if not SHORTEST <= seconds <= LONGEST:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"timeout must be between {SHORTEST} and {LONGEST} seconds, got {seconds}",
        )
    return int(1000 * seconds)
