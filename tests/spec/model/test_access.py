"""Facts about the two doors of a list and the ledger of its accesses."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger, StoredList, sorted_entries
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Item, Number, items_of
from support import refusal

VALUES = st.lists(
    st.one_of(st.integers(-3, 3), st.floats(-3, 3), st.fractions(-3, 3)), min_size=1, max_size=7
)
EMPTY = Ledger()


def test_entries_descend_and_ties_go_to_the_smaller_item() -> None:
    """Equal values come in the order of their items."""
    assert sorted_entries((1, 5, 5, 0)) == (
        Entry(Item(2), 5),
        Entry(Item(3), 5),
        Entry(Item(1), 1),
        Entry(Item(4), 0),
    )


@settings(max_examples=50)
@given(VALUES)
def test_entries_are_a_sorted_permutation(values: list[Number]) -> None:
    """Every item comes once with its value, by descending value and then by item."""
    entries = sorted_entries(values)
    expected = sorted(items_of(len(values)), key=lambda item: (-values[item - 1], item))
    assert entries == tuple(Entry(item, values[item - 1]) for item in expected)


def test_nothing_is_read_at_first() -> None:
    """A new list has its size and an empty ledger."""
    stored = StoredList((3, 1, 2))
    assert (stored.size, stored.ledger) == (3, EMPTY)


def test_sorted_access_delivers_from_the_top() -> None:
    """Sorted access delivers every entry once, the largest first."""
    stored = StoredList((3, 1, 2))
    assert [stored.sorted_access() for _ in range(3)] == [
        Entry(Item(1), 3),
        Entry(Item(3), 2),
        Entry(Item(2), 1),
    ]


def test_random_access_returns_the_value_of_the_item() -> None:
    """Random access reads any item in any order, also repeatedly."""
    stored = StoredList((3, 1, 2))
    assert [stored.random_access(Item(i)) for i in (2, 3, 1, 2)] == [1, 2, 3, 1]


def test_values_keep_their_type() -> None:
    """Exact values stay exact."""
    stored = StoredList((Fraction(1, 3), 2))
    assert [stored.random_access(item) for item in items_of(2)] == [Fraction(1, 3), 2]


@settings(max_examples=50)
@given(VALUES)
def test_both_doors_agree(values: list[Number]) -> None:
    """Random access returns the value with which sorted access delivered the item."""
    stored = StoredList(values)
    delivered = [stored.sorted_access() for _ in values]
    assert [stored.random_access(entry.item) for entry in delivered] == [
        entry.value for entry in delivered
    ]


def test_random_access_does_not_move_the_sorted_list() -> None:
    """An item read by random access is still delivered in its turn."""
    stored = StoredList((3, 1))
    stored.random_access(Item(1))
    assert stored.sorted_access() == Entry(Item(1), 3)


def test_ledger_holds_every_access_in_order() -> None:
    """The ledger names door and item of every access, repeated ones too."""
    stored = StoredList((1, 3))
    stored.sorted_access()
    stored.random_access(Item(2))
    stored.random_access(Item(2))
    stored.sorted_access()
    assert stored.ledger == Ledger(
        (
            (Door.SORTED, Item(2)),
            (Door.RANDOM, Item(2)),
            (Door.RANDOM, Item(2)),
            (Door.SORTED, Item(1)),
        )
    )


def test_earlier_ledger_does_not_grow() -> None:
    """Later accesses do not change a ledger that was returned before."""
    stored = StoredList((1, 3))
    before = stored.ledger
    stored.sorted_access()
    assert before == EMPTY


LEDGER = Ledger(
    ((Door.SORTED, Item(2)), (Door.RANDOM, Item(2)), (Door.RANDOM, Item(5)), (Door.RANDOM, Item(5)))
)


def test_ledger_counts_each_door() -> None:
    """One sorted access and three random ones are counted separately."""
    assert (LEDGER.count(Door.SORTED), LEDGER.count(Door.RANDOM)) == (1, 3)


def test_cost_counts_both_doors() -> None:
    """The access cost is the number of all accesses."""
    assert (LEDGER.cost, EMPTY.cost) == (4, 0)


def test_distinct_items_are_counted_once() -> None:
    """An item read twice, through the same door or both, is one item."""
    assert LEDGER.distinct_items == frozenset({2, 5})


def test_price_weighs_the_doors() -> None:
    """With sorted access at 10 and random access at 1/3 the ledger's price is 11."""
    assert LEDGER.price(10, Fraction(1, 3)) == 11


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(Door), st.integers(1, 4).map(Item)), max_size=9))
def test_distinct_entries_never_exceed_the_cost(accesses: list[tuple[Door, Item]]) -> None:
    """The cost is at least the number of distinct entries and the price at unit prices."""
    ledger = Ledger(tuple(accesses))
    assert len(ledger.distinct_items) <= ledger.cost == ledger.price(1, 1)


def test_exhausted_list_is_refused() -> None:
    """After m sorted accesses the next one is refused and not recorded."""
    stored = StoredList((4, 4))
    stored.sorted_access()
    stored.sorted_access()
    before = stored.ledger
    assert (refusal(stored.sorted_access), stored.ledger) == (
        (Reason.LIST_EXHAUSTED, "all m=2 items have been delivered"),
        before,
    )


@pytest.mark.parametrize("item", [0, 3, -1])
def test_unknown_items_are_refused(item: int) -> None:
    """Random access to an item outside the domain is refused and not recorded."""
    stored = StoredList((4, 4))
    assert (refusal(lambda: stored.random_access(Item(item))), stored.ledger) == (
        (Reason.UNKNOWN_ITEM, f"item must be between 1 and m=2, got {item}"),
        EMPTY,
    )


@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_other_types_are_refused(item: Any) -> None:
    """An item that is not an integer is refused and not recorded."""
    stored = StoredList((4, 4))
    assert (refusal(lambda: stored.random_access(item)), stored.ledger) == (
        (Reason.WRONG_TYPE, f"item must be an integer, got {item!r}"),
        EMPTY,
    )


def test_empty_list_is_refused() -> None:
    """A list has at least one item."""
    assert refusal(lambda: StoredList(())) == (Reason.EMPTY_DOMAIN, "m must be at least 1, got 0")


@pytest.mark.parametrize("value", [True, "4", None])
def test_values_of_other_types_are_refused(value: Any) -> None:
    """A list contains numbers only."""
    assert refusal(lambda: StoredList((1, value))) == (
        Reason.WRONG_TYPE,
        f"a value must be a number, got {value!r}",
    )


def test_nan_is_refused() -> None:
    """NaN cannot be sorted."""
    assert refusal(lambda: StoredList((1, math.nan))) == (
        Reason.NOT_A_NUMBER,
        "a value must be a number, got nan",
    )


def test_stored_list_does_not_follow_its_source() -> None:
    """Changing the given values afterwards does not change the list."""
    values: list[Number] = [1, 2]
    stored = StoredList(values)
    values[0] = 9
    assert (stored.random_access(Item(1)), stored.sorted_access()) == (1, Entry(Item(2), 2))


def test_stored_list_has_both_doors() -> None:
    """A stored list is a DualAccess for the type checker and at run time."""
    source: DualAccess = StoredList((1,))
    assert source.sorted_access() == Entry(Item(1), 1)
