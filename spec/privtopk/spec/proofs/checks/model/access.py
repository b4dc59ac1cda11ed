"""Checks of the two doors of a list and of its ledger."""

from itertools import pairwise, product

from privtopk.spec.model.access import Door, StoredList, sorted_entries
from privtopk.spec.model.values import Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports


@supports("model:sorted-access", method=Method.ENUMERATION)
def sorted_access_delivers_a_ranking() -> str:
    """Sorted access delivers every item once, with its value, in non-increasing order."""
    cases = 0
    for values in product(range(3), repeat=5):
        cases += 1
        stored = StoredList(values)
        entries = [stored.sorted_access() for _ in values]
        expect({entry.item for entry in entries} == {*items_of(5)}, f"{values}: items missing")
        expect(all(values[entry.item - 1] == entry.value for entry in entries), f"{values}")
        falls = all(first.value >= second.value for first, second in pairwise(entries))
        expect(falls, f"{values}: the order rises")
    return f"m = 5, values to 2: {cases} lists"


@supports("model:random-access", method=Method.ENUMERATION)
def random_access_agrees_at_any_time() -> str:
    """Random access returns the value that sorted access delivers, and keeps its order."""
    cases = 0
    for values in product(range(3), repeat=3):
        order = sorted_entries(values)
        for item, delivered in product(items_of(3), range(4)):
            cases += 1
            stored = StoredList(values)
            before = [stored.sorted_access() for _ in range(delivered)]
            value = stored.random_access(item)
            after = [stored.sorted_access() for _ in range(3 - delivered)]
            expect(
                (*before, *after) == order, f"{values}: random access to {item} changed the order"
            )
            expect(value == values[item - 1], f"{values}: random access to {item} returned {value}")
    return f"m = 3, values to 2: {cases} interleavings"


@supports("model:access-cost", method=Method.ENUMERATION)
def ledger_counts_all_interleavings() -> str:
    """The cost is the number of accesses, and at least the number of distinct entries read."""
    cases, repeated = 0, 0
    for script in (script for n in (1, 2, 3, 4) for script in product(range(4), repeat=n)):
        if script.count(0) <= 3:
            cases += 1
            stored = StoredList((2, 0, 1))
            known = {_access(stored, action) for action in script}
            ledger = stored.ledger
            expect(ledger.count(Door.SORTED) == script.count(0), f"{script}: sorted accesses")
            expect(ledger.cost == len(script), f"{script}: cost {ledger.cost}")
            expect(ledger.distinct_items == known, f"{script}: {ledger.distinct_items}")
            expect(len(known) <= ledger.cost, f"{script}: more entries than accesses")
            repeated += len(known) < ledger.cost
    expect(0 < repeated < cases, "both kinds of scripts must occur")
    return f"m = 3: {cases} scripts of up to 4 accesses, {repeated} with an entry read twice"


def _access(stored: StoredList, action: int) -> Item:
    """Make a sorted access for 0 and a random access to the item otherwise; return the item."""
    if action == 0:
        return stored.sorted_access().item
    stored.random_access(Item(action))
    return Item(action)
