"""Scores in a Spark frame: a table, files, or the output of any plan.

Spark has no index, so each query is a scan, and so are copying the frame and checking the rows. At
a million items this takes several times as long as fetching everything, which is better if the
driver has enough memory. This source saves that memory: the driver receives only some of the rows.
To select often, write the scores to an indexed store: `privtopk.impl.sources.spark.files`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.spark.frame import (
    ask_spark,
    checkpoint_rows,
    require_frame,
    score_columns,
)
from privtopk.impl.sources.spark.rows import SoundRows, sound_rows
from privtopk.impl.sources.table import (
    Declared,
    Statements,
    require_declared,
    resolve_domain,
)
from privtopk.impl.sources.view import View

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STATEMENTS: Final = Statements("{rows}", "item", "score")
"""Spark replaces a name in braces by a frame."""


class SparkScores:
    """A frame with a column of items and a column of scores; for a table, `spark.table(name)`."""

    def __init__(
        self,
        frame: "DataFrame",
        *,
        item: str = "item",
        score: str = "score",
        domain: DomainLike | None = None,
    ) -> None:
        """Read the schema; rows are read here only for a public domain."""
        require_frame(frame)
        self._scores, kind = ask_spark(
            frame.sparkSession, lambda: score_columns(frame, item, score)
        )
        self.domain = read_domain(self._scores, kind, require_declared(domain))

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as one scan finds them, after a check of the rows."""
        with sound_rows(self._scores, self.domain) as rows:
            yield View(self.domain, SparkQuery(rows), trip_price=self.size)


class SparkQuery:
    """The rows of one snapshot."""

    def __init__(self, rows: SoundRows) -> None:
        self._rows = rows
        self._functions = import_extra("pyspark.sql.functions", "spark")
        self.rewind()

    def rewind(self) -> None:
        """Go back to the first row."""
        # Invariant: the score and the item of the last delivered row.
        self._last: tuple[int, Any] | None = None

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score, after the last delivered row."""
        page = self._fetch(lambda: self._best(count))
        if len(page.items):
            self._last = int(page.scores[-1]), page.items[-1]
        return page

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items.

        The items are sent as one frame; constants in a condition would need one call per item.
        """
        return self._fetch(lambda: self._of(items))

    def all(self) -> Rows:
        """Return all rows."""
        return self._fetch(lambda: self._rows.frame)

    def _best(self, count: int) -> "DataFrame":
        rows, functions = self._rows.frame, self._functions
        if self._last is not None:
            score, item = map(functions.lit, self._last)
            is_tied = (functions.col("score") == score) & (functions.col("item") < item)
            rows = rows.where((functions.col("score") < score) | is_tied)
        ordered = rows.orderBy(functions.desc("score"), functions.desc("item"))
        # Spark reserves memory for as many rows as a limit allows, even if there are fewer.
        return ordered.limit(count) if count < self._rows.count else ordered

    def _of(self, items: list[Any]) -> "DataFrame":
        pyarrow = import_extra("pyarrow", "spark")
        rows = self._rows.frame
        wanted = rows.sparkSession.createDataFrame(pyarrow.table({"item": items}))
        return rows.join(self._functions.broadcast(wanted), "item", "left_semi")

    def _fetch(self, plan: Any) -> Rows:
        """Return the rows of a plan by column, without one Python object per number."""
        table = ask_spark(self._rows.frame.sparkSession, lambda: plan().toArrow())
        items, scores = table.column("item"), table.column("score")
        is_numbers = import_extra("pyarrow", "spark").types.is_integer(items.type)
        return Rows(items.to_numpy() if is_numbers else items.to_pylist(), scores.to_numpy())


def read_domain(scores: "DataFrame", kind: Kind, declared: Declared) -> Domain:
    """Return the domain with items as the frame writes them; only a public one reads rows."""
    if not isinstance(declared, str):
        return resolve_domain(declared, kind, (None, None), lambda statement: [], STATEMENTS)
    with checkpoint_rows(scores, lambda: scores) as rows:

        def fetch_columns(statement: str) -> list[list[Any]]:
            session = rows.sparkSession
            table = ask_spark(session, lambda: session.sql(statement, rows=rows).toArrow())
            return [column.to_pylist() for column in table.columns]

        def fetch_column(statement: str) -> list[Any]:
            return fetch_columns(statement)[0]

        (first,), (last,) = fetch_columns(STATEMENTS.ends)
        known = None if first is None else kind
        return resolve_domain(declared, known, (first, last), fetch_column, STATEMENTS)
