"""Facts about items from both doors: each one comes once, and contradictions are found."""

import numpy as np
import pytest

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.both_lists import BothLists, join_pages, page_without, without
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.errors import Reason
from support import refusal


def page(*entries: tuple[int, int]) -> Page:
    """Return entries as a page."""
    items, scores = zip(*entries, strict=True)
    return Page(np.array(items), np.array(scores))


def entries_of(found: Page) -> list[tuple[int, int]]:
    """Return a page as entries."""
    return list(zip(found.items.tolist(), found.scores.tolist(), strict=True))


class Scripted:
    """A source whose doors return what a test sets."""

    size = 5

    def __init__(self, pages: list[Page], scores: dict[int, int]) -> None:
        self._pages = pages
        self._scores = scores

    def top(self, start: int, count: int) -> Page:
        """Return the next page."""
        return self._pages.pop(0)

    def scores(self, items: Integers) -> Integers:
        """Return the scores of items."""
        return np.array([self._scores[item] for item in items.tolist()])

    def name(self, item: int) -> object:
        """Return the item."""
        return item


def read_unseen(lists: BothLists, *candidates: int) -> Page:
    """Read candidates and return those that neither door has delivered before."""
    below, reached = lists.read(np.array(candidates))
    return join_pages([lists.undelivered_entries(reached), below])


def test_items_below_the_last_score_are_unseen() -> None:
    """Candidates that sorted access may have delivered are separated from the others."""
    lists = BothLists(Reader(IndexedScores([5, 3, 3, 3, 0])))
    lists.next_page(2)
    below, reached = lists.read(np.arange(5))
    assert entries_of(below) == [(4, 0)]
    assert entries_of(reached) == [(0, 5), (1, 3), (2, 3), (3, 3)]


def test_delivered_items_are_not_unseen() -> None:
    """Delivered candidates are dropped, also those that tie with the last score."""
    lists = BothLists(Reader(IndexedScores([5, 3, 3, 3, 0])))
    lists.next_page(2)
    assert entries_of(read_unseen(lists, 0, 1, 2, 3, 4)) == [(2, 3), (3, 3), (4, 0)]


def test_opened_items_are_not_unseen_again() -> None:
    """Candidates that were opened before are neither read nor returned."""
    reader = Reader(IndexedScores([5, 3, 3, 3, 0]))
    lists = BothLists(reader)
    lists.next_page(1)
    lists.note_opened(read_unseen(lists, 2, 4))
    assert entries_of(read_unseen(lists, 2, 3, 4)) == [(3, 3)]
    assert reader.random_accesses == 3


def test_opened_items_are_recognised_on_a_page() -> None:
    """An item that was opened is marked when sorted access delivers it, and once only."""
    lists = BothLists(Reader(IndexedScores([5, 3, 3, 3, 0])))
    lists.next_page(1)
    lists.note_opened(read_unseen(lists, 2, 4))
    found, were_opened = lists.next_page(3)
    assert dict(zip(found.items.tolist(), were_opened.tolist(), strict=True)) == {
        1: False,
        2: True,
        3: False,
    }
    assert not lists.is_over
    assert lists.next_page(1)[1].tolist() == [True]
    assert lists.is_over


@pytest.mark.parametrize(
    ("opened", "delivered", "message"),
    [
        ((1, 7), (1, 4), "the two doors of the source disagree on a score"),
        ((1, 8), (2, 4), "an item that was not delivered scores above those that were"),
    ],
)
def test_contradictions_on_a_page_are_refused(
    opened: tuple[int, int], delivered: tuple[int, int], message: str
) -> None:
    """An opened item must be delivered with its score, and at its place."""
    lists = BothLists(Reader(Scripted([page((0, 9)), page(delivered)], {})))
    lists.next_page(1)
    lists.note_opened(page(opened))
    assert refusal(lambda: lists.next_page(1)) == (Reason.FAULTY_SOURCE, message)


def test_an_undelivered_item_must_not_score_above_the_last() -> None:
    """A candidate above the last score that was not delivered is a contradiction."""
    lists = BothLists(Reader(Scripted([page((0, 4))], {3: 7})))
    lists.next_page(1)
    assert refusal(lambda: read_unseen(lists, 3)) == (
        Reason.FAULTY_SOURCE,
        "an item that was not delivered scores above those that were",
    )


def test_a_winner_with_two_noises_is_refused() -> None:
    """An item that was both delivered and opened must not win."""
    lists = BothLists(Reader(Scripted([page((0, 9), (1, 4))], {})))
    lists.next_page(2)
    lists.note_opened(page((1, 3)))
    lists.require_consistent((0,))
    assert refusal(lambda: lists.require_consistent((1,))) == (
        Reason.FAULTY_SOURCE,
        "the source contradicts itself about an item that it delivered",
    )


def test_an_item_delivered_twice_is_refused() -> None:
    """Sorted access must not deliver an item twice."""
    lists = BothLists(Reader(Scripted([page((0, 9), (0, 4))], {})))
    lists.next_page(2)
    assert refusal(lambda: lists.require_consistent((0,))) == (
        Reason.FAULTY_SOURCE,
        "the source delivered an item twice",
    )


def test_without_keeps_what_is_not_among_others() -> None:
    """Both lists ascend; items that are in both are left out."""
    items = np.array([1, 4, 6, 9])
    assert without(items, np.array([0, 4, 5, 9, 12])).tolist() == [1, 6]
    assert without(items, np.array([2])).tolist() == [1, 4, 6, 9]
    assert without(np.array([], dtype=np.int64), items).tolist() == []


def test_pages_are_joined_and_cut() -> None:
    """Pages are join_pages, and entries at some places are removed."""
    whole = join_pages([page((1, 5), (2, 4)), page((7, 3))])
    assert entries_of(whole) == [(1, 5), (2, 4), (7, 3)]
    assert entries_of(page_without(whole, np.array([1]))) == [(1, 5), (7, 3)]
    assert entries_of(join_pages([])) == []
