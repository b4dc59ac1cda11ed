"""The scores of a Spark frame, copied and checked before a selection.

One scan groups the rows by item and keeps the groups. If every item has one row, as it must, the
groups are the frame itself, and one more pass over them finds every flaw.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Domain, RangeDomain
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.rows import duplicate_item_error, fractional_score_error
from privtopk.impl.sources.spark.frame import ask_spark, checkpoint_rows
from privtopk.impl.sources.table import (
    large_score_error,
    negative_score_error,
    null_error,
    outside_domain_error,
    raise_first,
)
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class SoundRows:
    """Rows that have passed all checks and do not change."""

    frame: "DataFrame"
    """The columns item and score; scores are 64-bit integers."""

    count: int
    """The number of rows."""


@contextmanager
def sound_rows(scores: "DataFrame", domain: Domain | None) -> Iterator[SoundRows]:
    """Yield the checked rows of a frame with the columns item and score, or refuse them.

    Without a domain, all items are accepted.
    """
    functions = import_extra("pyspark.sql.functions", "spark")

    def by_item() -> "DataFrame":
        rows = functions.count("*").alias("rows")
        return scores.groupBy("item").agg(rows, functions.max("score").alias("score"))

    with checkpoint_rows(scores, by_item) as rows:
        count = ask_spark(scores.sparkSession, lambda: checked_count(rows, domain))
        whole = functions.col("score").cast("bigint").alias("score")
        yield SoundRows(ask_spark(scores.sparkSession, lambda: rows.select("item", whole)), count)


def checked_count(rows: "DataFrame", domain: Domain | None) -> int:
    """Return the number of items, or raise the first validation error found in any row."""
    functions = import_extra("pyspark.sql.functions", "spark")
    flaws = forbidden_conditions(functions, domain)
    any_row = [functions.max(condition) for condition, _ in flaws]
    count, *is_met = rows.agg(functions.count("*"), *any_row).collect()[0]
    raise_first([error for _, error in flaws], is_met)
    return int(count)


def forbidden_conditions(functions: Any, domain: Domain | None) -> list[tuple[Any, SelectionError]]:
    """Return the conditions that no row may meet, each with its error.

    In Spark, NaN is above every number; the check for fractions comes first and finds it.
    """
    item, score = functions.col("item"), functions.col("score")
    flaws = [
        (item.isNull(), null_error("item", Reason.UNKNOWN_ITEM)),
        (functions.col("rows") > 1, duplicate_item_error()),
        (score.isNull(), null_error("score", Reason.MISSING_SCORE)),
        (score % 1 != 0, fractional_score_error()),
        (score < 0, negative_score_error()),
        (score > LARGEST_SCORE, large_score_error()),
    ]
    if isinstance(domain, RangeDomain) and domain.kind is int:
        flaws.append(((item < domain.first) | (item > domain.last), outside_domain_error(domain)))
    return flaws
