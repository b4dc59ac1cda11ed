"""Facts about items and scores of every type."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.duckdb.session import Session, open_session
from privtopk.impl.sources.duckdb.table_reference import TypedColumn
from privtopk.impl.sources.duckdb.types import (
    Expression,
    exact_text,
    item_expression,
    kind_of,
    score_expression,
)
from privtopk.spec.model.errors import Reason
from support import refusal

WHOLE = [
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"),
    *("UBIGINT", "HUGEINT", "UHUGEINT"),
]
EXCESSIVE = 2**53 + 2


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session for all tests, because opening one takes longer than all their queries."""
    with open_session("here") as connection:
        yield connection


def evaluate_values(
    session: Session, expression: Expression, kind: str, values: list[Any]
) -> list[tuple[Any, ...]]:
    """Return the converted value and the error flag for each value of a type."""
    session.run(f"CREATE OR REPLACE TABLE t (n INTEGER, x {kind})")
    for number, value in enumerate(values):
        session.run("INSERT INTO t VALUES (?, ?)", (number, value))
    return session.rows(
        f"SELECT {expression.value}, {expression.error_condition} FROM t ORDER BY t.n"
    )


@pytest.mark.parametrize("kind", [*WHOLE, "FLOAT", "DOUBLE", "DECIMAL(9,2)", "DECIMAL(38,30)"])
def test_scores_of_every_type_of_number(session: Session, kind: str) -> None:
    """Whole numbers of any type are scores, and NULL stays NULL."""
    expression = score_expression(TypedColumn("x", kind), "here")
    assert evaluate_values(session, expression, kind, [0, 100, None]) == [
        (0, False),
        (100, False),
        (None, False),
    ]


@pytest.mark.parametrize(
    ("kind", "score", "cut"),
    [
        ("HUGEINT", 2**53, 2**53),
        ("HUGEINT", 2**53 + 1, 2**53 + 1),
        ("HUGEINT", 2**100, EXCESSIVE),
        ("HUGEINT", -(2**100), -1),
        ("UHUGEINT", 2**127 + 5, EXCESSIVE),
        ("UBIGINT", 2**64 - 1, EXCESSIVE),
        ("DOUBLE", 2.0**53, 2**53),
        ("DOUBLE", 2.0**53 + 2, EXCESSIVE),
        ("DOUBLE", 1e300, EXCESSIVE),
        ("DOUBLE", -1e300, -1),
        ("FLOAT", 2.0**54, EXCESSIVE),
        ("DECIMAL(38,0)", Decimal(10**37), EXCESSIVE),
    ],
)
def test_scores_are_cut_outside_their_range(
    session: Session, kind: str, score: Any, cut: int
) -> None:
    """A score that is negative or too large is clipped to 64 bits and stays invalid."""
    assert evaluate_values(
        session, score_expression(TypedColumn("x", kind), "here"), kind, [score]
    ) == [(cut, False)]


@pytest.mark.parametrize(
    ("kind", "score"),
    [
        ("DOUBLE", 0.5),
        ("DOUBLE", math.nan),
        ("DOUBLE", math.inf),
        ("DOUBLE", -math.inf),
        ("FLOAT", 0.5),
        ("FLOAT", math.nan),
        ("DECIMAL(9,2)", Decimal("0.01")),
        ("DECIMAL(38,30)", Decimal("1.000000000000000000000000000001")),
    ],
)
def test_scores_that_are_not_whole(session: Session, kind: str, score: Any) -> None:
    """Fractions, infinities and NaN are wrong."""
    assert evaluate_values(
        session, score_expression(TypedColumn("x", kind), "here"), kind, [score]
    ) == [(None, True)]


@pytest.mark.parametrize(
    ("written", "score"),
    [
        ("0", 0),
        ("5", 5),
        ("005", 5),
        ("5.", 5),
        ("5.000", 5),
        ("+5", 5),
        ("-5", -1),
        ("9007199254740993", 2**53 + 1),
        ("9" * 50, EXCESSIVE),
        (None, None),
    ],
)
def test_scores_may_be_written_down(
    session: Session, written: str | None, score: int | None
) -> None:
    """In a file, a whole number has plain digits, and only zeros after a decimal point."""
    expression = score_expression(TypedColumn("x", "VARCHAR", is_untyped=True), "here")
    assert evaluate_values(session, expression, "VARCHAR", [written]) == [(score, False)]


@pytest.mark.parametrize(
    "written",
    ["", " 5", "5 ", "5\n", "5.5", "1e3", "1_000", "0x10", "nan", "inf", "five", "٥", ".0", "5,0"],
)
def test_scores_that_are_written_otherwise(session: Session, written: str) -> None:
    """Other spellings that DuckDB would convert or round are wrong."""
    expression = score_expression(TypedColumn("x", "VARCHAR", is_untyped=True), "here")
    assert evaluate_values(session, expression, "VARCHAR", [written]) == [(None, True)]


@pytest.mark.parametrize(
    "kind", ["VARCHAR", "BOOLEAN", "DATE", "BLOB", "INTEGER[]", "DECIMAL(9,2)[]"]
)
def test_types_that_are_no_scores(kind: str) -> None:
    """A text column of a table cannot hold scores, even if the texts are numbers."""
    assert refusal(lambda: score_expression(TypedColumn('"n"', kind), "here")) == (
        Reason.WRONG_TYPE,
        f'scores must be whole numbers, but column "n" of here is {kind}',
    )


@pytest.mark.parametrize(
    ("column", "wanted", "kind"),
    [
        *((TypedColumn("x", name), str, int) for name in WHOLE),
        (TypedColumn("x", "VARCHAR"), int, str),
        (TypedColumn("x", "UUID"), int, str),
        (TypedColumn("x", "ENUM('a', 'b')"), int, str),
        (TypedColumn("x", "VARCHAR", is_untyped=True), int, int),
        (TypedColumn("x", "VARCHAR", is_untyped=True), str, str),
    ],
)
def test_kinds_of_items(column: TypedColumn, wanted: Kind, kind: Kind) -> None:
    """The type decides between numbers and texts; a CSV column is what the caller wants."""
    assert kind_of(column, wanted, "here") is kind


@pytest.mark.parametrize(
    "kind", ["DOUBLE", "DECIMAL(9,0)", "BOOLEAN", "DATE", "BLOB", "VARCHAR[]", "ENUM('a')[]"]
)
def test_types_that_are_no_items(kind: str) -> None:
    """Doubles, dates and lists are neither texts nor whole numbers."""
    assert refusal(lambda: kind_of(TypedColumn('"n"', kind), str, "here")) == (
        Reason.WRONG_TYPE,
        f'items must be texts or whole numbers, but column "n" of here is {kind}',
    )


@pytest.mark.parametrize("kind", WHOLE)
def test_items_of_every_type_of_number(session: Session, kind: str) -> None:
    """Whole numbers of any type are items."""
    expression = item_expression(TypedColumn("x", kind), int)
    assert evaluate_values(session, expression, kind, [7, None]) == [(7, False), (None, False)]


@pytest.mark.parametrize(("kind", "item"), [("UBIGINT", 2**63), ("HUGEINT", -(2**64))])
def test_items_that_do_not_fit(session: Session, kind: str, item: int) -> None:
    """A number of more than 64 bits is in no domain."""
    assert evaluate_values(session, item_expression(TypedColumn("x", kind), int), kind, [item]) == [
        (None, True)
    ]


@pytest.mark.parametrize(
    ("written", "item"),
    [("7", 7), ("-7", -7), ("0", 0), (str(2**62), 2**62), (None, None)],
)
def test_numbers_may_be_written_down(
    session: Session, written: str | None, item: int | None
) -> None:
    """In a file, an item that is a number has its plain decimal spelling."""
    expression = item_expression(TypedColumn("x", "VARCHAR", is_untyped=True), int)
    assert evaluate_values(session, expression, "VARCHAR", [written]) == [(item, False)]


@pytest.mark.parametrize(
    "written", ["007", "7.0", " 7", "+7", "-0", "7e0", "1_000", "fig", "", "9" * 30, "0x7"]
)
def test_items_that_are_no_numbers(session: Session, written: str) -> None:
    """Different texts are different items: 007 is not 7."""
    expression = item_expression(TypedColumn("x", "VARCHAR", is_untyped=True), int)
    assert evaluate_values(session, expression, "VARCHAR", [written]) == [(None, True)]


@pytest.mark.parametrize(
    ("kind", "item"),
    [
        ("VARCHAR", "fig"),
        ("ENUM('b', 'fig')", "fig"),
        ("UUID", "00000000-0000-0000-0000-000000000007"),
    ],
)
def test_items_may_be_texts(session: Session, kind: str, item: str) -> None:
    """Texts, enumeration values and UUIDs are texts."""
    expression = item_expression(TypedColumn("x", kind), str)
    assert evaluate_values(session, expression, kind, [item, None]) == [
        (item, False),
        (None, False),
    ]


def test_texts_differ_byte_by_byte(session: Session) -> None:
    """A collation that ignores case does not merge items."""
    session.run("CREATE OR REPLACE TABLE t (x VARCHAR COLLATE NOCASE)")
    session.run("INSERT INTO t VALUES ('fig'), ('FIG'), ('Fig')")
    for value in (
        item_expression(TypedColumn("x", "VARCHAR"), str).value,
        exact_text(TypedColumn("x", "VARCHAR")),
    ):
        rows = session.rows(f"SELECT DISTINCT {value} AS item FROM t ORDER BY item")
        assert rows == [("FIG",), ("Fig",), ("fig",)]


def test_other_types_have_no_collation() -> None:
    """A column that is not a text is used unchanged."""
    assert exact_text(TypedColumn("x", "UUID")) == "x"
