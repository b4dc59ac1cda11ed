"""Scores in a Spark frame: a table, files, or whatever a plan computes.

Spark has no index, so each question costs a scan, and so do holding the frame still and looking
for rows that are wrong: at a million items all that takes several times as long as fetching
everything, which does better wherever the driver has room for it. What this spares is that room:
the driver receives some rows and never all. To select often, write the scores where they are
indexed: `spark_files.write_scores`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Domain, Kind
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.spark.frame import asked, held, require_frame, scored
from privtopk.impl.sources.spark.rows import SoundRows, sound_rows
from privtopk.impl.sources.table import Declared, Statements, resolved
from privtopk.impl.sources.view import View

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STATEMENTS: Final = Statements("{rows}", "item", "score")
"""Spark puts a frame where its name stands in braces."""


class SparkScores:
    """A frame with a column of items and a column of scores; for a table, `spark.table(name)`."""

    def __init__(
        self,
        frame: "DataFrame",
        *,
        item: str = "item",
        score: str = "score",
        domain: Declared | None = None,
    ) -> None:
        """Look at the schema; rows are read by selections only, but for a public domain."""
        require_frame(frame)
        self._scores, kind = asked(frame.sparkSession, lambda: scored(frame, item, score))
        self.domain = declared(self._scores, kind, domain)

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as one scan finds them, after a look for rows that are wrong."""
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
        # Invariant: the score and the item of the row that was delivered last.
        self._last: tuple[int, Any] | None = None

    def best(self, count: int) -> Rows:
        """Return the next rows by descending score, from behind the last one."""
        page = self._fetched(lambda: self._best(count))
        if len(page.items):
            self._last = int(page.scores[-1]), page.items[-1]
        return page

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items.

        They are sent as a frame: as constants of a condition each of them is a call of its own.
        """
        return self._fetched(lambda: self._of(items))

    def all(self) -> Rows:
        """Return all rows."""
        return self._fetched(lambda: self._rows.frame)

    def _best(self, count: int) -> "DataFrame":
        rows, functions = self._rows.frame, self._functions
        if self._last is not None:
            score, item = map(functions.lit, self._last)
            is_tied = (functions.col("score") == score) & (functions.col("item") < item)
            rows = rows.where((functions.col("score") < score) | is_tied)
        ordered = rows.orderBy(functions.desc("score"), functions.desc("item"))
        # Spark makes room for as many rows as a limit allows, whether or not there are any.
        return ordered.limit(count) if count < self._rows.count else ordered

    def _of(self, items: list[Any]) -> "DataFrame":
        pyarrow = import_extra("pyarrow", "spark")
        rows = self._rows.frame
        wanted = rows.sparkSession.createDataFrame(pyarrow.table({"item": items}))
        return rows.join(self._functions.broadcast(wanted), "item", "left_semi")

    def _fetched(self, plan: Any) -> Rows:
        """Return the rows of a plan, by column and without an object for each number."""
        table = asked(self._rows.frame.sparkSession, lambda: plan().toArrow())
        items, scores = table.column("item"), table.column("score")
        is_numbers = import_extra("pyarrow", "spark").types.is_integer(items.type)
        return Rows(items.to_numpy() if is_numbers else items.to_pylist(), scores.to_numpy())


def declared(scores: "DataFrame", kind: Kind, domain: Declared | None) -> Domain:
    """Return the domain as the frame writes items; rows are read only if those are the domain."""
    if domain != "public":
        return resolved(domain, kind, (None, None), lambda statement: [], STATEMENTS)
    with held(scores, lambda: scores) as rows:

        def answer(statement: str) -> list[list[Any]]:
            session = rows.sparkSession
            table = asked(session, lambda: session.sql(statement, rows=rows).toArrow())
            return [column.to_pylist() for column in table.columns]

        (first,), (last,) = answer(STATEMENTS.ends)
        known = None if first is None else kind
        return resolved(
            domain, known, (first, last), lambda statement: answer(statement)[0], STATEMENTS
        )
