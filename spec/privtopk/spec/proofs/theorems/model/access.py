"""Theorems about the two doors of a list and its ledger, for all integer lists of two or three.

Paper:    model:sorted-access, model:random-access, model:access-cost.
Deviates: erratum:tie-order, erratum:threshold-edge-cases.
"""

from itertools import pairwise

from privtopk.spec.model.access import Door, Ledger, StoredList, sorted_entries
from privtopk.spec.model.errors import Reason, SelectionError
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
    """Both doors return the same value for an item.

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


def ledger_of(doors: tuple[bool, bool, bool], items: tuple[int, int, int]) -> Ledger:
    """Return the ledger of three accesses; `True` is the sorted door."""
    return Ledger(
        tuple(
            (Door.SORTED if is_sorted else Door.RANDOM, Item(item))
            for is_sorted, item in zip(doors, items, strict=True)
        )
    )


def thm_every_access_passes_one_door(
    doors: tuple[bool, bool, bool], items: tuple[int, int, int]
) -> bool:
    """The accesses through the two doors add up to the cost.

    Claim: model:access-cost
    post: _
    """
    ledger = ledger_of(doors, items)
    return ledger.count(Door.SORTED) + ledger.count(Door.RANDOM) == ledger.cost == 3


def thm_distinct_items_never_exceed_the_cost(
    doors: tuple[bool, bool, bool], items: tuple[int, int, int]
) -> bool:
    """The number of distinct entries learned is at most the cost, and less if one is repeated.

    Claim: model:access-cost, ours:cost-models
    Seconds: 40
    post: _
    """
    ledger = ledger_of(doors, items)
    first, second, third = items
    is_repeated = first in (second, third) or second == third
    return len(ledger.distinct_items) <= ledger.cost and is_repeated == (
        len(ledger.distinct_items) < ledger.cost
    )


def thm_the_price_is_the_sum_over_the_accesses(
    doors: tuple[bool, bool, bool], sorted_cost: int, random_cost: int
) -> bool:
    """A ledger's price is what its accesses cost one by one, for any prices of the two doors.

    Claim: model:access-cost, ours:unequal-costs
    post: _
    """
    ledger = ledger_of(doors, (1, 2, 3))
    return ledger.price(sorted_cost, random_cost) == sum(
        sorted_cost if is_sorted else random_cost for is_sorted in doors
    )


def thm_an_exhausted_list_refuses_and_charges_nothing(values: tuple[int, int]) -> bool:
    """After m sorted accesses the next one is refused, and the ledger stays as it was.

    Claim: model:sorted-access, erratum:threshold-edge-cases
    post: _
    """
    stored = StoredList(values)
    for _ in values:
        stored.sorted_access()
    before = stored.ledger
    try:
        stored.sorted_access()
    except SelectionError as error:
        return error.reason is Reason.LIST_EXHAUSTED and stored.ledger == before
    return False


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
