"""Facts about the threshold algorithm."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.algorithms.threshold import (
    Aggregation,
    Reading,
    ThresholdRun,
    keep_best,
    meeting_round,
    threshold_algorithm,
    total,
)
from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger, StoredList
from privtopk.spec.model.accuracy import is_top_set, top_items
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Item, Number
from support import refusal

SIZES = st.integers(1, 6)
VALUES = st.integers(-3, 3)
READINGS = st.sampled_from(Reading)


def smallest(attributes: tuple[Number, ...]) -> Number:
    """Return the smallest attribute: another monotone aggregation."""
    return min(attributes)


def weighted(attributes: tuple[Number, ...]) -> Number:
    """Return a weighted sum with positive rational weights."""
    return sum((x * Fraction(1, j) for j, x in enumerate(attributes, start=1)), Fraction(0))


def entry(item: int, value: Number) -> Entry:
    """Return an entry."""
    return Entry(Item(item), value)


def orders(draw: st.DrawFn, count: int) -> tuple[int, list[list[int]]]:
    """Draw a size and that many lists of values of this size."""
    m = draw(SIZES)
    return m, [draw(st.lists(VALUES, min_size=m, max_size=m)) for _ in range(count)]


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    """Draw one to three lists over one domain, and k."""
    m, lists = orders(draw, draw(st.integers(1, 3)))
    return lists, draw(st.integers(1, m))


def test_run_by_hand() -> None:
    """With h = (5, 0, 3), Z = (0, 1, 3) and k = 1 the run stops in round 2 with item 3."""
    run = threshold_algorithm((StoredList((5, 0, 3)), StoredList((0, 1, 3))), 1)
    assert run == ThresholdRun((entry(3, 6),), rounds=2, threshold=4)


def test_equality_stops_the_run() -> None:
    """A score equal to the threshold is enough."""
    run = threshold_algorithm((StoredList((2, 1)), StoredList((2, 1))), 1)
    assert run == ThresholdRun((entry(1, 4),), rounds=1, threshold=4)


def test_items_are_the_selected_ones_without_order() -> None:
    """The set of a run has neither ranks nor scores."""
    assert ThresholdRun((entry(3, 6), entry(1, 5)), 2, 4).items == frozenset({1, 3})


@settings(max_examples=50)
@given(problems(), READINGS, st.sampled_from((total, smallest, weighted)))
def test_run_returns_a_top_set(
    problem: tuple[list[list[int]], int], reading: Reading, aggregate: Aggregation
) -> None:
    """For monotone aggregations no unselected item is better, and all scores are correct."""
    lists, k = problem
    scores = [aggregate(attributes) for attributes in zip(*lists, strict=True)]
    run = threshold_algorithm([StoredList(values) for values in lists], k, aggregate, reading)
    assert is_top_set(scores, run.items, k)
    assert run.selected == tuple(
        sorted(
            (Entry(item, scores[item - 1]) for item in run.items), key=lambda e: (-e.value, e.item)
        )
    )


@settings(max_examples=50)
@given(problems(), READINGS)
def test_run_stops_within_m_rounds(problem: tuple[list[list[int]], int], reading: Reading) -> None:
    """No list is read past its end; each has one sorted access per round."""
    lists, k = problem
    sources = [StoredList(values) for values in lists]
    run = threshold_algorithm(sources, k, total, reading)
    assert 1 <= run.rounds <= len(lists[0])
    assert [source.ledger.count(Door.SORTED) for source in sources] == [run.rounds] * len(lists)


@settings(max_examples=50)
@given(problems())
def test_run_stops_as_soon_as_it_may(problem: tuple[list[list[int]], int]) -> None:
    """In every earlier round fewer than k of the items seen reach the threshold."""
    lists, k = problem
    scores = [sum(attributes) for attributes in zip(*lists, strict=True)]
    run = threshold_algorithm([StoredList(values) for values in lists], k)
    sources = [StoredList(values) for values in lists]
    seen: set[Item] = set()
    for _ in range(run.rounds - 1):
        delivered = [source.sorted_access() for source in sources]
        seen.update(e.item for e in delivered)
        threshold = sum(e.value for e in delivered)
        assert sum(scores[item - 1] >= threshold for item in seen) < k


@settings(max_examples=50)
@given(problems())
def test_reading_changes_costs_only(problem: tuple[list[list[int]], int]) -> None:
    """The three ways of reading give the same run."""
    lists, k = problem
    runs = [
        threshold_algorithm([StoredList(values) for values in lists], k, total, reading)
        for reading in Reading
    ]
    assert runs[0] == runs[1] == runs[2]


def test_distinct_scores_give_the_full_scan() -> None:
    """Without ties the selected items are those of a full scan, in its order."""
    h, z = (4, 1, 9, 2), (0.5, 7.25, 0.125, 3.0)
    run = threshold_algorithm((StoredList(h), StoredList(z)), 3)
    noisy = [score + noise for score, noise in zip(h, z, strict=True)]
    assert tuple(e.item for e in run.selected) == top_items(noisy, 3)


def accesses(reading: Reading) -> tuple[Ledger, Ledger]:
    """Return both ledgers after a run of two rounds that delivers one item twice."""
    scores, noises = StoredList((5, 0, 3)), StoredList((0, 1, 3))
    threshold_algorithm((scores, noises), 1, total, reading)
    return scores.ledger, noises.ledger


def test_literal_reading_reads_the_delivered_value_again() -> None:
    """As printed, each delivered item is read in all lists: 3 accesses per round to each."""
    scores, _ = accesses(Reading.LITERAL)
    assert scores.accesses == (
        (Door.SORTED, 1),
        (Door.RANDOM, 1),
        (Door.RANDOM, 3),
        (Door.SORTED, 3),
        (Door.RANDOM, 3),
        (Door.RANDOM, 2),
    )


def test_default_reading_skips_the_delivered_value() -> None:
    """Each list has two accesses per round."""
    scores, noises = accesses(Reading.SKIP_DELIVERED)
    assert (scores.accesses, noises.accesses) == (
        ((Door.SORTED, 1), (Door.RANDOM, 3), (Door.SORTED, 3), (Door.RANDOM, 2)),
        ((Door.RANDOM, 1), (Door.SORTED, 3), (Door.RANDOM, 3), (Door.SORTED, 2)),
    )


def test_memoised_reading_reads_nothing_twice() -> None:
    """Both lists deliver item 3, and its noise is not read again."""
    scores, noises = accesses(Reading.MEMOISED)
    assert (scores.accesses, noises.accesses) == (
        ((Door.SORTED, 1), (Door.RANDOM, 3), (Door.SORTED, 3), (Door.RANDOM, 2)),
        ((Door.RANDOM, 1), (Door.SORTED, 3), (Door.SORTED, 2)),
    )


@settings(max_examples=50)
@given(problems())
def test_memoised_reading_asks_by_random_access_once(
    problem: tuple[list[list[int]], int],
) -> None:
    """Random access reads no item twice, and none that sorted access has delivered."""
    lists, k = problem
    sources = [StoredList(values) for values in lists]
    threshold_algorithm(sources, k, total, Reading.MEMOISED)
    for source in sources:
        known: set[Item] = set()
        for door, item in source.ledger.accesses:
            assert door is Door.SORTED or item not in known
            known.add(item)


def test_single_list_needs_k_rounds() -> None:
    """On one list the first k entries are the top k."""
    run = threshold_algorithm([StoredList((1, 4, 2, 3))], 2)
    assert (run.rounds, run.items) == (2, frozenset({2, 4}))


def test_domain_of_one_item() -> None:
    """For m = k = 1 one round is enough."""
    run = threshold_algorithm((StoredList((7,)), StoredList((Fraction(1, 2),))), 1)
    assert run == ThresholdRun((entry(1, Fraction(15, 2)),), 1, Fraction(15, 2))


def test_all_items_can_be_selected() -> None:
    """For k = m every item is returned, best first."""
    run = threshold_algorithm((StoredList((1, 2, 3)), StoredList((3, 0, 0))), 3)
    assert run.selected == (entry(1, 4), entry(3, 3), entry(2, 2))


def test_total_is_the_sum() -> None:
    """The aggregation of Algorithm 3 adds, exactly where the attributes are exact."""
    assert total((1, Fraction(1, 3), Fraction(2, 3))) == 2


def test_keep_best_keeps_k_in_order() -> None:
    """One more entry takes its rank, and the worst one is dropped."""
    best = (entry(4, 9), entry(2, 5))
    assert keep_best(best, entry(1, 5), 2) == (entry(4, 9), entry(1, 5))


def test_keep_best_ignores_an_item_it_has() -> None:
    """An item is kept once."""
    best = (entry(4, 9), entry(2, 5))
    assert keep_best(best, entry(2, 5), 3) == best


@settings(max_examples=50)
@given(st.permutations([entry(i, v) for i, v in enumerate((3, 1, 3, 2, 0, 3), start=1)]))
def test_keep_best_does_not_depend_on_the_order(entries: list[Entry]) -> None:
    """The same three are kept for every order of the entries."""
    best: tuple[Entry, ...] = ()
    for candidate in entries:
        best = keep_best(best, candidate, 3)
    assert best == (entry(1, 3), entry(3, 3), entry(6, 3))


@settings(max_examples=50)
@given(st.permutations(range(1, 7)), st.permutations(range(1, 7)), st.integers(1, 6))
def test_meeting_round_is_the_first_with_k_in_common(
    first: list[int], second: list[int], k: int
) -> None:
    """It is the least r for which the first r items of both lists share k."""
    shared = [len(set(first[:r]) & set(second[:r])) for r in range(1, 7)]
    expected = next(r for r, count in enumerate(shared, start=1) if count >= k)
    assert meeting_round([Item(i) for i in first], [Item(i) for i in second], k) == expected


@settings(max_examples=50)
@given(st.data())
def test_run_never_outlasts_the_meeting_round(data: st.DataObject) -> None:
    """The number of rounds is at most the meeting round of the two orders."""
    m = data.draw(SIZES)
    values = [data.draw(st.lists(VALUES, min_size=m, max_size=m)) for _ in range(2)]
    k = data.draw(st.integers(1, m))
    run = threshold_algorithm([StoredList(v) for v in values], k)
    assert run.rounds <= meeting_round(top_items(values[0], m), top_items(values[1], m), k)


def test_meeting_round_grows_with_k() -> None:
    """More items in common take at least as many rounds, and all m take m."""
    first, second = [Item(i) for i in (1, 2, 3, 4, 5)], [Item(i) for i in (5, 2, 1, 4, 3)]
    rounds = [meeting_round(first, second, k) for k in range(1, 6)]
    assert (rounds, all(a <= b for a, b in pairwise(rounds))) == ([2, 3, 4, 5, 5], True)


@pytest.mark.parametrize("k", [0, -1, 3])
def test_k_outside_the_domain_is_refused_before_any_access(k: int) -> None:
    """k lies between 1 and m; otherwise nothing is read."""
    sources = [StoredList((1, 2)), StoredList((2, 1))]
    assert refusal(lambda: threshold_algorithm(sources, k)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=2, got {k}",
    )
    assert [source.ledger for source in sources] == [Ledger(), Ledger()]


@pytest.mark.parametrize("k", [True, 1.0, "1", None])
def test_k_of_another_type_is_refused_before_any_access(k: Any) -> None:
    """The number of items is an integer; otherwise nothing is read."""
    source = StoredList((1, 2))
    assert refusal(lambda: threshold_algorithm([source], k)) == (
        Reason.WRONG_TYPE,
        f"k must be an integer, got {k!r}",
    )
    assert source.ledger == Ledger()


@pytest.mark.parametrize(
    ("lists", "sizes"),
    [((), "[]"), (((1, 2), (1, 2, 3)), "[2, 3]"), (((1,), (2, 1), (1,)), "[1, 2]")],
)
def test_lists_of_different_sizes_are_refused_before_any_access(
    lists: Sequence[Sequence[Number]], sizes: str
) -> None:
    """There is at least one list, and all have the same size; otherwise nothing is read."""
    sources: list[DualAccess] = [StoredList(values) for values in lists]
    assert refusal(lambda: threshold_algorithm(sources, 1)) == (
        Reason.DIFFERENT_DOMAINS,
        f"the lists must have one common domain, got sizes {sizes}",
    )
    assert all(source.ledger == Ledger() for source in sources)


@pytest.mark.parametrize("reading", ["literal", "careful", None])
def test_unknown_readings_are_refused_before_any_access(reading: Any) -> None:
    """A way of reading is a member of the enumeration; otherwise nothing is read."""
    source = StoredList((1, 2))
    assert refusal(lambda: threshold_algorithm([source], 1, total, reading)) == (
        Reason.WRONG_TYPE,
        f"reading must be a Reading, got {reading!r}",
    )
    assert source.ledger == Ledger()


@settings(max_examples=50)
@given(st.lists(VALUES, min_size=3, max_size=3), st.lists(VALUES, min_size=3, max_size=3))
def test_refusals_do_not_depend_on_the_values(first: list[int], second: list[int]) -> None:
    """With k = 4 of three items the refusal is the same for all values."""
    lists = (StoredList(first), StoredList(second))
    assert refusal(lambda: threshold_algorithm(lists, 4)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )


@pytest.mark.parametrize("k", [0, 4])
def test_meeting_round_refuses_k_outside_the_domain(k: int) -> None:
    """The lists can have 1 to m items in common."""
    order = [Item(i) for i in (1, 2, 3)]
    assert refusal(lambda: meeting_round(order, order, k)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=3, got {k}",
    )
