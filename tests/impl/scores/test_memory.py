"""Facts about score lists in memory: order, what is stored and what is not."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Page
from privtopk.spec.model.errors import Reason
from support import refusal

ARRAYS = (ArrayScores, IndexedScores)
DOMAINS = (2**40, 2**53 + 1, 2**62)

arrays = pytest.mark.parametrize("kind", ARRAYS)


def entries_of(page: Page) -> list[tuple[int, int]]:
    """Return a page as a list of pairs."""
    return list(zip(page.items.tolist(), page.scores.tolist(), strict=True))


@st.composite
def sparse(draw: st.DrawFn) -> tuple[int, dict[int, int]]:
    """Draw a small domain and the scores of some of its items, a few of them 0."""
    size = draw(st.integers(1, 12))
    items = st.integers(0, size - 1)
    return size, draw(st.dictionaries(items, st.integers(0, 3), max_size=size))


@arrays
@given(scores=st.lists(st.integers(0, 4), min_size=1, max_size=20))
def test_order_is_by_score_and_then_by_index(kind: type[ArrayScores], scores: list[int]) -> None:
    """Sorted access is by descending score; of tied items the smaller index comes first."""
    expected = sorted(enumerate(scores), key=lambda entry: (-entry[1], entry[0]))
    assert entries_of(kind(scores).top(0, len(scores))) == expected


@arrays
@given(
    scores=st.lists(st.integers(0, 4), min_size=1, max_size=8),
    start=st.integers(0, 8),
    count=st.integers(0, 9),
)
def test_a_page_is_a_piece_of_the_order(
    kind: type[ArrayScores], scores: list[int], start: int, count: int
) -> None:
    """A page is a slice of the whole order, shorter at the end."""
    source = kind(scores)
    whole = entries_of(source.top(0, len(scores)))
    assert entries_of(source.top(start, count)) == whole[start : start + count]


@arrays
def test_a_page_is_not_fetched_score_by_score(kind: type[ArrayScores]) -> None:
    """Pages of sorted access are slices of a sorted list, without a copy."""
    source = kind([5, 7, 6, 1])
    first, second = source.top(1, 2), source.top(1, 2)
    assert np.shares_memory(first.items, second.items)
    assert np.shares_memory(first.scores, second.scores)


@arrays
def test_scores_by_item(kind: type[ArrayScores]) -> None:
    """Random access answers in the order of the question."""
    assert kind([5, 7, 6]).scores(np.array([2, 0, 2])).tolist() == [6, 5, 6]


@arrays
def test_a_block_is_a_run_of_items(kind: type[ArrayScores]) -> None:
    """A block has the scores of consecutive items, without a copy."""
    block = kind([5, 7, 6, 1]).block(1, 3)
    assert (block.tolist(), block.base is not None) == ([7, 6], True)


@arrays
def test_items_are_indices(kind: type[ArrayScores]) -> None:
    """The name of an item is its index, from 0."""
    source = kind([5, 7])
    assert [source.name(item) for item in range(source.size)] == [0, 1]


@arrays
def test_bad_scores_are_refused(kind: type[ArrayScores]) -> None:
    """Scores are checked when a source is made."""
    assert refusal(lambda: kind([1, -1])) == (Reason.NEGATIVE_SCORE, "no score may be negative")


def test_who_has_an_index() -> None:
    """An array is not indexed; sorted scores and a sparse domain are."""
    sources = (ArrayScores([1]), IndexedScores([1]), SparseScores(1, {}))
    assert [source.is_indexed for source in sources] == [False, True, True]


def test_an_index_is_a_copy() -> None:
    """A later change of the caller's array does not change the index."""
    scores = np.array([3, 1, 2])
    source = IndexedScores(scores)
    scores[:] = 0
    assert (entries_of(source.top(0, 3)), source.scores(np.array([0])).tolist()) == (
        [(0, 3), (2, 2), (1, 1)],
        [3],
    )


def test_an_index_says_what_it_cost() -> None:
    """The time of sorting is reported, and sorting happens when the index is made."""
    source = IndexedScores(np.arange(1000))
    assert 0 < source.build_seconds < 60


@given(domain=sparse())
def test_a_sparse_domain_equals_a_dense_one(domain: tuple[int, dict[int, int]]) -> None:
    """Both doors of a sparse domain return what those of the dense scores return, on every page."""
    size, scores = domain
    dense = IndexedScores([scores.get(item, 0) for item in range(size)])
    source = SparseScores(size, scores)
    everything = np.arange(size)
    assert source.scores(everything).tolist() == dense.scores(everything).tolist()
    assert source.block(0, size).tolist() == dense.block(0, size).tolist()
    for start in range(size + 1):
        for count in range(size + 2):
            assert entries_of(source.top(start, count)) == entries_of(dense.top(start, count))


@given(domain=sparse(), random=st.randoms(use_true_random=False))
def test_a_page_becomes_a_sparse_domain(domain: tuple[int, dict[int, int]], random: Any) -> None:
    """Entries in any order, some of them 0, make the same source as a mapping."""
    size, scores = domain
    given = list(scores.items())
    random.shuffle(given)
    items, values = np.array(given, dtype=np.int64).reshape(-1, 2).T
    source = SparseScores.from_page(size, Page(items, values))
    assert entries_of(source.top(0, size)) == entries_of(SparseScores(size, scores).top(0, size))


@pytest.mark.parametrize("size", DOMAINS)
def test_a_huge_domain_begins_with_what_is_stored(size: int) -> None:
    """The stored items come first, then the items that score 0 by their number."""
    source = SparseScores(size, {size - 1: 5, 0: 7, 2: 5})
    assert entries_of(source.top(0, 6)) == [(0, 7), (2, 5), (size - 1, 5), (1, 0), (3, 0), (4, 0)]


@pytest.mark.parametrize("size", DOMAINS)
def test_a_huge_domain_ends_with_its_last_items(size: int) -> None:
    """The last ranks belong to the largest numbers that are not stored."""
    source = SparseScores(size, {size - 2: 5, 0: 7})
    assert entries_of(source.top(size - 2, 9)) == [(size - 3, 0), (size - 1, 0)]


@pytest.mark.parametrize("size", DOMAINS)
def test_scores_in_a_huge_domain(size: int) -> None:
    """Stored items have their scores and all others 0, up to the end of the domain."""
    source = SparseScores(size, {size - 1: 5, 0: 7})
    assert source.scores(np.array([0, 1, size - 2, size - 1])).tolist() == [7, 0, 0, 5]


def test_sparse_items_are_numbers() -> None:
    """The name of an item of a sparse domain is its number."""
    assert SparseScores(2**40, {}).name(2**39) == 2**39


def test_a_sparse_domain_without_scores() -> None:
    """A domain without votes still has all its items."""
    source = SparseScores(3, {})
    assert (source.size, entries_of(source.top(0, 3))) == (3, [(0, 0), (1, 0), (2, 0)])


@pytest.mark.parametrize("size", [0, -1, 2**62 + 1])
def test_a_sparse_domain_out_of_range_is_refused(size: int) -> None:
    """A declared domain has between 1 and 2^62 items."""
    assert refusal(lambda: SparseScores(size, {})) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"size must be between 1 and 4611686018427387904, got {size}",
    )


@pytest.mark.parametrize("item", [-1, 5, 2**70])
def test_items_outside_a_sparse_domain_are_refused(item: int) -> None:
    """Every stored item belongs to the declared domain."""
    assert refusal(lambda: SparseScores(5, {item: 1, 0: 1})) == (
        Reason.UNKNOWN_ITEM,
        "items must be between 0 and 4",
    )


@pytest.mark.parametrize("item", ["a", 1.0, True])
def test_items_that_are_no_numbers_are_refused(item: object) -> None:
    """Items of a sparse domain are integers."""
    assert refusal(lambda: SparseScores(5, {item: 1})) == (  # type: ignore[dict-item]
        Reason.WRONG_TYPE,
        f"item must be an integer, got {item!r}",
    )


def test_bad_sparse_scores_are_refused() -> None:
    """Sparse scores are checked like all others."""
    assert refusal(lambda: SparseScores(5, {1: -1})) == (
        Reason.NEGATIVE_SCORE,
        "no score may be negative",
    )
