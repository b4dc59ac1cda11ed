"""Access to a Spark frame: its columns, a fixed copy of its rows, and clear errors.

An error of Spark may quote a row. So a message has only the name of Spark's error condition. The
trace of Java is in the log of Spark.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.faults import replace_errors, unreachable_error
from privtopk.impl.sources.rows import fractional_score_error
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

Answer = TypeVar("Answer")

NULL_CLIENT: Final = "no client of a vote may be NULL"
NULL_ITEM: Final = "no item of a vote may be NULL"
"""The errors of a histogram of votes inside Spark, which can raise texts only."""

CONDITION: Final = re.compile(r"org\.apache\.spark\.[\w.]+: \[([A-Z0-9]+(?:[_.][A-Z0-9]+)+)\]")
"""An error condition in a trace of Java, after the name of an exception of Spark."""


def require_frame(frame: object) -> None:
    """Refuse anything but a frame of a Spark session in this process; PyArrow must be installed."""
    kind = import_extra("pyspark.sql.classic.dataframe", "spark").DataFrame
    import_extra("pyarrow", "spark")
    if not isinstance(frame, kind):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"frame must be a Spark DataFrame (not of Spark Connect), got {type(frame).__name__}",
        )


def column_of(frame: "DataFrame", name: str) -> "Column":
    """Return a column by its exact name, or refuse a missing one."""
    if name not in frame.columns:
        raise SelectionError(
            Reason.UNKNOWN_COLUMN,
            f"the frame has no column {name!r}; it has {', '.join(map(repr, frame.columns))}",
        )
    quoted = "`" + name.replace("`", "``") + "`"
    found: Column = import_extra("pyspark.sql.functions", "spark").col(quoted)
    return found


def kind_of(frame: "DataFrame", name: str) -> Kind:
    """Return whether a column holds whole numbers or texts, by the schema."""
    types = import_extra("pyspark.sql.types", "spark")
    declared = frame.schema[name].dataType
    if isinstance(declared, types.IntegralType):
        return int
    if isinstance(declared, types.StringType):
        return str
    raise SelectionError(
        Reason.WRONG_TYPE, "the items of a table must be all texts or all whole numbers"
    )


def score_columns(frame: "DataFrame", item: str, score: str) -> tuple["DataFrame", Kind]:
    """Return a frame with the columns item and score, and the kind of the items.

    Texts lose their collation, because a domain compares texts exactly.
    """
    types = import_extra("pyspark.sql.types", "spark")
    items, scores = column_of(frame, item), column_of(frame, score)
    kind = kind_of(frame, item)
    if not isinstance(frame.schema[score].dataType, types.NumericType):
        raise fractional_score_error()
    written = items.cast("bigint" if kind is int else "string")
    return frame.select(written.alias("item"), scores.alias("score")), kind


@contextmanager
def checkpoint_rows(frame: "DataFrame", plan: Callable[[], "DataFrame"]) -> Iterator["DataFrame"]:
    """Yield the rows of a plan as one scan finds them, and release them afterwards.

    Each action runs a plan again, on files that may have changed. A local checkpoint keeps the
    rows of the first run and forgets the plan. If blocks are lost with their executor, the
    selection fails; a cache would silently compute them again.
    """
    rows = ask_spark(frame.sparkSession, lambda: plan().localCheckpoint(eager=False))
    try:
        # If an eager checkpoint fails, it leaves blocks behind that nothing can release.
        ask_spark(frame.sparkSession, rows.count)
        yield rows
    finally:
        release_checkpoint(rows)


def release_checkpoint(rows: "DataFrame") -> None:
    """Release the blocks of a checkpoint, which the public interface of a frame cannot."""
    # A stopped session has released everything.
    with suppress(Exception):
        rows._jdf.queryExecution().logical().rdd().unpersist(False)


def ask_spark(session: "SparkSession", action: Callable[[], Answer]) -> Answer:
    """Return Spark's answer, or raise an error without the rows that Spark's exception quotes."""
    with translate_driver_errors(session):
        return action()


def translate_driver_errors(session: "SparkSession") -> AbstractContextManager[None]:
    """Return a context that turns exceptions of Spark into errors of a selection.

    A stopped session raises exceptions of many types, so all are caught.
    """
    return replace_errors((Exception,), lambda error: spark_error(session, error))


def spark_error(session: "SparkSession", error: Exception) -> SelectionError:
    """Return the error for an exception of Spark, without the rows that it may quote."""
    message = str(error)
    for flaw in (NULL_CLIENT, NULL_ITEM):
        if f"[USER_RAISED_EXCEPTION] {flaw}" in message:
            return SelectionError(Reason.NOT_A_VOTE, flaw)
    if session.sparkContext._jsc is None:
        cause = "its session has been stopped"
    else:
        cause = condition_of(error) or type(error).__name__
    return unreachable_error("the Spark frame", cause)


def condition_of(error: Exception) -> str | None:
    """Return the name of Spark's error condition, if it is known."""
    if isinstance(error, import_extra("pyspark.errors", "spark").PySparkException):
        declared: str | None = error.getCondition()
        return None if declared is None or declared.startswith("_LEGACY") else declared
    found = CONDITION.search(str(error))
    return found[1] if found else None
