"""Scores in a table of DuckDB, or in CSV or Parquet files.

DuckDB has no index that could be read in the order of the scores; it scans and sorts. So the
fastest way is two queries: the longest prefix of the score list that can be needed, and the scores
of the items whose noise can still win. Compared with fetching everything, this saves only the
transfer of rows.

The catalogue is read and the rows are checked before the first selection, and again when a file
has changed. CSV files and views are read once per selection into a table in memory, and checked
there.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.duckdb.checks import public_domain, require_sound
from privtopk.impl.sources.duckdb.origin import open_origin, origin_of
from privtopk.impl.sources.duckdb.session import Session, column_of
from privtopk.impl.sources.duckdb.table_reference import TableReference
from privtopk.impl.sources.duckdb.types import (
    column_type_error,
    item_expression,
    kind_of,
    score_expression,
)
from privtopk.impl.sources.footprint import Footprint
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import Declared, Statements, null_error, require_declared
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason

LEAST_ROWS: Final = 1024
"""A query for the best rows is a scan, so it fetches at least 1024 rows."""


@dataclass(frozen=True, slots=True)
class KnownState:
    """What is known about the files in one of their states."""

    marks: Footprint
    reference: TableReference
    is_sound: bool
    """Whether the rows have passed the checks."""


class DuckdbScores:
    """Rows with a column of items and a column of scores."""

    def __init__(
        self,
        path: Path | str,
        table: str | None = None,
        *,
        item: str = "item",
        score: str = "score",
        domain: DomainLike | None = None,
    ) -> None:
        """Read the catalogue or the headers; rows are read here only for a public domain."""
        declared = require_declared(domain)
        self._origin = origin_of(path, table)
        self._names = (item, score)
        with open_origin(self._origin) as (session, marks):
            reference = self._origin.reference(session, self._names)
            self.domain = self._read_domain(session, reference, declared)
        self._known = KnownState(marks, reference, is_sound=False)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores; leaving the context raises if a file changed in the meantime."""
        with open_origin(self._origin) as (session, marks):
            known = self._known
            if marks != known.marks:
                known = KnownState(
                    marks, self._origin.reference(session, self._names), is_sound=False
                )
            statements = self._statements(session, known.reference, self.domain.kind)
            if known.reference.is_recomputed or not known.is_sound:
                require_sound(session, statements, known.reference, self.domain)
            yield View(self.domain, DuckdbQuery(session, statements), self.size)
        self._known = replace(known, is_sound=True)

    def _read_domain(
        self, session: Session, reference: TableReference, declared: Declared
    ) -> Domain:
        """Return the domain with items as the rows write them."""
        item, score = reference.columns
        wanted = str if isinstance(declared, str) else declared.kind
        kind = kind_of(item, wanted, self._origin.place)
        score_expression(score, self._origin.place)  # refuses a column that cannot hold scores
        if not isinstance(declared, str):
            return declared.of_kind(kind)
        return public_domain(session, self._statements(session, reference, kind), kind)

    def _statements(self, session: Session, reference: TableReference, kind: Kind) -> Statements:
        """Return the statements for the rows; rows that would be recomputed are copied first."""
        item, score = reference.columns
        if kind_of(item, kind, self._origin.place) is not kind:
            raise column_type_error(
                item, self._origin.place, f"items must be {kind.__name__} as in the domain"
            )
        items, scores = item_expression(item, kind), score_expression(score, self._origin.place)
        rows = (
            f"(SELECT {items.value} AS item, {scores.value} AS score, {items.error_condition} AS "
            f"is_foreign, {scores.error_condition} AS is_fractional FROM {reference.sql}) AS scores"
        )
        if reference.is_recomputed:
            session.run(f"CREATE TEMP TABLE scores AS FROM {rows}")
            rows = "temp.scores"
        return Statements(rows, "item", "score")


class DuckdbQuery:
    """The rows of one snapshot; the best rows stay in memory as far as they were fetched."""

    def __init__(
        self, session: Session, statements: Statements, least_rows: int = LEAST_ROWS
    ) -> None:
        self._session = session
        self._least_rows = least_rows
        self._statements = statements
        self._items: Any = np.empty(0, dtype=np.int64)
        self._scores: Any = np.empty(0, dtype=np.int64)
        self._place = 0
        self._is_over = False

    def rewind(self) -> None:
        """Go back to the first row."""
        self._place = 0

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score."""
        start, stop = self._place, self._place + count
        missing = stop - len(self._items)
        if missing > 0 and not self._is_over:
            self._read_on(max(missing, len(self._items), self._least_rows))
        page = Rows(self._items[start:stop], self._scores[start:stop])
        self._place += len(page.items)
        return page

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items."""
        with self._session.register_columns("wanted", item=column_of(items)):
            return self._rows(f"{self._statements.all} WHERE item IN (SELECT item FROM wanted)")

    def all(self) -> Rows:
        """Return all rows."""
        return self._rows(self._statements.all)

    def _read_on(self, count: int) -> None:
        """Fetch the rows after the last fetched row."""
        condition, last = "", []
        if len(self._items):
            condition = "WHERE (score, item) < (?, ?)"
            last = [self._scores[-1:].tolist()[0], self._items[-1:].tolist()[0]]
        order = "ORDER BY score DESC, item DESC"
        found = self._rows(f"{self._statements.all} {condition} {order} LIMIT {count}", last)
        self._items = np.append(self._items, found.items)
        self._scores = np.append(self._scores, found.scores)
        self._is_over = len(found.items) < count

    def _rows(self, statement: str, parameters: Sequence[Any] = ()) -> Rows:
        """Return the rows of a statement, or refuse a NULL."""
        columns = self._session.columns(statement, parameters)
        if any(map(np.ma.is_masked, columns)):
            raise null_error("item or score", Reason.MISSING_SCORE)
        return Rows(*columns)
