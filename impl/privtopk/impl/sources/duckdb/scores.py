"""Scores in a table of DuckDB, or in CSV or Parquet files.

DuckDB sorts and scans; it has no index that could be read in order of the scores. So the
shortest way is two questions: the longest prefix of the score list that can be needed, and the
scores of the items whose noise can still win. Fewer rows are fetched than by a scan, and that is
all there is to gain.

The catalogue is asked and rows are looked at for flaws before the first selection, and again when
a file has changed. What a CSV file or a view says is read once a selection, into a table in
memory, and looked at there.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.duckdb.checks import public_domain, require_declared, require_sound
from privtopk.impl.sources.duckdb.origin import origin_of, reading
from privtopk.impl.sources.duckdb.relation import Relation
from privtopk.impl.sources.duckdb.session import Session, column_of
from privtopk.impl.sources.duckdb.types import item_of, kind_of, mistyped, score_of
from privtopk.impl.sources.footprint import Footprint
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import Declared, Statements, null
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason

AHEAD: Final = 1024
"""A question for the best rows costs a scan, so it asks for no fewer."""


@dataclass(frozen=True, slots=True)
class Known:
    """What was learnt of the files in one state of theirs."""

    marks: Footprint
    relation: Relation
    is_sound: bool
    """Whether rows were looked at and none was wrong."""


class DuckdbScores:
    """Rows with a column of items and a column of scores."""

    def __init__(
        self,
        path: Path | str,
        table: str | None = None,
        *,
        item: str = "item",
        score: str = "score",
        domain: Declared | None = None,
    ) -> None:
        """Look at the catalogue or at headers; only a public domain reads rows here already."""
        declared = require_declared(domain)
        self._origin = origin_of(path, table)
        self._names = (item, score)
        with reading(self._origin) as (opened, marks):
            relation = self._origin.relation(opened, self._names)
            self.domain = self._declared(opened, relation, declared)
        self._known = Known(marks, relation, is_sound=False)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as they are; leaving them is refused if a file has changed since."""
        with reading(self._origin) as (opened, marks):
            known = self._known
            if marks != known.marks:
                known = Known(marks, self._origin.relation(opened, self._names), is_sound=False)
            statements = self._statements(opened, known.relation, self.domain.kind)
            if known.relation.is_fleeting or not known.is_sound:
                require_sound(opened, statements, known.relation, self.domain)
            yield View(self.domain, DuckdbQuery(opened, statements), self.size)
        self._known = replace(known, is_sound=True)

    def _declared(self, opened: Session, relation: Relation, declared: Declared) -> Domain:
        """Return the domain as the rows write items; a public one is made of their items."""
        item, score = relation.columns
        wanted = str if isinstance(declared, str) else declared.kind
        kind = kind_of(item, wanted, self._origin.place)
        score_of(score, self._origin.place)
        if not isinstance(declared, str):
            return declared.of_kind(kind)
        return public_domain(opened, self._statements(opened, relation, kind), kind)

    def _statements(self, opened: Session, relation: Relation, kind: Kind) -> Statements:
        """Return how to ask for rows; those that each question would make anew are copied."""
        item, score = relation.columns
        if kind_of(item, kind, self._origin.place) is not kind:
            raise mistyped(item, self._origin.place, f"items must be {kind.__name__} as declared")
        items, scores = item_of(item, kind), score_of(score, self._origin.place)
        rows = (
            f"(SELECT {items.value} AS item, {scores.value} AS score, {items.is_wrong} AS "
            f"is_foreign, {scores.is_wrong} AS is_fractional FROM {relation.place}) AS scores"
        )
        if relation.is_fleeting:
            opened.run(f"CREATE TEMP TABLE scores AS FROM {rows}")
            rows = "temp.scores"
        return Statements(rows, "item", "score")


class DuckdbQuery:
    """The rows of one snapshot; the best of them are kept as far as they were asked for."""

    def __init__(self, opened: Session, statements: Statements, ahead: int = AHEAD) -> None:
        self._opened = opened
        self._ahead = ahead
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
            self._read_on(max(missing, len(self._items), self._ahead))
        page = Rows(self._items[start:stop], self._scores[start:stop])
        self._place += len(page.items)
        return page

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items."""
        with self._opened.shown("asked", item=column_of(items)):
            return self._rows(f"{self._statements.all} WHERE item IN (SELECT item FROM asked)")

    def all(self) -> Rows:
        """Return all rows."""
        return self._rows(self._statements.all)

    def _read_on(self, count: int) -> None:
        """Fetch the rows that come after those that were fetched."""
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
        """Return rows, of which nothing is NULL."""
        columns = self._opened.columns(statement, parameters)
        if any(map(np.ma.is_masked, columns)):
            raise null("item or score", Reason.MISSING_SCORE)
        return Rows(*columns)
