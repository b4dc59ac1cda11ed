"""Facts about scores in Spark."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import Page, Source
from privtopk.impl.sources.spark.scores import SparkScores
from privtopk.impl.sources.spark.votes import histogram
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from spark_session import SPARK, frame, held_blocks, lose_blocks, spark_session
from support import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = SPARK

NUMBERS = "item int, score int"
TEXTS = "item string, score int"
AHEAD = 10**6
"""Noise of scale 1 makes up for such a lead with a probability below e^-999999."""


@pytest.fixture
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """Return a running session."""
    return spark_session(tmp_path_factory.getbasetemp())


@pytest.fixture
def numbers(spark: "SparkSession") -> "DataFrame":
    """Return scores of a few numbers, with ties."""
    return frame(spark, NUMBERS, (3, 7), (5, 9), (1, 7), (8, 0), (2, 7))


@pytest.fixture
def texts(spark: "SparkSession") -> "DataFrame":
    """Return scores of texts with special characters."""
    return frame(spark, TEXTS, ("a'b", 3), ('"', 9), ("Ö`\\", 3), ("fig", 1))


def entries(source: Source, page: Page) -> list[tuple[object, int]]:
    """Return a page with the names of its items."""
    names = [source.name(item) for item in page.items.tolist()]
    return list(zip(names, page.scores.tolist(), strict=True))


@pytest.mark.parametrize("pages", [[6], [1, 1, 1, 1, 1, 1], [2, 4], [4, 2], [5, 1]], ids=str)
def test_sorted_access_in_pages(numbers: "DataFrame", pages: list[int]) -> None:
    """Pages of any length are parts of one list: ties by item, then items without a row."""
    with SparkScores(numbers, domain=RangeDomain(1, 6 + 2)).snapshot() as source:
        found: list[tuple[object, int]] = []
        for count in pages:
            found += entries(source, source.top(len(found), count))
    assert found == [(5, 9), (3, 7), (2, 7), (1, 7), (8, 0), (4, 0)]


def test_sorted_access_of_texts(texts: "DataFrame") -> None:
    """Ties of texts are in the order of their bytes, across pages too."""
    with SparkScores(texts, domain="public").snapshot() as source:
        found = [entries(source, source.top(start, 1))[0] for start in range(4)]
        again = entries(source, source.top(0, 4))
    assert found == again == [('"', 9), ("Ö`\\", 3), ("a'b", 3), ("fig", 1)]


def test_random_access(numbers: "DataFrame") -> None:
    """Scores come in the order of the request; an item without a row has score 0."""
    with SparkScores(numbers, domain=RangeDomain(1, 8)).snapshot() as source:
        assert source.scores(np.array([4, 0, 3, 4])).tolist() == [9, 7, 0, 9]


def test_random_access_to_texts(texts: "DataFrame") -> None:
    """Texts are sent unchanged."""
    domain = ListedDomain(["Ö`\\", "quince", '"', "a'b", "fig"])
    with SparkScores(texts, domain=domain).snapshot() as source:
        assert source.scores(np.arange(4)).tolist() == [3, 0, 9, 3]


def test_columns_have_any_name(spark: "SparkSession") -> None:
    """Names of columns are taken literally."""
    named = frame(spark, "`it.em` int, `the ``score` int", (1, 5))
    scores = SparkScores(named, item="it.em", score="the `score", domain="public")
    assert top_k(scores, 1, epsilon=1).items == (1,)


@pytest.mark.parametrize("engine", ["one-shot", "threshold", "online", "rank-free", "batched"])
def test_leaders_far_ahead_are_selected(spark: "SparkSession", engine: str) -> None:
    """Every engine selects the leaders in their order; m is small for engines with many queries."""
    m = 5000 if engine in ("one-shot", "batched") else 12
    leaders = frame(spark, NUMBERS, (7, 2 * AHEAD), (3, AHEAD), (5, 1))
    scores = SparkScores(leaders, domain=RangeDomain(1, m))
    assert top_k(scores, 2, epsilon=2, engine=engine).items == (7, 3)
    assert held_blocks(spark) == 0


def test_two_queries_are_enough(spark: "SparkSession") -> None:
    """The default engine needs one page and one list of items, even on a plateau.

    With free queries, it would need five.
    """
    plateau = spark.range(20_000).selectExpr("id AS item", "IF(id < 245, 1000, 0) AS score")
    audit = top_k(SparkScores(plateau, domain="public"), 3, epsilon=1, rng=1).audit
    assert (audit.engine, audit.round_trips) == ("batched", 2)


def test_texts_are_selected(texts: "DataFrame") -> None:
    """Items are the texts of the frame."""
    more = texts.selectExpr("item", f"score * {AHEAD} AS score")
    assert top_k(SparkScores(more, domain="public"), 1, epsilon=1).items == ('"',)


def test_votes_are_counted_and_selected(spark: "SparkSession") -> None:
    """A histogram can be selected from; each client counts once per item."""
    votes = (
        spark.range(3000)
        .selectExpr("id % 1500 AS client", "id % 2 AS item")
        .union(spark.range(3000).selectExpr("7 AS client", "9 AS item"))
    )
    scores = SparkScores(histogram(votes, domain=RangeDomain(0, 9)), domain=RangeDomain(0, 9))
    assert set(top_k(scores, 2, epsilon=2).items) == {0, 1}


def test_votes_without_a_client_end_the_selection(spark: "SparkSession") -> None:
    """An error that a histogram raises when it runs is reported as such."""
    votes = frame(spark, "client int, item int", (None, 1))
    scores = SparkScores(histogram(votes, domain="public"), domain=RangeDomain(0, 9))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.NOT_A_VOTE,
        "no client of a vote may be NULL",
    )


def test_wrong_rows_end_the_selection(spark: "SparkSession") -> None:
    """All rows are checked before a selection, even those that it would not read."""
    rows = frame(spark, NUMBERS, (1, AHEAD), (2, -1), (3, 5))
    scores = SparkScores(rows, domain=RangeDomain(1, 10**6))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.NEGATIVE_SCORE,
        "no score may be negative",
    )


def test_an_item_that_is_not_listed(spark: "SparkSession") -> None:
    """An item outside the listed domain is refused when it is read."""
    scores = SparkScores(frame(spark, TEXTS, ("kiwi", AHEAD)), domain=ListedDomain(["fig"]))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.UNKNOWN_ITEM,
        "there is an item outside the declared domain",
    )


def test_the_domain_is_declared(numbers: "DataFrame") -> None:
    """The domain is never taken from the frame unless it is declared public."""
    reason, message = refusal(lambda: SparkScores(numbers))
    assert reason is Reason.UNDECLARED_DOMAIN
    assert message.startswith("the domain must be declared")


def test_a_public_domain_of_consecutive_numbers(spark: "SparkSession") -> None:
    """Numbers without a gap are a range, which need not be fetched."""
    scores = SparkScores(frame(spark, NUMBERS, (4, 1), (6, 1), (5, 1)), domain="public")
    assert repr(scores.domain) == "4..6"


@pytest.mark.parametrize(("items", "size"), [([4, 6, 9], 3), (["fig", "4"], 2)])
def test_a_public_domain_of_other_items(spark: "SparkSession", items: Any, size: int) -> None:
    """Other items are listed."""
    columns = NUMBERS if items[0] == 4 else TEXTS
    scores = SparkScores(frame(spark, columns, *((item, 1) for item in items)), domain="public")
    assert (scores.size, repr(scores.domain)) == (size, f"{size} listed items")
    assert held_blocks(spark) == 0


def test_an_empty_frame_declares_nothing(spark: "SparkSession") -> None:
    """Without rows there is no public domain."""
    assert refusal(lambda: SparkScores(frame(spark, NUMBERS), domain="public")) == (
        Reason.EMPTY_DOMAIN,
        "the table is empty, so it declares no domain",
    )


def test_an_empty_frame_over_a_domain(spark: "SparkSession") -> None:
    """Without votes, every item has score 0."""
    scores = SparkScores(frame(spark, TEXTS), domain=RangeDomain(1, 3))
    assert set(top_k(scores, 3, epsilon=1).items) == {"1", "2", "3"}


def test_a_domain_is_written_as_the_frame_writes_it(spark: "SparkSession") -> None:
    """A range of numbers is written as texts if the items are texts."""
    scores = SparkScores(frame(spark, TEXTS, ("7", AHEAD)), domain=RangeDomain(1, 9))
    assert top_k(scores, 1, epsilon=1).items == ("7",)


def test_a_column_that_is_not_there(numbers: "DataFrame") -> None:
    """The message lists the columns that exist."""
    assert refusal(lambda: SparkScores(numbers, score="n", domain="public")) == (
        Reason.UNKNOWN_COLUMN,
        "the frame has no column 'n'; it has 'item', 'score'",
    )


def test_scores_are_a_frame() -> None:
    """A table of another package is refused."""
    given: Any = {"item": [1], "score": [5]}
    assert refusal(lambda: SparkScores(given, domain="public")) == (
        Reason.WRONG_TYPE,
        "frame must be a Spark DataFrame (not of Spark Connect), got dict",
    )


def test_a_bare_frame_is_no_table(numbers: "DataFrame") -> None:
    """A frame is not in memory, and declares no domain."""
    given: Any = numbers
    assert refusal(lambda: top_k(given, 1, epsilon=1)) == (
        Reason.WRONG_TYPE,
        "a table must be in memory: collect it first, or read it through a store; "
        "got pyspark DataFrame",
    )


def test_parameters_are_checked_before_rows_are_read(spark: "SparkSession") -> None:
    """A wrong k is refused before the rows, which cannot be read, are touched."""
    unreadable = frame(spark, NUMBERS, (1, 5)).selectExpr("item", "raise_error('read') AS score")
    scores = SparkScores(
        unreadable.selectExpr("item", "CAST(score AS INT)"), domain=RangeDomain(1, 3)
    )
    assert refusal(lambda: top_k(scores, 4, epsilon=1)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )


class Meddling:
    """A source that calls a function after its first page."""

    def __init__(self, source: Any, meddle: Any) -> None:
        self._source = source
        self._meddle = meddle
        self.size = source.size
        self.trip_price = source.trip_price
        self.name = source.name

    def top(self, start: int, count: int) -> Page:
        """Return a page, and call the function."""
        page: Page = self._source.top(start, count)
        self._meddle()
        return page

    def scores(self, items: Integers) -> Integers:
        """Return scores."""
        scores: Integers = self._source.scores(items)
        return scores


class MeddledScores:
    """Scores in Spark that somebody changes during a selection."""

    def __init__(self, scores: SparkScores, meddle: Any) -> None:
        self._scores = scores
        self._meddle = meddle
        self.size = scores.size

    def snapshot(self) -> AbstractContextManager[Source]:
        """Return a snapshot."""

        @contextmanager
        def opened() -> Iterator[Source]:
            with self._scores.snapshot() as source:
                yield Meddling(source, self._meddle)

        return opened()


def write_leader(path: Path, leader: int) -> None:
    """Write a file in which one of 50 items is far ahead."""
    rows = (f"{item},{AHEAD if item == leader else 0}\n" for item in range(1, 51))
    path.write_text("".join(rows))


def test_a_file_that_changes_during_a_selection(spark: "SparkSession", tmp_path: Path) -> None:
    """Both doors show the state at the beginning; the next selection sees the new one.

    With all other scores at 0 and a small epsilon, the noise makes the engine use random access.
    """
    path = tmp_path / "scores.csv"
    write_leader(path, 7)
    stored = spark.read.schema(NUMBERS).csv(str(path))
    scores = SparkScores(stored, domain=RangeDomain(1, 50))
    meddled = MeddledScores(scores, lambda: write_leader(path, 8))
    selection = top_k(meddled, 1, epsilon=0.001, engine="batched")
    assert selection.items == (7,)
    assert top_k(scores, 1, epsilon=0.001, engine="batched").items == (8,)


def test_both_doors_show_one_state(spark: "SparkSession", tmp_path: Path) -> None:
    """A query after a change of the file returns the old content."""
    path = tmp_path / "scores.csv"
    write_leader(path, 7)
    stored = spark.read.schema(NUMBERS).csv(str(path))
    with SparkScores(stored, domain=RangeDomain(1, 50)).snapshot() as source:
        assert entries(source, source.top(0, 1)) == [(7, AHEAD)]
        write_leader(path, 8)
        assert source.scores(np.array([6, 7])).tolist() == [AHEAD, 0]
        assert source.top(1, 49).scores.max() == 0
    (eighth,) = stored.where("item = 8").collect()
    assert eighth["score"] == AHEAD


def test_rows_that_are_lost_end_the_selection(spark: "SparkSession") -> None:
    """If the checkpoint is lost, the selection fails."""
    tied = spark.range(1, 3001).selectExpr("id AS item", "0 AS score")
    scores = MeddledScores(
        SparkScores(tied, domain=RangeDomain(1, 3000)), lambda: lose_blocks(spark)
    )
    assert refusal(lambda: top_k(scores, 2, epsilon=1, engine="batched")) == (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND",
    )


def test_a_session_that_stops_during_a_selection(spark: "SparkSession") -> None:
    """If the session ends, the selection fails."""
    tied = spark.range(1, 3001).selectExpr("id AS item", "0 AS score")
    scores = MeddledScores(SparkScores(tied, domain=RangeDomain(1, 3000)), spark.stop)
    stopped = (
        Reason.UNREACHABLE_SOURCE,
        "the Spark frame cannot be read: its session has been stopped",
    )
    assert refusal(lambda: top_k(scores, 2, epsilon=1, engine="batched")) == stopped
    assert refusal(lambda: SparkScores(tied, domain="public")) == stopped
