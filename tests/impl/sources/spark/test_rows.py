"""Facts about the rows of a Spark frame: invalid rows are found before a selection."""

from typing import TYPE_CHECKING, Any

import pytest

from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.spark.rows import sound_rows
from privtopk.spec.model.errors import Reason
from spark_session import SPARK, frame, held_blocks, sorted_rows, spark_session
from support import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = SPARK

LARGEST = 2**53
DOUBLES = "item int, score double"
DECIMALS = "item int, score decimal(20,1)"
NUMBERS = "item int, score bigint"
TEXTS = "item string, score bigint"

MISSING = (Reason.MISSING_SCORE, "no score may be NULL")
UNNAMED = (Reason.UNKNOWN_ITEM, "no item may be NULL")
FRACTIONAL = (Reason.WRONG_TYPE, "every score must be a whole number")
NEGATIVE = (Reason.NEGATIVE_SCORE, "no score may be negative")
EXCESSIVE = (Reason.SCORE_OUT_OF_RANGE, "no score may exceed 2^53 = 9007199254740992")
TWICE = (Reason.DUPLICATE_ITEM, "an item has more than one row")
BEYOND = (Reason.UNKNOWN_ITEM, "the table has an item outside the declared domain 0..9")


@pytest.fixture
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """Return a running session."""
    return spark_session(tmp_path_factory.getbasetemp())


def numbers(session: "SparkSession", columns: str, rows: list[tuple[Any, Any]]) -> "DataFrame":
    """Return rows whose scores are given as texts, so that any number is possible."""
    name, kind = columns.split(", ")[1].split(" ")
    written = [(item, None if score is None else str(score)) for item, score in rows]
    given = frame(session, columns.split(", ")[0] + ", score string", *written)
    return given.selectExpr("item", f"CAST({name} AS {kind}) AS score")


def rows_of(scores: "DataFrame", domain: Domain | None) -> tuple[list[tuple[Any, ...]], int]:
    """Return the checked rows and their number."""
    with sound_rows(scores, domain) as rows:
        assert dict(rows.frame.dtypes)["score"] == "bigint"
        return sorted_rows(rows.frame), rows.count


@pytest.mark.parametrize(
    ("columns", "rows", "error"),
    [
        (NUMBERS, [(1, 5), (2, None)], MISSING),
        (DOUBLES, [(1, None)], MISSING),
        (NUMBERS, [(None, 5), (2, 5)], UNNAMED),
        (TEXTS, [(None, 5), (None, 5)], UNNAMED),
        (DOUBLES, [(1, 0.5), (2, 1)], FRACTIONAL),
        (DOUBLES, [(1, "NaN"), (2, 1)], FRACTIONAL),
        (DOUBLES, [(1, "Infinity")], FRACTIONAL),
        ("item int, score float", [(1, 1.5)], FRACTIONAL),
        (DECIMALS, [(1, "0.5"), (2, "3.0")], FRACTIONAL),
        (NUMBERS, [(1, 5), (2, -1)], NEGATIVE),
        ("item int, score tinyint", [(1, -1)], NEGATIVE),
        (DOUBLES, [(1, -1.0)], NEGATIVE),
        (DECIMALS, [(1, -1)], NEGATIVE),
        (NUMBERS, [(1, LARGEST + 1)], EXCESSIVE),
        (DOUBLES, [(1, 1e300)], EXCESSIVE),
        (DECIMALS, [(1, LARGEST + 1)], EXCESSIVE),
        (NUMBERS, [(1, 5), (2, 5), (1, 5)], TWICE),
        (NUMBERS, [(1, 5), (1, None)], TWICE),
        (NUMBERS, [(0, 5), (10, 5)], BEYOND),
        (NUMBERS, [(-1, 5)], BEYOND),
    ],
)
def test_wrong_rows_are_refused(
    spark: "SparkSession",
    columns: str,
    rows: list[tuple[Any, Any]],
    error: tuple[Reason, str],
) -> None:
    """An invalid row is found wherever it is, and Spark keeps no rows."""
    assert refusal(lambda: rows_of(numbers(spark, columns, rows), RangeDomain(0, 9))) == error
    assert held_blocks(spark) == 0


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (NUMBERS, [(0, 0), (9, LARGEST)]),
        (DOUBLES, [(0, 0), (9, float(LARGEST))]),
        (DECIMALS, [(0, 0), (9, LARGEST)]),
        ("item int, score tinyint", [(0, 0), (9, 127)]),
    ],
)
def test_sound_rows_are_whole_numbers(
    spark: "SparkSession", columns: str, rows: list[tuple[int, Any]]
) -> None:
    """Scores may have any numeric type, up to both limits."""
    found = rows_of(numbers(spark, columns, rows), RangeDomain(0, 9))
    assert found == ([(item, int(score)) for item, score in rows], 2)


@pytest.mark.parametrize("domain", [None, RangeDomain(0, 9, str), ListedDomain([1])], ids=repr)
def test_unlisted_items_are_left_to_the_domain(
    spark: "SparkSession", domain: Domain | None
) -> None:
    """Only a range of numbers can be checked without fetching items."""
    assert rows_of(frame(spark, NUMBERS, (77, 5)), domain) == ([(77, 5)], 1)


def test_no_rows_are_sound(spark: "SparkSession") -> None:
    """An empty frame is valid."""
    assert rows_of(frame(spark, NUMBERS), RangeDomain(0, 9)) == ([], 0)
