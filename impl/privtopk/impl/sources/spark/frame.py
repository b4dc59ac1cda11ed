"""What is asked of a Spark frame: its columns, a state of it that holds still, and clear errors.

What Spark says of a row may quote it, so a message tells the name of Spark's error condition
and no more; the exception with its Java trace is the cause.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.rows import fractional
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

Answer = TypeVar("Answer")

NULL_CLIENT: Final = "no client of a vote may be NULL"
NULL_ITEM: Final = "no item of a vote may be NULL"
"""What a histogram of votes raises inside Spark, where nothing but a text can be raised."""

CONDITION: Final = re.compile(r"\[([A-Z0-9]+(?:[_.][A-Z0-9]+)+)\]")
"""How Spark writes the name of an error condition."""


def require_frame(frame: object) -> None:
    """Refuse what is not a frame of a Spark session in this process, or what cannot be fetched."""
    kind = import_extra("pyspark.sql.classic.dataframe", "spark").DataFrame
    import_extra("pyarrow", "spark")
    if not isinstance(frame, kind):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"frame must be a Spark DataFrame (not of Spark Connect), got {type(frame).__name__}",
        )


def column(frame: "DataFrame", name: str) -> "Column":
    """Return a column by its name, dots and quotes and all, or refuse one that is not there."""
    if name not in frame.columns:
        raise SelectionError(
            Reason.UNKNOWN_COLUMN,
            f"the frame has no column {name!r}; it has {', '.join(map(repr, frame.columns))}",
        )
    quoted = "`" + name.replace("`", "``") + "`"
    found: Column = import_extra("pyspark.sql.functions", "spark").col(quoted)
    return found


def kind_of(frame: "DataFrame", name: str) -> Kind:
    """Return whether a column holds whole numbers or texts; the schema says so."""
    types = import_extra("pyspark.sql.types", "spark")
    declared = frame.schema[name].dataType
    if isinstance(declared, types.IntegralType):
        return int
    if isinstance(declared, types.StringType):
        return str
    raise SelectionError(
        Reason.WRONG_TYPE, "the items of a table must be all texts or all whole numbers"
    )


def scored(frame: "DataFrame", item: str, score: str) -> tuple["DataFrame", Kind]:
    """Return the columns of items and of scores under these names, and what items are.

    Texts lose their collation, if they have one: a domain knows texts that are equal or not.
    """
    types = import_extra("pyspark.sql.types", "spark")
    items, scores = column(frame, item), column(frame, score)
    kind = kind_of(frame, item)
    if not isinstance(frame.schema[score].dataType, types.NumericType):
        raise fractional()
    written = items.cast("bigint" if kind is int else "string")
    return frame.select(written.alias("item"), scores.alias("score")), kind


@contextmanager
def held(frame: "DataFrame", plan: Callable[[], "DataFrame"]) -> Iterator["DataFrame"]:
    """Yield the rows of a plan over a frame as one scan finds them, and release them afterwards.

    A plan is run anew by each action, on files that may have changed. A local checkpoint keeps
    what the first run found and forgets where it came from: blocks that are lost, as with their
    executor, end the selection. A cache would quietly compute them again.
    """
    rows = asked(frame.sparkSession, lambda: plan().localCheckpoint(eager=False))
    try:
        # An eager checkpoint that fails leaves blocks behind and nothing to release them by.
        asked(frame.sparkSession, rows.count)
        yield rows
    finally:
        release(rows)


def release(rows: "DataFrame") -> None:
    """Let go of a checkpoint; a frame cannot, because it is its blocks that are kept."""
    # A session that is gone has let go of everything.
    with suppress(Exception):
        rows._jdf.queryExecution().logical().rdd().unpersist(False)


def asked(session: "SparkSession", question: Callable[[], Answer]) -> Answer:
    """Return Spark's answer; whatever is raised meanwhile becomes the cause of a clear error.

    A session that was stopped shows in errors of every type, so all of them are caught.
    """
    try:
        return question()
    except SelectionError:
        raise
    except Exception as error:
        raise failed(session, error) from error


def failed(session: "SparkSession", error: Exception) -> SelectionError:
    """Return what an exception of Spark means, without what it says of rows."""
    said = str(error)
    for refusal in (NULL_CLIENT, NULL_ITEM):
        if f"[USER_RAISED_EXCEPTION] {refusal}" in said:
            return SelectionError(Reason.NOT_A_VOTE, refusal)
    if session.sparkContext._jsc is None:
        cause = "its session has been stopped"
    else:
        condition = CONDITION.search(said)
        cause = condition[1] if condition else type(error).__name__
    return SelectionError(Reason.UNREACHABLE_SOURCE, f"the Spark frame cannot be read: {cause}")
