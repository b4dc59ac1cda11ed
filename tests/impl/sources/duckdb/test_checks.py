"""Facts about invalid rows and about public domains."""

from collections.abc import Iterator
from typing import Any

import pytest

from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.duckdb.checks import (
    LARGEST_BITMAP,
    public_domain,
    repeats_statement,
    require_sound,
)
from privtopk.impl.sources.duckdb.session import Session, open_session
from privtopk.impl.sources.duckdb.table_reference import TableReference, TypedColumn
from privtopk.impl.sources.table import Statements
from privtopk.spec.model.errors import Reason
from support import refusal

ROWS = Statements("rows", "item", "score")
UNPROMISED = TableReference("rows", (TypedColumn("item", "BIGINT"), TypedColumn("score", "BIGINT")))
PROMISED = TableReference(
    "rows",
    (
        TypedColumn("item", "BIGINT", is_required=True, is_unique=True),
        TypedColumn("score", "BIGINT", is_required=True),
    ),
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session for all tests, because opening one takes longer than all their queries."""
    with open_session("here") as connection:
        yield connection


def with_rows(session: Session, *rows: tuple[Any, ...], kind: str = "BIGINT") -> Session:
    """Return the session, with a table of some rows."""
    session.run(
        f"CREATE OR REPLACE TABLE rows (item {kind}, score BIGINT, "
        "is_foreign BOOLEAN DEFAULT false, is_fractional BOOLEAN DEFAULT false)"
    )
    for row in rows:
        session.run(f"INSERT INTO rows VALUES ({', '.join('?' * 4)})", (*row, False, False)[:4])
    return session


SOUND = [(1, 0), (2, 2**53), (3, 7)]


@pytest.mark.parametrize("reference", [UNPROMISED, PROMISED])
def test_sound_rows(session: Session, reference: TableReference) -> None:
    """The smallest and the largest score and the ends of the domain are valid."""
    require_sound(with_rows(session, *SOUND), ROWS, reference, RangeDomain(1, 3))
    require_sound(with_rows(session), ROWS, reference, RangeDomain(1, 3))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((4, -1), (Reason.NEGATIVE_SCORE, "no score may be negative")),
        (
            (4, 2**53 + 1),
            (Reason.SCORE_OUT_OF_RANGE, "no score may exceed 2^53 = 9007199254740992"),
        ),
        ((4, None), (Reason.MISSING_SCORE, "no score may be NULL")),
        ((None, 4), (Reason.UNKNOWN_ITEM, "no item may be NULL")),
        ((4, None, False, True), (Reason.WRONG_TYPE, "every score must be a whole number")),
        (
            (None, 5, True),
            (Reason.UNKNOWN_ITEM, "the table has an item outside the declared domain 1..5"),
        ),
        (
            (0, 5),
            (Reason.UNKNOWN_ITEM, "the table has an item outside the declared domain 1..5"),
        ),
        (
            (6, 5),
            (Reason.UNKNOWN_ITEM, "the table has an item outside the declared domain 1..5"),
        ),
        ((3, 7), (Reason.DUPLICATE_ITEM, "an item has more than one row")),
    ],
)
def test_a_row_that_is_wrong(
    session: Session, row: tuple[Any, ...], expected: tuple[Reason, str]
) -> None:
    """One invalid row is refused, wherever it is, and the message shows no value."""
    for rows in ([*SOUND, row], [row, *SOUND]):
        with_rows(session, *rows)
        assert refusal(lambda: require_sound(session, ROWS, UNPROMISED, RangeDomain(1, 5))) == (
            expected
        )


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        (RangeDomain(-2, 4), "BIGINT"),
        (RangeDomain(-2, 4), "TINYINT"),
        (RangeDomain(1, LARGEST_BITMAP), "BIGINT"),
        (RangeDomain(1, LARGEST_BITMAP + 1), "BIGINT"),
        (RangeDomain(1, 2**62), "BIGINT"),
        (ListedDomain([1, 2, 3]), "BIGINT"),
        (RangeDomain(1, 4, str), "VARCHAR"),
        (ListedDomain(["1", "2", "3"]), "VARCHAR"),
    ],
)
def test_items_that_come_twice(session: Session, domain: Domain, kind: str) -> None:
    """A repeated item is found in every kind of domain, and distinct items are not refused."""
    with_rows(session, (1, 5), (3, 5), (2, 5), kind=kind)
    assert session.rows(repeats_statement(ROWS, domain)) == [(False,)]
    with_rows(session, (1, 5), (3, 5), (1, 5), kind=kind)
    assert session.rows(repeats_statement(ROWS, domain)) == [(True,)]


def test_texts_that_are_no_numbers(session: Session) -> None:
    """A range written as texts may meet any text."""
    with_rows(session, ("1", 5), ("fig", 5), kind="VARCHAR")
    assert session.rows(repeats_statement(ROWS, RangeDomain(1, 4, str))) == [(False,)]


def test_constraints_are_not_checked(session: Session) -> None:
    """The rows are not checked for what the catalogue rules out."""
    with_rows(session, (3, 7), (3, 7), (None, None))
    require_sound(session, ROWS, PROMISED, RangeDomain(1, 5))


@pytest.mark.parametrize(
    ("item", "score", "row", "expected"),
    [
        ({}, {"is_unique": True}, (3, 8), (Reason.DUPLICATE_ITEM, "an item has more than one row")),
        ({}, {"is_required": True}, (None, 7), (Reason.UNKNOWN_ITEM, "no item may be NULL")),
        ({"is_required": True}, {}, (4, None), (Reason.MISSING_SCORE, "no score may be NULL")),
    ],
)
def test_a_constraint_on_one_column(
    session: Session,
    item: dict[str, bool],
    score: dict[str, bool],
    row: tuple[Any, ...],
    expected: tuple[Reason, str],
) -> None:
    """A constraint on one column says nothing about the other."""
    columns = (TypedColumn("item", "BIGINT", **item), TypedColumn("score", "BIGINT", **score))
    with_rows(session, (3, 7), row)
    assert refusal(
        lambda: require_sound(session, ROWS, TableReference("rows", columns), RangeDomain(1, 5))
    ) == (expected)


def test_a_public_domain_of_numbers(session: Session) -> None:
    """Consecutive numbers are a range, others are a list, and none is fetched twice."""
    with_rows(session, (7, 1), (5, 1), (6, 1))
    assert repr(public_domain(session, ROWS, int)) == "5..7"
    with_rows(session, (7, 1), (5, 1))
    assert repr(public_domain(session, ROWS, int)) == "2 listed items"


def test_a_public_domain_of_texts(session: Session) -> None:
    """Texts are listed, even if they are consecutive numbers."""
    with_rows(session, ("1", 1), ("2", 1), kind="VARCHAR")
    domain = public_domain(session, ROWS, str)
    assert (repr(domain), domain.kind) == ("2 listed items", str)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], (Reason.EMPTY_DOMAIN, "the table is empty, so it declares no domain")),
        ([(1, 5), (None, 5)], (Reason.UNKNOWN_ITEM, "no item may be NULL")),
        ([(None, 5, True)], (Reason.UNKNOWN_ITEM, "every item must fit 64 bits or be a text")),
    ],
)
def test_rows_that_make_no_domain(
    session: Session, rows: list[tuple[Any, ...]], expected: tuple[Reason, str]
) -> None:
    """No rows, or rows without an item, declare no domain."""
    with_rows(session, *rows)
    assert refusal(lambda: public_domain(session, ROWS, int)) == expected
