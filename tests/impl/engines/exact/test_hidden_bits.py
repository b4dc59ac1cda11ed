"""Facts about hidden words: the frontier is kept, and what is opened lies below it."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.exact.bits import CoinBits, SystemBits
from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from support import fits, seeded_coins

QUARTER = 2**61


def open_below(hidden: HiddenBits, level: int) -> dict[int, int]:
    """Open the items between the frontier and a level, in two parts, and return their words."""
    lower = hidden.frontier
    found: dict[int, int] = {}
    for items in hidden.below(level):
        middle = hidden.level_between(lower, level, 0.5)
        places, words = hidden.part(items, lower, middle, level)
        rest = np.delete(items, places)
        others, further = hidden.part(rest, middle, level, level)
        assert len(others) == len(rest)
        found |= dict(zip(items[places].tolist(), words.tolist(), strict=True))
        found |= dict(zip(rest.tolist(), further.tolist(), strict=True))
    hidden.frontier = level
    return found


def test_words_start_at_the_frontier() -> None:
    """The words of hidden items lie between the frontier and 2^63, and reach both ends."""
    field = HiddenBits(10, SystemBits())
    field.frontier = 3 * QUARTER
    words = field.levels_of(np.arange(4_000))
    assert 3 * QUARTER <= words.min() < 3 * QUARTER + 2**52
    assert words.max() > 2**63 - 2**52


def test_opened_words_lie_between_the_frontiers() -> None:
    """Items opened in a second step have words between the first threshold and the second."""
    field = HiddenBits(4_000, CoinBits(seeded_coins()))
    first, second = open_below(field, QUARTER), open_below(field, 2 * QUARTER)
    assert max(first.values()) < QUARTER <= min(second.values())
    assert max(second.values()) < 2 * QUARTER


def test_everything_is_opened_in_the_end() -> None:
    """A threshold of 2^63 opens all items."""
    field = HiddenBits(50, CoinBits(seeded_coins()))
    assert sorted(open_below(field, 2**63)) == list(range(50))


def test_no_items_have_no_words() -> None:
    """When all items are opened, an empty request returns no words."""
    field = HiddenBits(5, CoinBits(seeded_coins()))
    open_below(field, 2**63)
    assert field.levels_of(np.empty(0, dtype=np.int64)).tolist() == []


def test_a_threshold_at_the_frontier_opens_nothing() -> None:
    """A threshold at the frontier opens no item."""
    field = HiddenBits(50, CoinBits(seeded_coins()))
    open_below(field, QUARTER)
    assert open_below(field, QUARTER) == {}


@pytest.mark.parametrize("first", [QUARTER, 3 * QUARTER])
def test_two_steps_have_the_law_of_a_uniform_word(first: int) -> None:
    """The quarter of the word of an item is uniform, for every frontier in between.

    Null: 1/4 each. 8,000 draws, false alarms 1e-9, power 0.99 from a defect of 0.0113. An item
    that neither step opens is asked for its word.
    """
    field_bits = CoinBits(seeded_coins(first % 7))
    quarters = Counter[int]()
    for _ in range(80):
        field = HiddenBits(100, field_bits)
        words = open_below(field, first)
        for item, word in open_below(field, first + QUARTER // 2).items():
            words.setdefault(item, word)
        hidden = np.array([item for item in range(100) if item not in words])
        rest = dict(zip(hidden.tolist(), field.levels_of(hidden).tolist(), strict=True))
        quarters.update(word // QUARTER for word in {**rest, **words}.values())
    assert fits(quarters.elements(), dict.fromkeys(range(4), Fraction(1, 4)), 8_000, 0.0113)


@pytest.mark.parametrize(
    ("frontier", "level"), [(0, QUARTER), (QUARTER, 3 * QUARTER), (2**63, 2**63)]
)
def test_expected_number_below_a_level(frontier: int, level: int) -> None:
    """The expected number is that of uniform words beyond the frontier."""
    hidden = HiddenBits(1000, CoinBits(seeded_coins()))
    hidden.frontier = frontier
    left = 2**63 - frontier
    assert hidden.expected_below(level) == (1000 * (level - frontier) / left if left else 0)


def test_a_share_of_all_words() -> None:
    """A quarter of all words lie below the level of a share of 1/4."""
    assert HiddenBits(5, CoinBits(seeded_coins())).level_of_share(0.25) == QUARTER
