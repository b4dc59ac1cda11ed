"""Facts about access to a Spark frame, and about its errors."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from privtopk.impl.sources.spark.frame import (
    ask_spark,
    checkpoint_rows,
    kind_of,
    require_frame,
    score_columns,
)
from privtopk.spec.model.errors import Reason, SelectionError
from spark_session import SPARK, frame, held_blocks, lose_blocks, sorted_rows, spark_session
from support import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = SPARK


@pytest.fixture
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """Return a running session."""
    return spark_session(tmp_path_factory.getbasetemp())


def write_csv(folder: Path, *scores: int) -> str:
    """Write the scores of the items 0, 1, ... to a CSV file, replacing its content."""
    path = folder / "scores.csv"
    path.write_text("".join(f"{item},{score}\n" for item, score in enumerate(scores)))
    return str(path)


@pytest.fixture
def file_frame(spark: "SparkSession", tmp_path: Path) -> "DataFrame":
    """Return a frame over a file with the scores 5 and 7."""
    return spark.read.schema("item int, score int").csv(write_csv(tmp_path, 5, 7))


BEFORE, AFTER = [(0, 5), (1, 7)], [(0, 8), (1, 0)]


def test_a_frame_is_read_again_by_each_action(file_frame: "DataFrame", tmp_path: Path) -> None:
    """The control: without a checkpoint, a frame shows the present content of its file."""
    assert sorted_rows(file_frame) == BEFORE
    write_csv(tmp_path, 8, 0)
    assert sorted_rows(file_frame) == AFTER


def test_a_checkpoint_does_not_change(file_frame: "DataFrame", tmp_path: Path) -> None:
    """A checkpoint shows the old content of the file, even after the file was deleted."""
    with checkpoint_rows(file_frame, lambda: file_frame) as rows:
        write_csv(tmp_path, 8, 0)
        assert sorted_rows(rows) == BEFORE
        (tmp_path / "scores.csv").unlink()
        assert sorted_rows(rows) == BEFORE


def test_what_is_lost_is_not_read_again(file_frame: "DataFrame", tmp_path: Path) -> None:
    """Lost blocks are not computed again from a file that has changed."""
    with checkpoint_rows(file_frame, lambda: file_frame) as rows:
        write_csv(tmp_path, 8, 0)
        lose_blocks(file_frame.sparkSession)
        assert refusal(lambda: ask_spark(file_frame.sparkSession, lambda: sorted_rows(rows))) == (
            Reason.UNREACHABLE_SOURCE,
            "the Spark frame cannot be read: CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND",
        )


def test_a_cache_reads_again(file_frame: "DataFrame", tmp_path: Path) -> None:
    """The control: a lost cache is computed again from the present file."""
    cached = file_frame.persist()
    assert sorted_rows(cached) == BEFORE
    write_csv(tmp_path, 8, 0)
    lose_blocks(file_frame.sparkSession)
    assert sorted_rows(cached) == AFTER
    cached.unpersist(blocking=True)


def test_a_checkpoint_is_released(file_frame: "DataFrame") -> None:
    """Nothing is kept afterwards, with or without an error."""
    session = file_frame.sparkSession
    with checkpoint_rows(file_frame, lambda: file_frame):
        assert held_blocks(session) == 1
    assert held_blocks(session) == 0
    with pytest.raises(KeyError), checkpoint_rows(file_frame, lambda: file_frame):
        raise KeyError
    assert held_blocks(session) == 0
    wrong = raising_frame(session)
    with pytest.raises(SelectionError), checkpoint_rows(wrong, lambda: wrong):
        pass
    assert held_blocks(session) == 0


def test_the_cache_of_a_caller_stays(file_frame: "DataFrame", tmp_path: Path) -> None:
    """A frame that its owner has cached stays cached."""
    cached = file_frame.persist()
    sorted_rows(cached)
    with checkpoint_rows(cached, lambda: cached):
        pass
    write_csv(tmp_path, 8, 0)
    assert sorted_rows(cached) == BEFORE
    cached.unpersist(blocking=True)


def failing_cast(session: "SparkSession") -> "DataFrame":
    """Return a frame with a text that is not a number."""
    return frame(session, "item string, score int", ("secret", 1)).selectExpr(
        "CAST(item AS INT) AS item", "score"
    )


def failing_sum(session: "SparkSession") -> "DataFrame":
    """Return a frame whose scores overflow."""
    return frame(session, "item int, score int", (1, 2**31 - 1)).selectExpr(
        "item", "score + 1 AS score"
    )


def raising_frame(session: "SparkSession") -> "DataFrame":
    """Return a frame that raises a given text."""
    return frame(session, "item int, score int", (1, 1)).selectExpr(
        "item", "raise_error('secret') AS score"
    )


def missing_file(session: "SparkSession", folder: Path) -> "DataFrame":
    """Return a frame over a file that was removed."""
    file_frame = session.read.schema("item int, score int").csv(write_csv(folder, 5))
    (folder / "scores.csv").unlink()
    return file_frame


def broken_file(session: "SparkSession", folder: Path) -> "DataFrame":
    """Return a frame over a file that was damaged."""
    path = folder / "scores.parquet"
    session.range(5).selectExpr("id AS item", "id AS score").coalesce(1).write.parquet(str(path))
    file_frame = session.read.parquet(str(path))
    (part,) = path.glob("*.parquet")
    part.write_bytes(b"secret" * 500)
    (path / f".{part.name}.crc").unlink()
    return file_frame


def dropped_table(session: "SparkSession", folder: Path) -> "DataFrame":
    """Return a frame over a table whose files were removed."""
    session.range(5).selectExpr("id AS item", "id AS score").write.saveAsTable("scores")
    file_frame = session.table("scores")
    session.sql("DROP TABLE scores")
    return file_frame


def stream(session: "SparkSession", folder: Path) -> "DataFrame":
    """Return a frame that never ends."""
    return session.readStream.format("rate").load().selectExpr("value AS item", "value AS score")


@pytest.mark.parametrize(
    ("made", "condition"),
    [
        (lambda session, folder: failing_cast(session), "CAST_INVALID_INPUT"),
        (lambda session, folder: failing_sum(session), "ARITHMETIC_OVERFLOW"),
        (lambda session, folder: raising_frame(session), "USER_RAISED_EXCEPTION"),
        (missing_file, "FAILED_READ_FILE.FILE_NOT_EXIST"),
        (broken_file, "FAILED_READ_FILE.NO_HINT"),
        (dropped_table, "FAILED_READ_FILE.FILE_NOT_EXIST"),
        (stream, "AnalysisException"),
    ],
    ids=["cast", "sum", "raise", "missing", "broken", "dropped", "stream"],
)
def test_an_error_is_named_and_no_row_is_shown(
    spark: "SparkSession",
    tmp_path: Path,
    made: "Callable[[SparkSession, Path], DataFrame]",
    condition: str,
) -> None:
    """The message has only the kind of error, and nothing of Spark's words about a row."""
    wrong = made(spark, tmp_path)
    with pytest.raises(SelectionError) as caught, checkpoint_rows(wrong, lambda: wrong):
        pass
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE
    assert str(caught.value) == f"the Spark frame cannot be read: {condition}"
    assert caught.value.__cause__ is caught.value.__context__ is None


@pytest.mark.parametrize(
    ("declared", "kind"),
    [("tinyint", int), ("smallint", int), ("int", int), ("bigint", int), ("string", str)],
)
def test_items_are_of_a_kind(spark: "SparkSession", declared: str, kind: type) -> None:
    """The schema says whether items are numbers or texts."""
    empty = spark.sql(f"SELECT CAST(NULL AS {declared}) AS item")
    assert kind_of(empty, "item") is kind


def test_a_name_is_taken_whole(spark: "SparkSession") -> None:
    """Dots and quotes in names have no special meaning."""
    given = frame(spark, "`a.b` int, `c``d` int", (1, 2))
    scores, kind = score_columns(given, "a.b", "c`d")
    assert (sorted_rows(scores), kind) == ([(1, 2)], int)


def test_a_name_in_other_letters(spark: "SparkSession") -> None:
    """A column is found by its exact name only, although Spark ignores case."""
    given = frame(spark, "Item int, score int", (1, 2))
    assert refusal(lambda: score_columns(given, "item", "score")) == (
        Reason.UNKNOWN_COLUMN,
        "the frame has no column 'item'; it has 'Item', 'score'",
    )


def test_two_columns_of_one_name(spark: "SparkSession") -> None:
    """An ambiguous name is refused."""
    given = frame(spark, "item int, score int", (1, 2)).selectExpr("item", "score", "1 AS score")
    assert refusal(lambda: ask_spark(spark, lambda: score_columns(given, "item", "score"))) == (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: AMBIGUOUS_REFERENCE",
    )


@pytest.mark.parametrize("declared", ["string", "boolean", "date", "binary", "array<int>"])
def test_scores_are_numbers(spark: "SparkSession", declared: str) -> None:
    """Scores of another type are refused by the schema."""
    given = spark.sql(f"SELECT 1 AS item, CAST(NULL AS {declared}) AS score")
    assert refusal(lambda: score_columns(given, "item", "score")) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are fetched as Arrow; without PyArrow the error names the extra."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert refusal(lambda: require_frame(None)) == (
        Reason.MISSING_PACKAGE,
        "pyarrow is not installed; pip install 'privtopk[spark]'",
    )


DEATH = """
import sys
from pathlib import Path
from privtopk.impl.sources.spark.scores import SparkScores
from privtopk.spec.model.errors import SelectionError
from spark_session import frame, spark_session

session = spark_session(Path(sys.argv[1]))
scores = SparkScores(frame(session, "item int, score int", (1, 5)), domain="public")
try:
    with scores.snapshot() as source:
        process = session.sparkContext._gateway.proc
        process.kill()
        process.wait()
        source.top(0, 1)
except SelectionError as error:
    print(error, error.reason, flush=True)
"""


def test_java_may_die(tmp_path: Path) -> None:
    """If Java is killed during a selection, the selection ends with a clear error."""
    died = subprocess.run(
        [sys.executable, "-c", DEATH, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert died.stdout == (
        "the Spark frame cannot be read: ConnectionRefusedError unreachable-source\n"
    )


def test_a_session_that_was_stopped(spark: "SparkSession") -> None:
    """A frame whose session has ended is refused."""
    gone = frame(spark, "item int, score int", (1, 5))
    spark.stop()
    questions: tuple[Callable[[], object], ...] = (
        lambda: gone.count(),
        lambda: gone.select("item"),
        lambda: gone.toArrow(),
        lambda: checkpoint_rows(gone, lambda: gone).__enter__(),
    )
    for question in questions:
        assert refusal(partial(ask_spark, gone.sparkSession, question)) == (
            Reason.UNREACHABLE_SOURCE,
            "the Spark frame cannot be read: its session has been stopped",
        )
