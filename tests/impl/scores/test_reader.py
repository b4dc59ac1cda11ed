"""Facts about a reader: what it counts, what it returns, and which faults it finds."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, DTypeLike

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import SHORT
from privtopk.impl.scores.memory import IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal

SCORES = (4, 9, 0, 9, 1)
ORDER = (1, 3, 0, 4, 2)


class Stored:
    """A source of five items; a test may replace any of its answers."""

    def __init__(self, **answers: Callable[..., object]) -> None:
        self._answers = answers

    @property
    def size(self) -> int:
        """The number of items, 5 unless replaced."""
        return int(str(self._answers["size"]())) if "size" in self._answers else 5

    def top(self, start: int, count: int) -> Page:
        """Return a page of the sorted order."""
        if "top" in self._answers:
            return self._answers["top"](start, count)  # type: ignore[return-value]
        items = np.array(ORDER[start : start + count])
        return Page(items, np.array(SCORES)[items])

    def scores(self, items: Integers) -> Integers:
        """Return scores."""
        if "scores" in self._answers:
            return self._answers["scores"](items)  # type: ignore[return-value]
        return np.array(SCORES).take(items)

    def name(self, item: int) -> object:
        """Return a name."""
        return self._answers["name"](item) if "name" in self._answers else f"item {item}"


def page(items: ArrayLike, scores: ArrayLike) -> Callable[..., Page]:
    """Return a door that always returns the same page."""
    return lambda start, count: Page(items, scores)  # type: ignore[arg-type]


def always_answering(answer: object) -> Callable[..., object]:
    """Return a door that always returns the same answer."""
    return lambda *question: answer


def raise_connection_error(*question: object) -> object:
    """Lose the connection."""
    raise ConnectionError("the server went away at score 17")


def counts(reader: Reader) -> tuple[int, int, int]:
    """Return sorted accesses, random accesses and round trips."""
    return reader.sorted_accesses, reader.random_accesses, reader.round_trips


def entries_of(entries: Page) -> list[tuple[int, int]]:
    """Return a page as a list of pairs."""
    return list(zip(entries.items.tolist(), entries.scores.tolist(), strict=True))


def test_nothing_is_read_at_first() -> None:
    """A new reader has read nothing and knows the size only."""
    reader = Reader(
        Stored(
            top=raise_connection_error, scores=raise_connection_error, name=raise_connection_error
        )
    )
    assert (reader.size, reader.last_score, counts(reader)) == (5, None, (0, 0, 0))


def test_pages_follow_each_other() -> None:
    """Each page begins where the one before ended, and the last one is short."""
    reader = Reader(Stored())
    pages = [entries_of(reader.top(2)) for _ in range(4)]
    assert pages == [[(1, 9), (3, 9)], [(0, 4), (4, 1)], [(2, 0)], []]


def test_every_entry_of_a_page_is_counted() -> None:
    """Sorted access counts its entries, and one round trip per page that is not empty."""
    reader = Reader(Stored())
    for _ in range(4):
        reader.top(2)
    assert counts(reader) == (5, 0, 3)


def test_every_score_is_counted() -> None:
    """Random access counts scores; an item that is read twice counts twice."""
    reader = Reader(Stored())
    scores = reader.scores(np.array([3, 0, 3]))
    assert (scores.tolist(), counts(reader)) == ([9, 4, 9], (0, 3, 1))


@pytest.mark.parametrize("lengths", [(1, 1, 1, 1, 1, 1), (2, 1, 2, 1), (1, 4, 2)])
def test_entries_are_the_pairs_of_pages(lengths: tuple[int, ...]) -> None:
    """Entries are delivered and counted like pages, one at a time or several."""
    single, paged = Reader(Stored()), Reader(Stored())
    pairs = [single.entries(length) for length in lengths]
    assert pairs == [entries_of(paged.top(length)) for length in lengths]
    assert (counts(single), single.last_score) == (counts(paged), paged.last_score)
    assert all(type(number) is int for entries in pairs for pair in entries for number in pair)


def test_single_entries_are_known_as_delivered() -> None:
    """A single entry counts as delivered."""
    reader = Reader(Stored())
    reader.entries(1)
    reader.entries(1)
    assert reader.was_delivered(np.arange(5)).tolist() == [False, True, False, True, False]


def test_a_single_entry_delivered_twice_is_refused() -> None:
    """A single entry that is delivered again is found."""
    reader = Reader(Stored(top=page([1], [9])))
    reader.entries(1)
    reader.entries(1)
    assert refusal(reader.require_distinct) == (
        Reason.FAULTY_SOURCE,
        "the source delivered an item twice",
    )


@pytest.mark.parametrize("items", [[], [3], [3, 0, 3]])
def test_plain_scores_are_the_scores(items: list[int]) -> None:
    """Scores as Python integers are the same as in an array, and count the same."""
    plain, listed = Reader(Stored()), Reader(Stored())
    found = plain.scores_of(items)
    assert found == listed.scores(np.array(items, dtype=np.int64)).tolist()
    assert counts(plain) == counts(listed)
    assert all(type(score) is int for score in found)


def test_no_items_need_no_round_trip() -> None:
    """The scores of no items need no round trip."""
    reader = Reader(Stored(scores=raise_connection_error))
    assert (reader.scores(np.empty(0, dtype=np.int64)).tolist(), counts(reader)) == ([], (0, 0, 0))


def test_a_block_is_random_access() -> None:
    """A block is read by random access if the source has no method for blocks."""
    reader = Reader(Stored())
    assert (reader.block(1, 4).tolist(), counts(reader)) == ([9, 0, 9], (0, 3, 1))


def test_a_block_through_its_own_door() -> None:
    """A source's method for blocks is used, checked and counted like random access."""
    source = Stored(scores=raise_connection_error)
    source.block = lambda start, stop: np.array(SCORES)[start:stop]  # type: ignore[attr-defined]
    reader = Reader(source)
    assert (reader.block(1, 4).tolist(), counts(reader)) == ([9, 0, 9], (0, 3, 1))


def test_the_last_score_follows_the_pages() -> None:
    """The last score is that of the last entry delivered."""
    reader = Reader(Stored())
    reader.top(3)
    assert reader.last_score == 4


def test_names_come_from_the_source() -> None:
    """An item's name comes from the source and counts as no access."""
    reader = Reader(Stored())
    assert (reader.names([3]), counts(reader)) == (("item 3",), (0, 0, 0))


def test_delivered_items_are_known() -> None:
    """Delivered items are separated from the others, over several pages."""
    reader = Reader(Stored())
    reader.top(2)
    reader.top(1)
    assert reader.was_delivered(np.arange(5)).tolist() == [True, True, False, True, False]


def test_a_later_page_is_delivered_too() -> None:
    """An answer about delivered items is computed again after the next page."""
    reader = Reader(Stored())
    reader.top(2)
    first = reader.was_delivered(np.array([0])).tolist()
    reader.top(1)
    assert (first, reader.was_delivered(np.array([0])).tolist()) == ([False], [True])


def test_ranks_tell_what_was_delivered() -> None:
    """A source with ranks is asked for them, in a round trip without accesses."""
    source = Stored()
    source.rank = lambda items: np.argsort(ORDER)[items]  # type: ignore[attr-defined]
    reader = Reader(source)
    reader.top(3)
    delivered = reader.was_delivered(np.arange(5)).tolist()
    assert (delivered, counts(reader)) == ([True, True, False, True, False], (3, 0, 2))


def test_pages_are_searched_without_ranks() -> None:
    """The items of a page are known without the source, and without a round trip."""
    source = Stored()
    source.rank = raise_connection_error  # type: ignore[attr-defined]
    reader = Reader(source)
    reader.top(2)
    on_page = reader.is_on_page(np.arange(5)).tolist()
    assert (on_page, counts(reader)) == ([False, True, False, True, False], (2, 0, 1))


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_one_whole_number_of_every_kind_becomes_the_same(kind: DTypeLike) -> None:
    """A single entry and a single score of any integer type become Python integers."""
    item, score = np.array([3]).astype(kind), np.array([9]).astype(kind)
    reader = Reader(Stored(top=page(item, score), scores=always_answering(score)))
    assert (reader.entries(1), reader.scores_of([3])) == ([(3, 9)], [9])


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64, list])
def test_whole_numbers_of_every_kind_become_the_same(kind: type) -> None:
    """Pages and scores of any integer type become 64-bit signed integers."""
    convert = list if kind is list else kind
    items, scores = np.array([1, 3]), np.array([9, 4])
    made = (
        (items.tolist(), scores.tolist())
        if convert is list
        else (items.astype(convert), scores.astype(convert))
    )
    reader = Reader(Stored(top=page(*made), scores=always_answering(made[1])))
    delivered, read = reader.top(2), reader.scores(items)
    assert (
        entries_of(delivered),
        read.tolist(),
        {delivered.items.dtype, delivered.scores.dtype, read.dtype},
    ) == ([(1, 9), (3, 4)], [9, 4], {np.dtype(np.int64)})


@pytest.mark.parametrize(
    ("top", "message"),
    [
        (page([1], [9]), "the source must return 2 entries, got 1 items and 1 scores"),
        (page([1, 3, 0], [9, 9, 4]), "the source must return 2 entries, got 3 items and 3 scores"),
        (page([1, 3], [9]), "the source must return 2 entries, got 2 items and 1 scores"),
        (page([1], [9, 9]), "the source must return 2 entries, got 1 items and 2 scores"),
        (page([1, 3], [4, 9]), "the source must deliver entries by descending score"),
        (page([1, 5], [9, 9]), "the source returned an item outside its domain of m=5 items"),
        (page([-1, 1], [9, 9]), "the source returned an item outside its domain of m=5 items"),
        (
            page([1.0, 3.0], [9, 9]),
            "items must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (
            page([1, 3], [9.0, 9.0]),
            "scores must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (
            page([1, 3], [float("nan"), 9]),
            "scores must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (
            page([1, 3], [True, False]),
            "scores must be one list of whole numbers, got 1 dimensions of bool",
        ),
        (
            page([1, 3], np.array([None, 1])),
            "scores must be one list of whole numbers, got 1 dimensions of object",
        ),
        (
            page([1, 3], [[9, 9]]),
            "scores must be one list of whole numbers, got 2 dimensions of int64",
        ),
        (page([1, 3], [9, -1]), "scores must lie between 0 and 9007199254740992"),
        (page([1, 3], [2**53 + 1, 0]), "scores must lie between 0 and 9007199254740992"),
        (
            page([1, 3], np.array([2**63, 2**63], dtype=np.uint64)),
            "scores must lie between 0 and 9007199254740992",
        ),
        (always_answering(([1, 3], [9, 9])), "the source must return a Page, got tuple"),
        (always_answering(None), "the source must return a Page, got NoneType"),
        (raise_connection_error, "the source raised ConnectionError"),
    ],
)
def test_a_faulty_page_is_refused(top: Callable[..., object], message: str) -> None:
    """A wrong page ends the selection, and the message contains no score."""
    reader = Reader(Stored(top=top))
    assert refusal(lambda: reader.top(2)) == (Reason.FAULTY_SOURCE, message)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (always_answering(np.array([9])), "the source must return 2 scores, got 1"),
        (always_answering(np.array([9, 9, 9])), "the source must return 2 scores, got 3"),
        (
            always_answering(np.array([9.0, 4.5])),
            "scores must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (
            always_answering(None),
            "scores must be one list of whole numbers, got 0 dimensions of object",
        ),
        (always_answering(np.array([9, -4])), "scores must lie between 0 and 9007199254740992"),
        (
            always_answering(np.array([9, 2**53 + 1])),
            "scores must lie between 0 and 9007199254740992",
        ),
        (always_answering([9, [4]]), "the source raised ValueError"),
        (raise_connection_error, "the source raised ConnectionError"),
    ],
)
def test_faulty_scores_are_refused(scores: Callable[..., object], message: str) -> None:
    """Wrong scores end the selection."""
    reader = Reader(Stored(scores=scores))
    assert refusal(lambda: reader.scores(np.array([1, 0]))) == (Reason.FAULTY_SOURCE, message)


ONE_FAULTY_ENTRY = [
    (page([], []), "items must be one list of whole numbers, got 1 dimensions of float64"),
    (page([1, 3], [9, 9]), "the source must return 1 entries, got 2 items and 2 scores"),
    (page([1, 3], [9]), "the source must return 1 entries, got 2 items and 1 scores"),
    (page([1], [9, 9]), "the source must return 1 entries, got 1 items and 2 scores"),
    (page([5], [9]), "the source returned an item outside its domain of m=5 items"),
    (page([-1], [9]), "the source returned an item outside its domain of m=5 items"),
    (
        page(np.array([2**63], dtype=np.uint64), [9]),
        "the source returned an item outside its domain of m=5 items",
    ),
    (page([1.0], [9]), "items must be one list of whole numbers, got 1 dimensions of float64"),
    (page([1], [9.0]), "scores must be one list of whole numbers, got 1 dimensions of float64"),
    (page([1], [True]), "scores must be one list of whole numbers, got 1 dimensions of bool"),
    (page(1, 9), "items must be one list of whole numbers, got 0 dimensions of int64"),
    (page([1], [[9]]), "scores must be one list of whole numbers, got 2 dimensions of int64"),
    (page([1], [-1]), "scores must lie between 0 and 9007199254740992"),
    (page([1], [2**53 + 1]), "scores must lie between 0 and 9007199254740992"),
    (
        page([1], np.array([2**63], dtype=np.uint64)),
        "scores must lie between 0 and 9007199254740992",
    ),
    (always_answering(([1], [9])), "the source must return a Page, got tuple"),
    (raise_connection_error, "the source raised ConnectionError"),
]


@pytest.mark.parametrize(("top", "message"), ONE_FAULTY_ENTRY)
def test_a_faulty_entry_is_refused_like_a_page(top: Callable[..., object], message: str) -> None:
    """A wrong single entry has the message of a page of one, and is not counted."""
    single, paged = Reader(Stored(top=top)), Reader(Stored(top=top))
    refused = refusal(lambda: single.entries(1)), refusal(lambda: paged.top(1))
    assert refused == ((Reason.FAULTY_SOURCE, message), (Reason.FAULTY_SOURCE, message))
    assert (counts(single), single.last_score) == (counts(paged), None)


MISSING = np.ma.array([9, 4], mask=[False, True])


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("items", lambda: Reader(Stored(top=page(MISSING, [9, 4]))).top(2)),
        ("scores", lambda: Reader(Stored(top=page([1, 0], MISSING))).top(2)),
        ("scores", lambda: Reader(Stored(top=page([1], MISSING[1:]))).entries(1)),
        (
            "scores",
            lambda: Reader(Stored(scores=always_answering(MISSING))).scores(np.array([1, 0])),
        ),
        ("scores", lambda: Reader(Stored(scores=always_answering(MISSING[1:]))).scores_of([0])),
    ],
)
def test_missing_numbers_are_refused(name: str, read: Callable[[], object]) -> None:
    """A masked number is refused, for every number below the mask."""
    assert refusal(read) == (
        Reason.FAULTY_SOURCE,
        f"{name} must be one list of whole numbers, got missing ones",
    )


def test_an_entry_above_the_one_before_is_refused() -> None:
    """A single entry may not score above the entry before it, in a page or alone."""
    pages = iter([page([1], [4])(0, 1), page([0], [5])(1, 1)])
    reader = Reader(Stored(top=lambda start, count: next(pages)))
    reader.entries(1)
    assert refusal(lambda: reader.entries(1)) == (
        Reason.FAULTY_SOURCE,
        "the source must deliver entries by descending score",
    )


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (always_answering(np.array([], dtype=np.int64)), "the source must return 1 scores, got 0"),
        (always_answering(np.array([9, 9])), "the source must return 1 scores, got 2"),
        (
            always_answering(np.array([9.0])),
            "scores must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (
            always_answering(9),
            "scores must be one list of whole numbers, got 0 dimensions of int64",
        ),
        (
            always_answering(None),
            "scores must be one list of whole numbers, got 0 dimensions of object",
        ),
        (always_answering(np.array([-4])), "scores must lie between 0 and 9007199254740992"),
        (always_answering(np.array([2**53 + 1])), "scores must lie between 0 and 9007199254740992"),
        (always_answering([9, [4]]), "the source raised ValueError"),
        (raise_connection_error, "the source raised ConnectionError"),
    ],
)
def test_a_faulty_score_is_refused_like_a_list(scores: Callable[..., object], message: str) -> None:
    """A wrong single score has the message of a list of one."""
    single, listed = Reader(Stored(scores=scores)), Reader(Stored(scores=scores))
    refused = refusal(lambda: single.scores_of([1])), refusal(lambda: listed.scores(np.array([1])))
    assert refused == ((Reason.FAULTY_SOURCE, message), (Reason.FAULTY_SOURCE, message))
    assert counts(single) == counts(listed)


@pytest.mark.parametrize(
    ("rank", "message"),
    [
        (always_answering(np.array([1])), "the source must return 2 ranks, got 1"),
        (always_answering(np.array([0, 5])), "ranks must lie between 0 and 4"),
        (always_answering(np.array([-1, 0])), "ranks must lie between 0 and 4"),
        (
            always_answering(np.array([0.0, 1.0])),
            "ranks must be one list of whole numbers, got 1 dimensions of float64",
        ),
        (raise_connection_error, "the source raised ConnectionError"),
    ],
)
def test_faulty_ranks_are_refused(rank: Callable[..., object], message: str) -> None:
    """Wrong ranks end the selection."""
    source = Stored()
    source.rank = rank  # type: ignore[attr-defined]
    reader = Reader(source)
    reader.top(2)
    assert refusal(lambda: reader.was_delivered(np.array([1, 0]))) == (
        Reason.FAULTY_SOURCE,
        message,
    )


def test_a_page_above_the_one_before_is_refused() -> None:
    """A page that scores above the page before it is refused, even if it is sorted itself."""
    pages = iter([page([1, 3], [9, 4])(0, 2), page([0, 4], [5, 1])(2, 2)])
    reader = Reader(Stored(top=lambda start, count: next(pages)))
    reader.top(2)
    assert refusal(lambda: reader.top(2)) == (
        Reason.FAULTY_SOURCE,
        "the source must deliver entries by descending score",
    )


@pytest.mark.parametrize("lengths", [(2, 2), (4,)], ids=["two pages", "one page"])
def test_an_item_delivered_twice_is_refused(lengths: tuple[int, ...]) -> None:
    """An item that is delivered twice is found within a page and across pages."""
    items = np.array([1, 3, 0, 1])
    reader = Reader(
        Stored(
            top=lambda start, count: Page(
                items[start : start + count], np.zeros(count, dtype=np.int64)
            )
        )
    )
    for length in lengths:
        reader.top(length)
    assert refusal(reader.require_distinct) == (
        Reason.FAULTY_SOURCE,
        "the source delivered an item twice",
    )


def test_different_items_are_accepted() -> None:
    """A source that delivers every item once passes."""
    reader = Reader(Stored())
    reader.top(5)
    reader.require_distinct()


@pytest.mark.parametrize(
    "call",
    [
        lambda: Reader(Stored(size=raise_connection_error)),
        lambda: Reader(Stored(top=raise_connection_error)).top(1),
        lambda: Reader(Stored(top=raise_connection_error)).entries(1),
        lambda: Reader(Stored(scores=raise_connection_error)).scores(np.array([1])),
        lambda: Reader(Stored(scores=raise_connection_error)).scores_of([1]),
        lambda: Reader(Stored(scores=raise_connection_error)).block(0, 2),
        lambda: Reader(Stored(name=raise_connection_error)).names([1]),
    ],
    ids=["size", "top", "entry", "scores", "score", "block", "name"],
)
def test_what_a_source_raises_is_the_cause(call: Callable[[], object]) -> None:
    """Every exception of a source is the cause of the selection's error."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value), repr(caught.value.__cause__)) == (
        Reason.FAULTY_SOURCE,
        "the source raised ConnectionError",
        "ConnectionError('the server went away at score 17')",
    )


def test_a_refusal_by_the_source_passes() -> None:
    """A selection error of the source itself is raised unchanged."""

    def refuse(*question: object) -> object:
        raise SelectionError(Reason.NEGATIVE_SCORE, "no score may be negative")

    reader = Reader(Stored(top=refuse))
    refused = refusal(lambda: reader.top(1)), refusal(lambda: reader.entries(1))
    assert set(refused) == {(Reason.NEGATIVE_SCORE, "no score may be negative")}


def test_an_interrupt_passes() -> None:
    """An interrupt by the user is not an error of the source."""

    def interrupt(*question: object) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Reader(Stored(top=interrupt)).top(1)


def test_a_refused_page_is_not_counted_as_read() -> None:
    """A refused page does not move the place in the list."""
    reader = Reader(Stored(top=page([1, 3], [4, 9])))
    refusal(lambda: reader.top(2))
    assert (reader.sorted_accesses, reader.last_score) == (0, None)


@pytest.mark.parametrize("size", [0, -1, 2**62 + 1])
def test_a_domain_out_of_range_is_refused(size: int) -> None:
    """A domain has between 1 and 2^62 items."""
    assert refusal(lambda: Reader(Stored(size=always_answering(size)))) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"m must be between 1 and 4611686018427387904, got {size}",
    )


@pytest.mark.parametrize("size", [2**31, 2**31 + 1, 2**40])
def test_what_was_delivered_is_known_in_domains_of_every_size(size: int) -> None:
    """The last items of a domain are recognised, in 32 bits or more."""
    reader = Reader(SparseScores(size, {size - 1: 5, 3: 4}))
    reader.top(2)
    reader.require_distinct()
    assert reader.is_on_page(np.array([size - 1, size - 2, 3, 4])).tolist() == [
        True,
        False,
        True,
        False,
    ]


@given(seed=st.integers(0, 2**32), count=st.sampled_from([3, SHORT - 1, SHORT + 5]))
@settings(max_examples=10)
def test_few_and_many_items_are_found_on_pages(seed: int, count: int) -> None:
    """Delivered items are found among few and among many items."""
    coins = np.random.default_rng(seed)
    scores = IndexedScores(coins.integers(0, 5, size=20_000))
    reader = Reader(scores)
    delivered = np.concatenate([reader.top(100).items, reader.top(3000).items])
    asked = coins.integers(0, 20_000, size=count)
    assert reader.is_on_page(asked).tolist() == np.isin(asked, delivered).tolist()
    assert reader.is_on_page(asked[:2]).tolist() == np.isin(asked[:2], delivered).tolist()
