"""Facts about counting votes with Spark."""

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.spark.frame import ask_spark
from privtopk.impl.sources.spark.votes import histogram, read_votes
from privtopk.spec.model.errors import Reason
from spark_session import SPARK, frame, sorted_rows, spark_session
from support import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = SPARK

BALLOTS = (("ann", "fig"), ("ann", "fig"), ("bob", "fig"), ("ann", "pear"), ("ann", "fig"))
TEXTS = "client string, item string"
NUMBERS = "client int, item int"


@pytest.fixture
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """Return a running session."""
    return spark_session(tmp_path_factory.getbasetemp())


@pytest.fixture
def votes(spark: "SparkSession") -> "DataFrame":
    """Return votes with one pair that occurs three times."""
    return frame(spark, TEXTS, *BALLOTS)


def count_votes(votes: "DataFrame", domain: Any, **names: str) -> list[tuple[Any, ...]]:
    """Return the scores of votes, or raise the error that a selection would raise."""
    scores = histogram(votes, domain=domain, **names)
    return ask_spark(votes.sparkSession, lambda: sorted_rows(scores))


def test_a_client_counts_once(votes: "DataFrame") -> None:
    """A pair of client and item is one vote, however often it occurs."""
    assert count_votes(votes, "public") == [("fig", 2), ("pear", 1)]


def test_rows_are_not_votes(votes: "DataFrame") -> None:
    """The control: counting rows gives another number."""
    assert sorted_rows(votes.groupBy("item").count()) == [("fig", 4), ("pear", 1)]


def test_pairs_that_meet_in_no_partition_count_once(spark: "SparkSession") -> None:
    """Equal pairs in different partitions count once."""
    votes = frame(spark, NUMBERS, *[(1, 7)] * 40, (2, 7)).repartition(8)
    assert count_votes(votes, "public") == [(7, 2)]


def test_columns_have_any_name(spark: "SparkSession") -> None:
    """Dots, quotes and blanks are part of a name."""
    votes = frame(spark, "`who.``is` string, `the item` string", ("ann", "fig"))
    assert count_votes(votes, "public", client="who.`is", item="the item") == [("fig", 1)]


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (RangeDomain(2, 3), [(2, 1), (3, 1)]),
        (RangeDomain(2, 3, str), [("2", 1), ("3", 1)]),
        (ListedDomain([3, 9]), [(3, 1)]),
        (ListedDomain(["3", "9", "fig"]), [("3", 1)]),
        (RangeDomain(7, 9), []),
    ],
    ids=repr,
)
@pytest.mark.parametrize("kind", ["int", "string"])
def test_votes_outside_the_domain_are_dropped(
    spark: "SparkSession", domain: Domain, expected: list[tuple[Any, int]], kind: str
) -> None:
    """Items outside the domain get no score; items are spelt as in the domain."""
    votes = frame(spark, NUMBERS, (1, 1), (1, 2), (1, 3), (1, 4))
    given = votes.selectExpr("client", f"cast(item AS {kind}) AS item")
    assert count_votes(given, domain) == expected


@pytest.mark.parametrize("domain", [RangeDomain(0, 9), ListedDomain([0, 2])], ids=repr)
def test_a_number_is_written_in_one_way(spark: "SparkSession", domain: Domain) -> None:
    """A number in another spelling is not an item of the domain."""
    texts = ["", "fig", "02", "+2", " 2", "2 ", "2\n", "2.0", "-0", "2e0", "٢", "9" * 30, "2"]
    votes = frame(spark, TEXTS, *((f"client of {text}", text) for text in texts))
    assert count_votes(votes, domain) == [(2, 1)]


def test_negative_numbers_are_items(spark: "SparkSession") -> None:
    """A minus sign is part of a number."""
    votes = frame(spark, TEXTS, ("ann", "-2"), ("ann", "-11"))
    assert count_votes(votes, RangeDomain(-10, 0)) == [(-2, 1)]


def test_a_collation_does_not_merge_items(spark: "SparkSession") -> None:
    """Texts that differ in case are different items, whatever the column says."""
    votes = frame(spark, TEXTS, ("ann", "fig"), ("bob", "FIG"))
    given = votes.selectExpr("client", "collate(item, 'UTF8_LCASE') AS item")
    assert count_votes(given, ListedDomain(["fig", "FIG"])) == [("FIG", 1), ("fig", 1)]


DOMAINS = pytest.mark.parametrize(
    "domain", ["public", RangeDomain(1, 3), RangeDomain(1, 3, str), ListedDomain([1])], ids=repr
)


@DOMAINS
@pytest.mark.parametrize("columns", [TEXTS, NUMBERS])
@pytest.mark.parametrize("votes", [[(1, None)], [(1, 1), (2, 1), (2, None)]], ids=["one", "more"])
def test_an_item_that_is_null(
    spark: "SparkSession", columns: str, domain: Any, votes: list[tuple[Any, Any]]
) -> None:
    """A vote with a NULL item is refused, not dropped like a vote outside the domain."""
    kind = str if columns is TEXTS else int
    given = [(kind(client), None if item is None else kind(item)) for client, item in votes]
    assert refusal(lambda: count_votes(frame(spark, columns, *given), domain)) == (
        Reason.NOT_A_VOTE,
        "no item of a vote may be NULL",
    )


@DOMAINS
def test_a_client_that_is_null(spark: "SparkSession", domain: Any) -> None:
    """A vote with a NULL client is refused."""
    votes = frame(spark, NUMBERS, (1, 1), (None, 1), (2, 1))
    assert refusal(lambda: count_votes(votes, domain)) == (
        Reason.NOT_A_VOTE,
        "no client of a vote may be NULL",
    )


def test_the_domain_is_declared(votes: "DataFrame") -> None:
    """The domain is never taken from the votes unless it is declared public."""
    reason, message = refusal(lambda: histogram(votes))
    assert reason is Reason.UNDECLARED_DOMAIN
    assert message.startswith("the domain must be declared")


@pytest.mark.parametrize("name", ["client", "item"])
def test_a_column_that_is_not_there(votes: "DataFrame", name: str) -> None:
    """The message lists the columns that exist."""
    assert refusal(lambda: histogram(votes.drop(name), domain="public")) == (
        Reason.UNKNOWN_COLUMN,
        f"the frame has no column {name!r}; it has "
        + ("'item'" if name == "client" else "'client'"),
    )


@pytest.mark.parametrize("kind", ["double", "decimal(9,0)", "boolean", "date", "binary"])
def test_items_are_texts_or_whole_numbers(spark: "SparkSession", kind: str) -> None:
    """Items of another type are refused by the schema, before a vote is read."""
    votes = spark.sql(f"SELECT 1 AS client, CAST(NULL AS {kind}) AS item")
    assert refusal(lambda: histogram(votes, domain="public")) == (
        Reason.WRONG_TYPE,
        "the items of a table must be all texts or all whole numbers",
    )


def test_votes_are_a_frame() -> None:
    """A list is refused."""
    votes: Any = [("ann", "fig")]
    assert refusal(lambda: histogram(votes, domain="public")) == (
        Reason.WRONG_TYPE,
        "frame must be a Spark DataFrame (not of Spark Connect), got list",
    )


def test_votes_in_csv(spark: "SparkSession", tmp_path: Path) -> None:
    """A header names the columns; quoted fields may contain commas and quotes."""
    path = tmp_path / "votes.csv"
    path.write_text('item,client\n"fig, ""dried""",ann\nÖ,ann\n"fig, ""dried""",ann\n')
    expected = [('fig, "dried"', 1), ("Ö", 1)]
    assert count_votes(read_votes(spark, path), "public") == expected


def test_numbers_in_csv(spark: "SparkSession", tmp_path: Path) -> None:
    """The texts of a CSV file are read as numbers if the domain consists of numbers."""
    path = tmp_path / "votes.csv"
    path.write_text("client,item\n1,5\n2,5\n1,6\n1,7\n")
    assert count_votes(read_votes(spark, str(path)), RangeDomain(5, 6)) == [(5, 2), (6, 1)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ann,", "no item of a vote may be NULL"),
        (",fig", "no client of a vote may be NULL"),
        ('"",fig', "no client of a vote may be NULL"),
        ("ann", "the Spark frame cannot be read: FAILED_READ_FILE.NO_HINT"),
    ],
)
def test_a_field_of_csv_that_is_missing(
    spark: "SparkSession", tmp_path: Path, line: str, message: str
) -> None:
    """A vote that lacks a field is refused."""
    path = tmp_path / "votes.csv"
    path.write_text(f"client,item\nbob,fig\n{line}\n")
    assert (
        refusal(lambda: count_votes(read_votes(spark, path), ListedDomain(["fig"])))[1] == message
    )


def test_files_of_csv_that_disagree(spark: "SparkSession", tmp_path: Path) -> None:
    """Files with another order of columns are refused: clients would become items."""
    folder = tmp_path / "votes.csv"
    folder.mkdir()
    (folder / "1.csv").write_text("client,item\nann,fig\n")
    (folder / "2.csv").write_text("item,client\nfig,bob\n")
    assert refusal(lambda: count_votes(read_votes(spark, folder), "public")) == (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: FAILED_READ_FILE.NO_HINT",
    )


def test_votes_in_parquet(spark: "SparkSession", votes: "DataFrame", tmp_path: Path) -> None:
    """A folder of Parquet files is read as one."""
    path = tmp_path / "votes.parquet"
    votes.write.parquet(str(path))
    assert count_votes(read_votes(spark, path), "public") == [("fig", 2), ("pear", 1)]


@pytest.mark.parametrize("name", ["votes.csv", "votes.parquet"])
def test_votes_that_are_not_there(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    """The message has Spark's error condition."""
    assert refusal(lambda: read_votes(spark, tmp_path / name)) == (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: PATH_NOT_FOUND",
    )


def test_votes_in_compressed_csv(spark: "SparkSession", tmp_path: Path) -> None:
    """Compressed files are read; the ending says how."""
    path = tmp_path / "votes.CSV.gz"
    path.write_bytes(gzip.compress(b"client,item\n1,5\n2,5\n", mtime=0))
    assert count_votes(read_votes(spark, path), RangeDomain(5, 6)) == [(5, 2)]


@pytest.mark.parametrize("name", ["votes.json", "votes.csvx", "votes.parquet.zip", "csv", ""])
def test_votes_of_another_kind(spark: "SparkSession", name: str) -> None:
    """The ending of a file decides its format."""
    assert refusal(lambda: read_votes(spark, name)) == (
        Reason.WRONG_TYPE,
        f"votes must be a .csv or a .parquet, got {name!r}",
    )


def test_votes_are_read_by_a_session() -> None:
    """Without a session nothing is read."""
    session: Any = None
    assert refusal(lambda: read_votes(session, "votes.csv")) == (
        Reason.WRONG_TYPE,
        "session must be a SparkSession, got NoneType",
    )
