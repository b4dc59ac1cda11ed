"""Facts about a snapshot as engines read it: numbers, items without a row, and invalid rows."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason
from support import refusal


class ListedQuery:
    """Rows in a list; counts the fetched rows."""

    def __init__(self, rows: Sequence[tuple[Any, Any]]) -> None:
        self._rows = sorted(rows, key=lambda row: row[1] or 0, reverse=True)
        self._place = 0
        self.fetched = 0

    def rewind(self) -> None:
        """Go back to the first row."""
        self._place = 0

    def best(self, count: int) -> Rows:
        """Return the next rows."""
        page = self._rows[self._place : self._place + count]
        self._place += len(page)
        return self._columns(page)

    def of(self, items: list[Any]) -> Rows:
        """Return the rows of some items, last first."""
        return self._columns([row for row in reversed(self._rows) if row[0] in items])

    def all(self) -> Rows:
        """Return all rows."""
        return self._columns(self._rows)

    def _columns(self, rows: Sequence[tuple[Any, Any]]) -> Rows:
        self.fetched += len(rows)
        return Rows([item for item, _ in rows], [score for _, score in rows])


def view(domain: Domain, *rows: tuple[Any, Any]) -> View:
    """Return the view of some rows."""
    return View(domain, ListedQuery(rows), 0)


def pairs_of(page: Page) -> list[tuple[int, int]]:
    """Return a page as a list of pairs."""
    return list(zip(page.items.tolist(), page.scores.tolist(), strict=True))


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, dict[int, int]]:
    """Draw a small domain and the rows of some of its items, a few of them 0."""
    size = draw(st.integers(1, 9))
    return size, draw(st.dictionaries(st.integers(1, size), st.integers(0, 3)))


@given(table=tables(), sizes=st.lists(st.integers(1, 4), min_size=1))
def test_sorted_access_delivers_every_item_once(
    table: tuple[int, dict[int, int]], sizes: list[int]
) -> None:
    """Rows come first, best first, then the items without a row, with score 0."""
    size, rows = table
    source = view(RangeDomain(1, size), *rows.items())
    entries: list[tuple[int, int]] = []
    while len(entries) < size:
        entries += pairs_of(source.top(len(entries), sizes[len(entries) % len(sizes)]))
    assert sorted(entries) == [(item, rows.get(item + 1, 0)) for item in range(size)]
    assert [score for _, score in entries] == sorted((s for _, s in entries), reverse=True)


@given(table=tables(), starts=st.lists(st.integers(0, 8)), count=st.integers(0, 9))
def test_a_rank_has_one_entry(
    table: tuple[int, dict[int, int]], starts: list[int], count: int
) -> None:
    """Pages in any order are parts of one list."""
    size, rows = table
    source = view(RangeDomain(1, size), *rows.items())
    everything = pairs_of(source.top(0, size))
    for start in starts:
        if start < size:
            assert pairs_of(source.top(start, count)) == everything[start : start + count]


@given(table=tables(), asked=st.lists(st.integers(0, 8)))
def test_random_access_answers_in_the_order_of_the_request(
    table: tuple[int, dict[int, int]], asked: list[int]
) -> None:
    """Items may be repeated and in any order; an item without a row has score 0."""
    size, rows = table
    items = np.array([item for item in asked if item < size], dtype=np.int64)
    source = view(RangeDomain(1, size), *rows.items())
    assert source.scores(items).tolist() == [rows.get(item + 1, 0) for item in items.tolist()]


@given(table=tables())
def test_blocks_fetch_all_rows_once(table: tuple[int, dict[int, int]]) -> None:
    """A scan in blocks fetches all rows with one query."""
    size, rows = table
    query = ListedQuery(list(rows.items()))
    source = View(RangeDomain(1, size), query, 0)
    blocks = [source.block(start, min(start + 2, size)) for start in range(0, size, 2)]
    assert np.concatenate(blocks).tolist() == [rows.get(item + 1, 0) for item in range(size)]
    assert query.fetched == len(rows)


def test_items_keep_the_names_of_the_database() -> None:
    """Listed items have the names of the database."""
    source = view(ListedDomain(["fig", "pear", "quince"]), ("quince", 4))
    names = [source.name(int(item)) for item in source.top(0, 3).items]
    assert names == ["quince", "fig", "pear"]


DOORS = pytest.mark.parametrize("door", ["top", "scores", "block"])


def ask(source: View, door: str) -> object:
    """Read two items through one of the doors."""
    if door == "top":
        return source.top(0, 2)
    return source.scores(np.arange(2)) if door == "scores" else source.block(0, 2)


@DOORS
@pytest.mark.parametrize("score", [0.5, "3", Decimal("0.5"), True, b"3", float("nan")])
def test_scores_are_whole_numbers(door: str, score: Any) -> None:
    """A fraction, a text or a boolean is refused as a score through every door."""
    source = View(RangeDomain(1, 3), Unsorted([(1, score)]), 0)
    assert refusal(lambda: ask(source, door)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


class Unsorted(ListedQuery):
    """Rows that cannot be compared."""

    def __init__(self, rows: Sequence[tuple[Any, Any]]) -> None:
        super().__init__([])
        self._rows = list(rows)


@DOORS
@pytest.mark.parametrize("score", [3.0, Decimal(3), np.int32(3), np.float64(3)])
def test_whole_numbers_may_be_of_any_type(door: str, score: Any) -> None:
    """Whole numbers may be doubles or decimals."""
    ask(View(RangeDomain(1, 3), Unsorted([(1, score)]), 0), door)


@DOORS
def test_a_score_that_is_null(door: str) -> None:
    """A NULL score is refused."""
    source = view(RangeDomain(1, 3), (1, None), (2, 5))
    assert refusal(lambda: ask(source, door)) == (Reason.MISSING_SCORE, "no score may be NULL")


@pytest.mark.parametrize("door", ["scores", "block"])
def test_an_item_with_two_rows(door: str) -> None:
    """An item with two rows is refused."""
    source = view(RangeDomain(1, 3), (1, 4), (1, 5), (2, 1))
    assert refusal(lambda: ask(source, door)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )


def test_an_item_with_two_rows_by_sorted_access() -> None:
    """After the last row a repeated item is refused, before items without a row are added."""
    source = view(RangeDomain(1, 3), (1, 4), (1, 5))
    assert refusal(lambda: source.top(0, 3)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )


@pytest.mark.parametrize("door", ["top", "block"])
def test_an_item_outside_the_domain(door: str) -> None:
    """A row with an item outside the domain is refused when it is read."""
    assert refusal(lambda: ask(view(RangeDomain(1, 3), (4, 9)), door)) == (
        Reason.UNKNOWN_ITEM,
        "there is an item outside the declared domain",
    )
