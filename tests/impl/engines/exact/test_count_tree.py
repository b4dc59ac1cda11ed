"""Facts about the exact twin of Algorithm 4: one list behind two doors, with the right law."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from privtopk.impl.engines.exact.count_tree import CountTreeOracle, Point
from privtopk.spec.model.errors import Reason
from support import THIRDS, fits, refusal, seeded_coins, third

SIZES = [1, 2, 3, 40, 5_000, 2**40, 2**60]


@pytest.mark.parametrize("m", SIZES)
def test_levels_ascend(m: int) -> None:
    """Sorted access delivers different items by ascending level."""
    oracle = CountTreeOracle(m, seeded_coins())
    entries = [oracle.sorted_access() for _ in range(min(m, 60))]
    levels = [level for _, level in entries]
    assert levels == sorted(levels)
    assert len({item for item, _ in entries}) == len(entries)


@pytest.mark.parametrize("m", SIZES)
def test_both_doors_show_one_list(m: int) -> None:
    """Both doors show the same level of an item."""
    oracle = CountTreeOracle(m, seeded_coins(2))
    shown = {item: oracle.random_access(item) for item in range(min(m, 20))}
    delivered = dict(oracle.sorted_access() for _ in range(min(m, 40)))
    assert all(oracle.random_access(item) == level for item, level in delivered.items())
    assert all(oracle.random_access(item) == level for item, level in shown.items())
    largest = max(delivered.values())
    missing = [i for i, level in shown.items() if level < largest and i not in delivered]
    assert missing == []


def test_all_items_are_delivered_and_then_no_more() -> None:
    """The list ends after m items."""
    oracle = CountTreeOracle(30, seeded_coins())
    oracle.random_access(7)
    assert {oracle.sorted_access()[0] for _ in range(30)} == set(range(30))
    assert refusal(oracle.sorted_access) == (
        Reason.LIST_EXHAUSTED,
        "all m=30 items have been delivered",
    )


def test_an_unknown_item_is_refused() -> None:
    """Items count from 0 to m - 1."""
    oracle = CountTreeOracle(3, seeded_coins())
    assert refusal(lambda: oracle.random_access(3)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 0 and 2, got 3",
    )


@pytest.mark.slow
def test_orders_are_uniform() -> None:
    """Every order of three items is equally likely, one of them asked for beforehand.

    Null: 1/6 each. 2,600 draws, false alarms 1e-9, power 0.99 from a defect of 0.033.
    """
    coins = seeded_coins(3)

    def order() -> tuple[int, ...]:
        oracle = CountTreeOracle(3, coins)
        oracle.random_access(1)
        return tuple(oracle.sorted_access()[0] for _ in range(3))

    law = dict.fromkeys(permutations(range(3)), Fraction(1, 6))
    assert fits((order() for _ in range(2_600)), law, 2_600, 0.033)


def residuals(draw: Callable[[], tuple[float, float, float]], count: int) -> list[tuple[int, ...]]:
    """Return in which thirds of the unit interval three uniforms lie."""
    return [tuple(third(value) for value in draw()) for _ in range(count)]


@pytest.mark.slow
def test_random_and_sorted_access_have_their_joint_law() -> None:
    """After a random access, a sorted one and another random one, residuals are uniform.

    Null: 27 cells of equal chance. 4,000 draws, false alarms 1e-9, power 0.99 from a defect of
    0.03. With m = 4: E_0 is exponential; the first of the list has the level min(E_0, W) with
    W exponential of rate 3, and W is censored at E_0; an unseen item lies beyond the frontier.
    """
    coins = seeded_coins(4)
    uniforms = np.random.default_rng(4)

    def draw() -> tuple[float, float, float]:
        oracle = CountTreeOracle(4, coins)
        level = oracle.random_access(0)
        item, first = oracle.sorted_access()
        if item == 0:
            second = float(np.exp(-3 * level)) * float(uniforms.random())
        else:
            second = float(np.exp(-3 * first))
        unseen = next(other for other in range(1, 4) if other != item)
        fresh = oracle.random_access(unseen) - first
        return float(np.exp(-level)), second, float(np.exp(-fresh))

    assert fits(residuals(draw, 4_000), THIRDS, 4_000, 0.03)


def test_a_point_reveals_bits_as_they_are_asked_for() -> None:
    """The bits of a point never change, and its level is that of V."""
    words = iter([2**62, 5])
    point = Point(0, 1, 2, lambda: next(words))
    assert [point.has_bit(place) for place in range(4)] == [False, True, True, False]
    v = (1 + 0.5) / 4
    assert point.level() == pytest.approx(-np.log1p(-v), rel=1e-15)
    assert point.bits == 65


def test_levels_far_up_the_list_keep_their_digits() -> None:
    """A V of 2^-200 has a level of 2^-200, to the last digit."""
    words = iter([0, 0, 0, 2**52, 0, 0])
    point = Point(0, 0, 0, lambda: next(words))
    assert point.level() == 2.0**-200


def test_points_that_never_part_are_found_out() -> None:
    """Points that share their bits forever stop the selection, because fair bits do not."""

    class Stuck:
        is_secure = False

        def integers(self, bound: int, n: int) -> np.ndarray:
            return np.zeros(n, dtype=np.int64)

        def uniforms(self, n: int) -> np.ndarray:
            raise NotImplementedError

        def exponentials(self, n: int) -> np.ndarray:
            raise NotImplementedError

    oracle = CountTreeOracle(2, Stuck())
    assert refusal(oracle.sorted_access)[0] is Reason.NO_ENTROPY
