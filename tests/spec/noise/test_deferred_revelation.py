"""Facts about bits on demand: thresholds, frontiers and the law of gaps."""

from fractions import Fraction
from functools import partial

import pytest

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import every_outcome, seeded_tape
from privtopk.spec.model.values import items_of
from privtopk.spec.noise.deferred_revelation import (
    HiddenWords,
    gap_law,
    select_all,
    select_deferred,
    subset_law,
    threshold_of,
)
from support import refusal


def falling(word: int) -> Fraction:
    """Return a noise that falls by 1 per word."""
    return Fraction(-word)


@pytest.mark.parametrize(("bar", "threshold"), [(2, 2), (0, 4), (-9, 8), (9, 0)])
def test_threshold_is_the_first_word_below_the_bar(bar: int, threshold: int) -> None:
    """From this word on, an item of score 3 stays below the bar."""
    assert threshold_of(Fraction(bar), 3, 8, falling) == threshold


def test_opening_moves_the_frontier() -> None:
    """Opened words lie below the threshold; hidden words do not from then on."""
    hidden = HiddenWords(8, seeded_tape(1))
    opened = hidden.open_below(items_of(200), 3)
    assert set(opened.values()) == {0, 1, 2}
    assert hidden.frontier == 3
    assert {hidden.draw_word() for _ in range(200)} == {3, 4, 5, 6, 7}


def test_opening_below_the_frontier_opens_nothing() -> None:
    """A threshold at the frontier opens nothing, and the frontier stays."""
    hidden = HiddenWords(8, seeded_tape(1))
    hidden.open_below(items_of(3), 5)
    assert hidden.open_below(items_of(3), 5) == {}
    assert hidden.frontier == 5


def test_stages_keep_the_law() -> None:
    """In stages, a ranked list of two has the law of the one-shot mechanism."""
    scores = (2, 0, 1)
    whole = every_outcome(partial(select_all, scores, 2, 3, falling))
    stages = [(2, 1), (3, 2)]
    assert every_outcome(partial(select_deferred, scores, 2, 3, falling, stages)) == whole


def test_gaps_are_geometric() -> None:
    """A gap g has probability p (1 - p)^g."""
    chance = Fraction(2, 5)
    assert [gap_law(chance, gap) for gap in (0, 1, 2)] == [
        Fraction(2, 5),
        Fraction(6, 25),
        Fraction(18, 125),
    ]


def test_gaps_lead_to_subsets_with_their_product_law() -> None:
    """The subset {0, 2} of four has probability p^2 (1 - p)^2."""
    assert subset_law(Fraction(1, 3), (0, 2), 4) == Fraction(4, 81)


def test_too_many_items_are_refused() -> None:
    """k must not exceed the number of items."""
    assert refusal(lambda: select_all((1,), 2, 2, falling, seeded_tape(1))) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=1, got 2",
    )
