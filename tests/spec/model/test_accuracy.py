"""Facts about (alpha, k)-accuracy and exact top-k sets."""

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.accuracy import error_of, is_accurate, is_top_set, kth_largest, top_items
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Histogram, Item, items_of
from support import refusal

HISTOGRAMS = st.lists(st.integers(0, 4), min_size=1, max_size=5).map(tuple)


def items(*numbers: int) -> tuple[Item, ...]:
    """Return the items with these numbers."""
    return tuple(Item(number) for number in numbers)


ASKS: tuple[Callable[[Any], object], ...] = (
    lambda k: kth_largest((3, 1, 2), k),
    lambda k: is_accurate((3, 1, 2), items(1), 0, k),
    lambda k: error_of((3, 1, 2), items(1), k),
    lambda k: top_items((3, 1, 2), k),
    lambda k: is_top_set((3, 1, 2), items(1), k),
)
"""Every function that takes k, called for three items."""


def test_kth_largest_counts_equal_values() -> None:
    """Each of several equal values takes its own place."""
    assert [kth_largest((5, 2, 5, 1), k) for k in (1, 2, 3, 4)] == [5, 5, 2, 1]


def test_top_items_are_ranked_and_ties_go_to_the_smaller_item() -> None:
    """The best item comes first; of two equal items, the smaller one."""
    assert top_items((1, 7, 3, 7), 3) == (2, 4, 3)


@settings(max_examples=50)
@given(HISTOGRAMS, st.data())
def test_top_items_are_a_top_set(histogram: Histogram, data: st.DataObject) -> None:
    """The k largest items are a top set with error 0."""
    k = data.draw(st.integers(1, len(histogram)))
    best = top_items(histogram, k)
    assert (len(best), is_top_set(histogram, best, k), error_of(histogram, best, k)) == (k, True, 0)


@settings(max_examples=50)
@given(HISTOGRAMS, st.data())
def test_top_sets_are_those_of_largest_total(histogram: Histogram, data: st.DataObject) -> None:
    """Among all sets of k items the top sets are exactly those with the largest sum."""
    k = data.draw(st.integers(1, len(histogram)))
    sums = {
        chosen: sum(histogram[item - 1] for item in chosen)
        for chosen in combinations(items_of(len(histogram)), k)
    }
    assert [is_top_set(histogram, chosen, k) for chosen in sums] == [
        total == max(sums.values()) for total in sums.values()
    ]


def test_ties_may_fall_either_way() -> None:
    """Each of two equal items makes a top set."""
    assert [is_top_set((4, 4, 1), items(i), 1) for i in (1, 2, 3)] == [True, True, False]


def test_set_of_another_size_is_no_top_set() -> None:
    """Fewer or more than k items are not a top set of k."""
    assert (is_top_set((3, 2, 1), items(1), 2), is_top_set((3, 2, 1), items(1, 2), 1)) == (
        False,
        False,
    )


def test_accuracy_by_hand() -> None:
    """With h = (9, 7, 4) and k = 2 the selection {1, 3} is off by 3."""
    assert [is_accurate((9, 7, 4), items(1, 3), alpha, 2) for alpha in (2, 2.9, 3, 4)] == [
        False,
        False,
        True,
        True,
    ]


def test_selection_of_another_size_is_not_accurate() -> None:
    """Accuracy requires exactly k items."""
    assert not is_accurate((9, 7, 4), items(1), 100, 2)


@settings(max_examples=50)
@given(HISTOGRAMS, st.data())
def test_error_is_the_least_alpha(histogram: Histogram, data: st.DataObject) -> None:
    """A selection is (alpha, k)-accurate exactly for alpha at least its error."""
    k = data.draw(st.integers(1, len(histogram)))
    chosen = data.draw(st.sampled_from(list(combinations(items_of(len(histogram)), k))))
    error = error_of(histogram, chosen, k)
    accurate = [alpha for alpha in range(6) if is_accurate(histogram, chosen, alpha, k)]
    assert accurate == list(range(error, 6))


def test_selecting_everything_has_no_error() -> None:
    """For k = m there is one selection, and it is exact."""
    assert error_of((2, 0, 5), items(3, 1, 2), 3) == 0


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("k", [0, -1, 4])
def test_k_outside_the_domain_is_refused(ask: Callable[[Any], object], k: int) -> None:
    """k lies between 1 and m."""
    assert refusal(lambda: ask(k)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=3, got {k}",
    )


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("k", [True, 1.0, "1", None])
def test_k_of_another_type_is_refused(ask: Callable[[Any], object], k: object) -> None:
    """The number of items is an integer."""
    assert refusal(lambda: ask(k)) == (Reason.WRONG_TYPE, f"k must be an integer, got {k!r}")


@pytest.mark.parametrize(
    "ask",
    [
        lambda chosen: is_accurate((3, 1, 2), chosen, 0, 2),
        lambda chosen: error_of((3, 1, 2), chosen, 2),
        lambda chosen: is_top_set((3, 1, 2), chosen, 2),
    ],
    ids=["is_accurate", "error_of", "is_top_set"],
)
@pytest.mark.parametrize(
    ("chosen", "reason", "message"),
    [
        (
            items(1, 1),
            Reason.DUPLICATE_ITEM,
            "items must be distinct, got 2 items of which 1 differ",
        ),
        (items(1, 4), Reason.UNKNOWN_ITEM, "item must be between 1 and m=3, got 4"),
        (items(0, 1), Reason.UNKNOWN_ITEM, "item must be between 1 and m=3, got 0"),
        ((True, 2), Reason.WRONG_TYPE, "item must be an integer, got True"),
    ],
)
def test_bad_selections_are_refused(
    ask: Callable[[Any], object], chosen: object, reason: Reason, message: str
) -> None:
    """A selection names items of the domain, each once."""
    assert refusal(lambda: ask(chosen)) == (reason, message)


def test_error_of_too_few_items_is_refused() -> None:
    """The error is defined for exactly k items."""
    assert refusal(lambda: error_of((3, 1, 2), items(1), 2)) == (
        Reason.K_OUT_OF_RANGE,
        "k=2 items must be selected, got 1",
    )


@pytest.mark.parametrize(
    ("alpha", "reason"),
    [(math.nan, Reason.NOT_A_NUMBER), (True, Reason.WRONG_TYPE), ("1", Reason.WRONG_TYPE)],
)
def test_alpha_of_another_kind_is_refused(alpha: Any, reason: Reason) -> None:
    """Alpha is a number."""
    assert refusal(lambda: is_accurate((3, 1, 2), items(1), alpha, 1)) == (
        reason,
        f"alpha must be a number, got {alpha!r}",
    )


@settings(max_examples=50)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_refusals_do_not_depend_on_the_scores(scores: list[int]) -> None:
    """With k = 4 of three items the message is the same for all scores."""
    histogram = tuple(scores)
    expected = (Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4")
    assert refusal(lambda: top_items(histogram, 4)) == expected
    assert refusal(lambda: is_accurate(histogram, items(1), 0, 4)) == expected
