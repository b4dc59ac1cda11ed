"""Theorems about the two doors of a list and the ledger, for every integer list of three.

Paper:    model:sorted-access, model:random-access, model:access-cost.
Deviates: erratum:tie-order.
"""

from itertools import pairwise

from privtopk.spec.model.access import Door, StoredList, sorted_entries
from privtopk.spec.model.values import Item


def is_item(item: int, m: int) -> bool:
    """Decide whether item names one of 1, ..., m."""
    return 1 <= item <= m


def thm_sorted_access_is_a_non_increasing_permutation(values: tuple[int, int, int]) -> bool:
    """Sorted access delivers every item once, with its value, in non-increasing order.

    Claim: model:sorted-access
    Seconds: 40
    post: _
    """
    stored = StoredList(values)
    first, second, third = (stored.sorted_access() for _ in values)
    return (
        first.value >= second.value >= third.value
        and sorted([first.item, second.item, third.item]) == [1, 2, 3]
        and all(values[entry.item - 1] == entry.value for entry in (first, second, third))
    )


def thm_ties_go_to_the_smaller_item(values: tuple[int, int, int]) -> bool:
    """Among equal values the smaller item comes first, whatever the other values are.

    Claim: erratum:tie-order
    Seconds: 40
    post: _
    """
    first, second, third = sorted_entries(values)
    return (first.value > second.value or first.item < second.item) and (
        second.value > third.value or second.item < third.item
    )


def thm_random_access_agrees_with_sorted_access(values: tuple[int, int, int]) -> bool:
    """Both doors tell the same value of an item.

    Claim: model:random-access
    Seconds: 40
    post: _
    """
    stored = StoredList(values)
    entries = [stored.sorted_access() for _ in values]
    return all(stored.random_access(entry.item) == entry.value for entry in entries)


def thm_ledger_counts_every_access(values: tuple[int, int, int], item: int) -> bool:
    """The ledger holds every access in order, and its cost is the sum over both doors.

    Claim: model:access-cost
    Seconds: 40
    pre: is_item(item, 3)
    post: _
    """
    stored = StoredList(values)
    first = stored.sorted_access()
    stored.random_access(Item(item))
    stored.random_access(Item(item))
    ledger = stored.ledger
    expected = ((Door.SORTED, first.item), (Door.RANDOM, item), (Door.RANDOM, item))
    return (
        ledger.accesses == expected
        and (ledger.count(Door.SORTED), ledger.count(Door.RANDOM)) == (1, 2)
        and ledger.cost == 3
    )


def search_sorted_access_beyond_three(values: tuple[int, int, int, int, int]) -> bool:
    """Sorted access delivers five items in non-increasing order, ties to the smaller item.

    Claim: model:sorted-access
    post: _
    """
    entries = sorted_entries(values)
    return all(
        left.value > right.value or (left.value == right.value and left.item < right.item)
        for left, right in pairwise(entries)
    )
