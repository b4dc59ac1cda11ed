"""Facts about the rank-free oracle alone: how it draws from its frontier."""

import math

from privtopk.spec.model.access import Entry
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Item, items_of
from privtopk.spec.noise.distributions import Gumbel
from privtopk.spec.noise.rank_free import RankFreeOracle


def test_random_access_adds_an_exponential_to_the_frontier() -> None:
    """A new item gets the level c + Exp(1), with c = 0 before anything is delivered."""
    oracle = RankFreeOracle(5, Gumbel(1), tape_of(0.3))
    assert oracle.random_access(Item(4)) == Gumbel(1).from_exponential(-math.log(0.3))


def test_sorted_access_takes_the_minimum_of_the_unseen() -> None:
    """The first of five has the level Exp(1)/5; the second uniform chooses the item."""
    oracle = RankFreeOracle(5, Gumbel(1), tape_of(0.3, 0.5))
    assert oracle.sorted_access() == Entry(Item(3), Gumbel(1).from_exponential(-math.log(0.3) / 5))


def test_pending_item_goes_first_if_it_is_smaller() -> None:
    """An item seen by random access is delivered when the fresh minimum is larger."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5))
    value = oracle.random_access(Item(2))
    assert oracle.sorted_access() == Entry(Item(2), value)


def test_fresh_minimum_is_discarded() -> None:
    """After a pending item, the next minimum is drawn again from its level."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5, 0.8, 0.5))
    oracle.random_access(Item(2))
    oracle.sorted_access()
    level = -math.log(0.9) - math.log(0.8)
    assert oracle.sorted_access() == Entry(Item(1), Gumbel(1).from_exponential(level))


def test_last_pending_items_need_no_uniform() -> None:
    """When every item is seen, sorted access reads nothing from the tape."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5))
    values = {item: oracle.random_access(item) for item in items_of(2)}
    assert [oracle.sorted_access() for _ in range(2)] == [
        Entry(Item(1), values[Item(1)]),
        Entry(Item(2), values[Item(2)]),
    ]
