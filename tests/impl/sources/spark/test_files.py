"""Facts about writing scores that Spark has counted."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.spark import files as spark_files
from privtopk.impl.sources.spark.files import write_parquet, write_scores
from privtopk.impl.sources.spark.rows import SoundRows, sound_rows
from privtopk.impl.sources.spark.scores import SparkScores
from privtopk.impl.sources.spark.votes import histogram
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from spark_session import SPARK, frame, held_blocks, lose_blocks, sorted_rows, spark_session
from support import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = SPARK

NUMBERS = "item int, score int"
TEXTS = "item string, score int"
FORMATS = pytest.mark.parametrize("name", ["scores.parquet", "scores.db"])


@pytest.fixture
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """Return a running session."""
    return spark_session(tmp_path_factory.getbasetemp())


@pytest.fixture
def scores(spark: "SparkSession") -> "DataFrame":
    """Return scores of a few numbers, with ties, in more than one partition."""
    return frame(spark, NUMBERS, (3, 7), (5, 9000), (1, 7), (8, 0), (-2, 7)).repartition(3)


SORTED = [(5, 9000), (3, 7), (1, 7), (-2, 7), (8, 0)]


def stored_rows(path: Path) -> list[tuple[Any, ...]]:
    """Return the rows of a database."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT item, score FROM scores ORDER BY item").fetchall()


def rows_in(folder: Path) -> list[tuple[Any, ...]]:
    """Return the rows of a folder of Parquet files, file by file."""
    table = import_extra("pyarrow.parquet", "spark").read_table(folder)
    assert table.schema.names == ["item", "score"]
    assert [str(kind) for kind in table.schema.types] == ["int64", "int64"]
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_parquet_has_the_best_first(scores: "DataFrame", tmp_path: Path) -> None:
    """The rows of the file have descending scores, ties by descending item."""
    write_scores(scores, tmp_path / "scores.parquet")
    assert rows_in(tmp_path / "scores.parquet") == SORTED


def test_files_are_in_order(spark: "SparkSession", tmp_path: Path) -> None:
    """Many rows become several files; in the order of their names they are one descending list."""
    many = spark.range(300).selectExpr("id AS item", "id % 100 AS score")
    spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    try:
        write_scores(many, tmp_path / "scores.parquet")
    finally:
        spark.conf.unset("spark.sql.adaptive.coalescePartitions.enabled")
    assert len(list((tmp_path / "scores.parquet").glob("*.parquet"))) > 1
    expected = sorted(((item % 100, item) for item in range(300)), reverse=True)
    assert rows_in(tmp_path / "scores.parquet") == [(item, score) for score, item in expected]


def test_parquet_is_read_by_spark(
    spark: "SparkSession", scores: "DataFrame", tmp_path: Path
) -> None:
    """A selection from the files finds the leader."""
    write_scores(scores, tmp_path / "scores.parquet")
    read = spark.read.parquet(str(tmp_path / "scores.parquet"))
    chosen = top_k(SparkScores(read, domain=RangeDomain(-5, 10)), 1, epsilon=1)
    assert chosen.items == (5,)


def test_a_database_is_read_by_its_adapter(scores: "DataFrame", tmp_path: Path) -> None:
    """The table has the index that selections need, or there would be a warning."""
    write_scores(scores, tmp_path / "scores.db")
    assert stored_rows(tmp_path / "scores.db") == sorted(SORTED)
    database = SqliteScores(tmp_path / "scores.db", "scores", domain=RangeDomain(-5, 10))
    assert top_k(database, 1, epsilon=1).items == (5,)


@pytest.mark.parametrize("kind", ["INTEGER", "TEXT"])
def test_a_database_is_strict(spark: "SparkSession", tmp_path: Path, kind: str) -> None:
    """The constraints of the table make the checks of a selection unnecessary."""
    columns, item = (NUMBERS, 1) if kind == "INTEGER" else (TEXTS, "fig")
    write_scores(frame(spark, columns, (item, 5)), tmp_path / "scores.sqlite")
    with closing(sqlite3.connect(tmp_path / "scores.sqlite")) as connection:
        statements = [text for (text,) in connection.execute("SELECT sql FROM sqlite_master")]
    assert [text for text in statements if text] == [
        f"CREATE TABLE scores (item {kind} PRIMARY KEY NOT NULL, score INTEGER NOT NULL) STRICT",
        "CREATE INDEX by_score ON scores (score, item)",
    ]


@FORMATS
def test_texts_are_written_as_they_are(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    """Quotes, line ends, any Unicode character and the empty text are kept."""
    rows = [("a'b", 1), ('"', 2), ("", 3), ("l\n", 4), ("\U0001f95d", 5), ("a\0b", 6), ("0", 7)]
    write_scores(frame(spark, TEXTS, *rows), tmp_path / name)
    if name.endswith(".db"):
        assert stored_rows(tmp_path / name) == sorted(rows)
    else:
        assert sorted_rows(spark.read.parquet(str(tmp_path / name))) == sorted(rows)


def test_votes_are_written(spark: "SparkSession", tmp_path: Path) -> None:
    """From raw votes to an index: a client that votes a thousand times counts once."""
    votes = (
        spark.range(1000)
        .selectExpr("7 AS client", "4 AS item")
        .union(spark.range(3).selectExpr("id AS client", "5 AS item"))
    )
    write_scores(histogram(votes, domain=RangeDomain(1, 9)), tmp_path / "scores.db")
    assert stored_rows(tmp_path / "scores.db") == [(4, 1), (5, 3)]


@FORMATS
def test_no_votes_are_written(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    """Without votes, the table is empty."""
    write_scores(frame(spark, NUMBERS), tmp_path / name)
    if name.endswith(".db"):
        assert stored_rows(tmp_path / name) == []
    else:
        assert rows_in(tmp_path / name) == []


@FORMATS
def test_any_name_will_do(
    scores: "DataFrame", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A path may be relative, and contain blanks and special characters."""
    monkeypatch.chdir(tmp_path)
    write_scores(scores, f"a b%20#ü?{{x}}*.{name}")
    assert [path.name for path in tmp_path.iterdir()] == [f"a b%20#ü?{{x}}*.{name}"]


@FORMATS
def test_nothing_is_left_but_the_scores(
    spark: "SparkSession", scores: "DataFrame", tmp_path: Path, name: str
) -> None:
    """No temporary file is left, and Spark keeps no rows."""
    write_scores(scores, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert held_blocks(spark) == 0


@FORMATS
def test_nothing_is_written_over(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    """An existing path is refused before anything is read, and not changed."""
    unreadable = spark.sql("SELECT 1 AS item, CAST(raise_error('read') AS INT) AS score")
    (tmp_path / name).write_text("precious")
    assert refusal(lambda: write_scores(unreadable, tmp_path / name)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{tmp_path / name} cannot be written: it exists already",
    )
    assert (tmp_path / name).read_text() == "precious"


def writer_followed_by(write: Any, meddle: Callable[[], None]) -> Any:
    """Return a writer that calls a function after it has written."""

    def written(rows: SoundRows, place: Path) -> None:
        write(rows, place)
        meddle()

    return written


WRITERS = pytest.mark.parametrize(
    ("name", "writer"), [("scores.parquet", "write_parquet"), ("scores.db", "write_sqlite")]
)


@WRITERS
def test_a_path_that_is_taken_during_the_writing(
    scores: "DataFrame", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, writer: str
) -> None:
    """A file that others created at the path in the meantime stays."""
    place = tmp_path / name

    def take() -> None:
        place.write_text("precious")

    monkeypatch.setattr(spark_files, writer, writer_followed_by(getattr(spark_files, writer), take))
    assert refusal(lambda: write_scores(scores, place)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{place} cannot be written: it exists already",
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert place.read_text() == "precious"


@WRITERS
def test_an_interruption_leaves_nothing(
    spark: "SparkSession",
    scores: "DataFrame",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    writer: str,
) -> None:
    """After any failure, no file is left and Spark keeps no rows."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(
        spark_files, writer, writer_followed_by(getattr(spark_files, writer), interrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        write_scores(scores, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    assert held_blocks(spark) == 0


@WRITERS
def test_rows_that_are_lost_before_they_are_written(
    spark: "SparkSession",
    scores: "DataFrame",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    writer: str,
) -> None:
    """If rows are lost before they are written, nothing is written."""
    write = getattr(spark_files, writer)

    def bereft(rows: SoundRows, place: Path) -> None:
        lose_blocks(spark)
        write(rows, place)

    monkeypatch.setattr(spark_files, writer, bereft)
    assert refusal(lambda: write_scores(scores, tmp_path / name)) == (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND",
    )
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_wrong_scores_are_not_written(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    """Rows are checked first."""
    rows = frame(spark, NUMBERS, (1, 5), (1, 6))
    assert refusal(lambda: write_scores(rows, tmp_path / name)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_votes_without_an_item_are_not_written(
    spark: "SparkSession", tmp_path: Path, name: str
) -> None:
    """An error that a histogram raises when it runs is reported as such."""
    votes = frame(spark, "client int, item int", (1, None))
    assert refusal(lambda: write_scores(histogram(votes, domain="public"), tmp_path / name)) == (
        Reason.NOT_A_VOTE,
        "no item of a vote may be NULL",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(scores: "DataFrame", tmp_path: Path) -> None:
    """The folder of a database must exist."""
    place = tmp_path / "nowhere" / "scores.db"
    assert refusal(lambda: write_scores(scores, place)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{place} cannot be written: unable to open database file",
    )


def test_executors_with_disks_of_their_own(scores: "DataFrame", tmp_path: Path) -> None:
    """It is an error if the folder has fewer rows than Spark has written."""
    with (
        sound_rows(scores, None) as rows,
        pytest.raises(OSError, match=r"^an executor wrote to its own file system; all must"),
    ):
        write_parquet(replace(rows, count=6), tmp_path / "scores.parquet")


def test_a_format_that_is_not_known(scores: "DataFrame", tmp_path: Path) -> None:
    """The ending of the path decides the format."""
    assert refusal(lambda: write_scores(scores, tmp_path / "scores.csv")) == (
        Reason.WRONG_TYPE,
        "scores are written to .parquet, .db, .sqlite, .sqlite3, got 'scores.csv'",
    )


def test_a_column_that_is_not_there(scores: "DataFrame", tmp_path: Path) -> None:
    """A histogram has the columns item and score."""
    renamed = scores.withColumnRenamed("score", "n")
    assert refusal(lambda: write_scores(renamed, tmp_path / "scores.db")) == (
        Reason.UNKNOWN_COLUMN,
        "the frame has no column 'score'; it has 'item', 'n'",
    )
