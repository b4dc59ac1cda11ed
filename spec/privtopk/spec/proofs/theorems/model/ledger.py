"""Theorems about ledgers of any three accesses, and about a list that is used up.

Paper:    model:access-cost, model:sorted-access.
Deviates: erratum:threshold-edge-cases.
"""

from privtopk.spec.model.access import Door, Ledger, StoredList
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Item


def ledger_of(doors: tuple[bool, bool, bool], items: tuple[int, int, int]) -> Ledger:
    """Return the ledger of three accesses; a mark stands for the sorted door."""
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
