"""Facts about delivered items: membership, and repetition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.delivered import Delivered

WORD = 2**32
SIZES = (1, 2, 300, WORD, WORD + 1, 2**40, 2**62)


@st.composite
def deliveries(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """Draw a domain and pages of its items, many of which agree in their low bits."""
    size = draw(st.sampled_from(SIZES))
    low, high = st.integers(0, min(size, 6) - 1), st.integers(0, (size - 1) // WORD)
    items = st.builds(lambda low, high: min(low + WORD * high, size - 1), low, high)
    return size, draw(st.lists(st.lists(items, max_size=5), max_size=4))


def delivered_after(size: int, pages: list[list[int]]) -> Delivered:
    """Return the items after these pages; a page of one item is added as a single item."""
    delivered = Delivered(size)
    for page in pages:
        if len(page) == 1:
            delivered.add_one(page[0])
        else:
            delivered.add(np.array(page, dtype=np.int64))
    return delivered


@given(delivery=deliveries(), asked=st.lists(st.integers(0, 2**62 - 1), max_size=3))
def test_exactly_what_was_delivered_is_known(
    delivery: tuple[int, list[list[int]]], asked: list[int]
) -> None:
    """After every page, exactly the delivered items are members, for all low bits."""
    size, pages = delivery
    questions = [item % size for item in asked] + [item for page in pages for item in page]
    for count in range(len(pages) + 1):
        came = {item for page in pages[:count] for item in page}
        known = delivered_after(size, pages[:count]).contains(np.array(questions, dtype=np.int64))
        assert known.tolist() == [item in came for item in questions]


@given(delivery=deliveries())
def test_an_item_that_came_twice_is_found(delivery: tuple[int, list[list[int]]]) -> None:
    """An item is repeated if all its bits repeat, within a page or across pages."""
    size, pages = delivery
    items = [item for page in pages for item in page]
    assert delivered_after(size, pages).has_repeated() is (len(set(items)) < len(items))


def test_questions_between_pages_do_not_change_the_answers() -> None:
    """An early question does not hide later pages and single items."""
    delivered = Delivered(10)

    def answers() -> tuple[list[int], bool]:
        return delivered.contains(np.arange(5)).nonzero()[0].tolist(), delivered.has_repeated()

    delivered.add(np.array([3, 1]))
    first = answers()
    delivered.add_one(4)
    second = answers()
    delivered.add(np.array([3]))
    expected = ([1, 3], False), ([1, 3, 4], False), ([1, 3, 4], True)
    assert (first, second, answers()) == expected


@pytest.mark.parametrize("size", [WORD, 2**40])
@pytest.mark.parametrize("asked", [3, 5_000])
def test_long_lists_are_searched_like_short_ones(size: int, asked: int) -> None:
    """Few items and many are found among thousands, and no others."""
    coins = np.random.default_rng(size + asked)
    items = np.unique(coins.integers(0, size, size=4_000))
    questions = np.concatenate([items[:asked:2], coins.integers(0, size, size=asked)])
    delivered = Delivered(size)
    delivered.add(coins.permutation(items))
    assert delivered.contains(questions).tolist() == np.isin(questions, items).tolist()
    assert not delivered.has_repeated()


@pytest.mark.parametrize(("size", "other"), [(WORD + 1, WORD), (2**33, WORD), (2**62, 2**61)])
def test_items_that_agree_in_their_low_bits_are_told_apart(size: int, other: int) -> None:
    """Item 0 is distinct from the item with the same low bits, from the smallest such domain on."""
    delivered = Delivered(size)
    delivered.add(np.array([other, 7]))
    assert delivered.contains(np.array([0, other])).tolist() == [False, True]
    delivered.add_one(0)
    assert not delivered.has_repeated()
