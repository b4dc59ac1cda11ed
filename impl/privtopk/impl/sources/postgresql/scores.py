"""Scores in a table, a partitioned table or a view of PostgreSQL.

A selection reads inside one REPEATABLE READ, READ ONLY transaction, which shows one state of
the database whatever others write. TRUNCATE and ALTER TABLE are exceptions: to a snapshot that
is older than they are, a table that they have rewritten looks empty. So the table is locked,
against these and nothing else, before the transaction takes its snapshot.

Rows by score come through a cursor of the server, which reads on where it stopped. Whoever may
SELECT from the table can run a selection. One connection is kept for the next selection, outside
of any transaction, until the source is closed or forgotten.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from privtopk.impl.scores.domain import Domain, Kind, ListedDomain
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import warn_of_scans
from privtopk.impl.sources.postgresql.catalogue import (
    described,
    found,
    is_fractional,
    missing_indexes,
    spared_scans,
)
from privtopk.impl.sources.postgresql.connection import Line
from privtopk.impl.sources.postgresql.session import asked, escaped, reading, sent
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import Columns, Declared, Statements, flaws, quoted, resolved
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_number
from privtopk.spec.model.values import Number

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

TYPES: Final[dict[Kind, str]] = {int: "bigint", str: "text"}
"""What lists of items are made of."""

TRIP_PRICE: Final = 100.0
"""So many rows come in the time of one more statement.

Over a local socket this takes 0.15 to 0.4 ms.
"""

COSTS: Final = (1, 3)
"""A row by score takes 1 to 1.5 µs, one by item, for which the index is searched, 3 to 4 µs."""

TIMEOUT: Final = 600
"""Seconds that a statement may take: long enough to look through a billion rows, and then a
statement ends whose client was killed and cannot end it."""

SHORTEST: Final = 0.001
LONGEST: Final = 2_000_000
"""Seconds that PostgreSQL can count: it has milliseconds and 31 bits."""


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
        domain: Declared | None = None,
        timeout: Number = TIMEOUT,
    ) -> None:
        """Look at the catalogue; rows are read by selections only, but for a public domain."""
        self._opening = f"SET LOCAL statement_timeout = {milliseconds(timeout)}"
        self._line = Line(address)
        self._columns = Columns(table, item, score)
        try:
            missing, spared = self._look(schema, domain)
        except BaseException:
            self.close()
            raise
        self._has_index = not missing
        self._trip_price = TRIP_PRICE if self._has_index else self.size
        warn_of_scans(table, missing, spared, self._relation.is_stored)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    def __enter__(self) -> Self:
        """Return the table, whose connection is closed at the end."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close the connection that was kept."""
        self.close()

    def close(self) -> None:
        """Close the connection that was kept between selections; the next one opens another."""
        self._line.close()

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores inside one transaction, after a look for rows that are wrong."""
        with self._transaction() as connection:
            self._require_sound(connection)
            kind, place = self.domain.kind, self._line.place
            query = PostgresqlQuery(connection, self._statements, kind, place, self._has_index)
            yield View(self.domain, query, self._trip_price, self.costs)

    def _look(self, schema: str | None, domain: Declared | None) -> tuple[list[str], list[str]]:
        """Learn what the catalogue says; return the statements that would spare scans."""
        columns = self._columns
        with self._transaction() as connection:
            relation = found(connection, self._line.place, schema, columns.table)
        if relation.is_lockable:
            self._opening += f"; LOCK TABLE {relation.name} IN ACCESS SHARE MODE"
        self._relation = relation
        statements = Statements(relation.name, quoted(columns.item), quoted(columns.score))
        self._statements = statements
        with self._transaction() as connection:
            known = described(connection, relation, columns)
            self.domain = declared(connection, statements, known.kind, domain)
            missing = missing_indexes(connection, statements, relation)
            return missing, spared_scans(connection, statements, relation, known.facts)

    def _require_sound(self, connection: "Connection") -> None:
        """Refuse rows that are wrong; what the catalogue rules out at this moment is not sought."""
        known = described(connection, self._relation, self._columns)
        if known.kind is not self.domain.kind:
            raise SelectionError(
                Reason.CHANGED_SOURCE,
                f"the items of table {self._columns.table!r} are of another type than before",
            )
        condition = is_fractional(self._statements.score)
        wrong = flaws(self._statements, known.facts, self.domain, condition)
        statement = self._statements.exist([condition for condition, _ in wrong])
        (row,) = asked(connection, escaped(statement))
        for is_met, (_, error) in zip(row, wrong, strict=True):
            if is_met:
                raise error

    def _transaction(self) -> AbstractContextManager["Connection"]:
        return self._line.transaction(self._opening)


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

        Of thousands of items PostgreSQL thinks that a scan is cheaper, by the price of a disk.
        """
        if not self._is_steered:
            self._ask("SET LOCAL enable_seqscan = off")
            self._is_steered = True
        return self._lists(rows_of(self._statements, self._kind), list_of(items, self._kind))

    def all(self) -> Rows:
        """Return all rows."""
        return self._lists(lists_of(self._statements, self._kind))

    def _lists(self, statement: str, *values: Any) -> Rows:
        """Return what a statement finds as two lists: these take less time than pairs."""
        ((items, scores),) = self._ask(statement, *values)
        return Rows(items or (), scores or ())

    def _ask(self, statement: str, *values: Any) -> Sequence[Sequence[Any]]:
        with reading(self._place):
            return sent(self._connection, statement, *values)


def by_column(rows: Sequence[Sequence[Any]]) -> Rows:
    """Return pairs as two columns."""
    return Rows(*zip(*rows, strict=True)) if rows else Rows((), ())


def rows_of(statements: Statements, kind: Kind) -> str:
    """Return the statement that finds the rows of the items of a list, as two lists.

    A list goes as one value: a statement has 65,535 at most. Without the cast a list of small
    numbers has another type than the column, and each row is compared with each item.
    """
    wanted = f"CAST($1 AS {TYPES[kind]}[])"
    return f"{lists_of(statements, kind)} WHERE {statements.item} = ANY({wanted})"


def list_of(items: list[Any], kind: Kind) -> list[Any] | str:
    """Return items as one value; the driver takes longer to write numbers than to ask for them."""
    return f"{{{','.join(map(str, items))}}}" if kind is int else items


def lists_of(statements: Statements, kind: Kind) -> str:
    """Return the statement that finds all items and all scores, which are known to be whole.

    Without the casts a type with a name of its own makes a list that the driver cannot read.
    """
    items = f"array_agg(CAST({statements.item} AS {TYPES[kind]}))"
    scores = f"array_agg(CAST({statements.score} AS bigint))"
    return f"SELECT {items}, {scores} FROM {statements.table}"


def declared(
    connection: "Connection", statements: Statements, kind: Kind, domain: Declared | None
) -> Domain:
    """Return the domain as the table writes items; the ends of texts are not looked at."""

    def column(statement: str) -> list[Any]:
        return [value for (value,) in asked(connection, escaped(statement))]

    if isinstance(domain, ListedDomain):
        require_storable(domain.of_kind(kind))
    if not isinstance(domain, str):
        return resolved(domain, kind, (None, None), column, statements)
    ((first, last),) = asked(connection, escaped(statements.ends))
    is_empty = first is None
    return resolved(domain, None if is_empty else kind, (first, last), column, statements)


def require_storable(domain: ListedDomain) -> None:
    """Refuse texts that PostgreSQL could not even be asked for."""
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
    """Return a time limit in PostgreSQL's unit."""
    seconds = require_number("timeout", timeout)
    if not SHORTEST <= seconds <= LONGEST:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"timeout must be between {SHORTEST} and {LONGEST} seconds, got {seconds}",
        )
    return int(1000 * seconds)
