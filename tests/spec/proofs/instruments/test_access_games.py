"""The game over all ways to read the hard inputs, on cases small enough to play by hand."""

from fractions import Fraction

from privtopk.spec.proofs.instruments.access_games import (
    HitGame,
    HitsAndPrice,
    all_instances,
    least_price,
    sorted_items,
    with_known_highs,
)


def test_every_instance_is_there() -> None:
    """There are C(5, 3) 3 instances with one low item of three, and 3 with two known highs."""
    instances = all_instances(5, 3, 1)
    assert (len(instances), len(with_known_highs(instances))) == (30, 3)


def test_sorted_access_delivers_high_items_first() -> None:
    """The items at n come before those at n - 1, ties in the order of the items."""
    assert sorted_items((0, 3, 2, 3)) == [2, 4, 3, 1]


def test_free_accesses_find_everything() -> None:
    """If an access is worth nothing, the low items are read on every input."""
    instances = all_instances(4, 3, 2)
    best = HitGame(instances, 2, Fraction(0)).best()
    assert best.hits == 2 * len(instances)


def test_dear_accesses_are_not_made() -> None:
    """If an access costs more than a hit, nothing is read."""
    assert HitGame(all_instances(4, 3, 2), 2, Fraction(2)).best() == HitsAndPrice(0, 0)


def test_one_low_item_behind_one_high_one() -> None:
    """With both highs known, one low item among three costs 2 accesses on average.

    One asks for one item and, if that was not it, for another; if neither was it, it has
    been found all the same, but it must be read: 1/3 + 2/3 + 3/3.
    """
    known = with_known_highs(all_instances(5, 3, 1))
    assert least_price(known, 1, Fraction(1)) == 2
    assert least_price(known, 1, Fraction(1, 2)) == 1


def test_prices_decide_between_the_doors() -> None:
    """With random accesses at 3 the third sorted access is the way to the low item."""
    known = with_known_highs(all_instances(5, 3, 1))
    assert least_price(known, 1, Fraction(1), (1, 3)) == 3
    assert least_price(known, 1, Fraction(1), (3, 1)) == 2
