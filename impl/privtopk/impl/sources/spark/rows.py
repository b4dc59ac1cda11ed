"""The scores of a Spark frame, held still and looked over before anything is selected.

One scan brings the rows of each item together and keeps them. Where every item has one row, as
it must, that is the frame itself, and one more look at it finds all that is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Domain, RangeDomain
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.rows import fractional, twice
from privtopk.impl.sources.spark.frame import asked, held
from privtopk.impl.sources.table import beyond, excessive, negative, null
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class SoundRows:
    """Rows in which nothing is wrong, and which do not change."""

    frame: "DataFrame"
    """The columns item and score, the latter whole numbers of 64 bits."""

    count: int
    """How many rows there are."""


@contextmanager
def sound_rows(scores: "DataFrame", domain: Domain | None) -> Iterator[SoundRows]:
    """Yield the rows of a frame with the columns item and score, or refuse them.

    Without a domain every item is welcome.
    """
    functions = import_extra("pyspark.sql.functions", "spark")

    def by_item() -> "DataFrame":
        rows = functions.count("*").alias("rows")
        return scores.groupBy("item").agg(rows, functions.max("score").alias("score"))

    with held(scores, by_item) as rows:
        count = asked(scores.sparkSession, lambda: checked_count(rows, domain))
        whole = functions.col("score").cast("bigint").alias("score")
        yield SoundRows(asked(scores.sparkSession, lambda: rows.select("item", whole)), count)


def checked_count(rows: "DataFrame", domain: Domain | None) -> int:
    """Return how many items there are, or the first error of those that some row deserves."""
    functions = import_extra("pyspark.sql.functions", "spark")
    wrong = flaws(functions, domain)
    is_met = [functions.max(condition) for condition, _ in wrong]
    count, *found = rows.agg(functions.count("*"), *is_met).collect()[0]
    for (_, error), is_wrong in zip(wrong, found, strict=True):
        if is_wrong:
            raise error
    return int(count)


def flaws(functions: Any, domain: Domain | None) -> list[tuple[Any, SelectionError]]:
    """Return conditions that no row may meet, each with its error.

    NaN is above every number here, and is no whole number before that.
    """
    item, score = functions.col("item"), functions.col("score")
    wanted = [
        (item.isNull(), null("item", Reason.UNKNOWN_ITEM)),
        (functions.col("rows") > 1, twice()),
        (score.isNull(), null("score", Reason.MISSING_SCORE)),
        (score % 1 != 0, fractional()),
        (score < 0, negative()),
        (score > LARGEST_SCORE, excessive()),
    ]
    if isinstance(domain, RangeDomain) and domain.kind is int:
        wanted.append(((item < domain.first) | (item > domain.last), beyond(domain)))
    return wanted
