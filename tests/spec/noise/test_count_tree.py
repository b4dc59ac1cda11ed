"""Facts about the dyadic count tree: both doors show one list, and what they refuse."""

import pytest

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.model.values import Item
from privtopk.spec.noise.count_tree import CountTree
from support import refusal


@pytest.mark.parametrize("seed", range(5))
def test_sorted_access_delivers_every_item_in_order(seed: int) -> None:
    """Sorted access delivers every item once, by ascending point."""
    tree = CountTree(20, 30, seeded_tape(seed))
    entries = [tree.sorted_access() for _ in range(20)]
    assert [point for _, point in entries] == sorted(point for _, point in entries)
    assert {item for item, _ in entries} == set(range(1, 21))


@pytest.mark.parametrize("seed", range(5))
def test_both_doors_show_one_list(seed: int) -> None:
    """Both doors return the same point of an item."""
    tree = CountTree(9, 30, seeded_tape(seed))
    returned = {Item(item): tree.random_access(item) for item in (2, 5, 7)}
    delivered = dict(tree.sorted_access() for _ in range(9))
    assert delivered == {item: tree.random_access(item) for item in range(1, 10)}
    assert {item: delivered[item] for item in returned} == returned


def test_an_exhausted_list_is_refused() -> None:
    """After the last item the next sorted access is refused."""
    tree = CountTree(1, 3, seeded_tape(1))
    tree.sorted_access()
    assert refusal(tree.sorted_access) == (
        Reason.LIST_EXHAUSTED,
        "all m=1 items have been delivered",
    )


def test_an_unknown_item_is_refused() -> None:
    """Items count from 1 to m."""
    tree = CountTree(2, 3, seeded_tape(1))
    assert refusal(lambda: tree.random_access(3)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=2, got 3",
    )
