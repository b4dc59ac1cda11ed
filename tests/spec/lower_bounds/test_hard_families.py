"""The random inputs of the lower bounds.

Tests: thm:lower-random, lem:report-low-items, thm:lower-sorted, thm:lower-both,
erratum:low-set-size, erratum:integrality, erratum:client-count.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    both_access_sizes,
    corrected_low_size,
    draw_both_access,
    draw_instance,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    draw_subset,
    hard_instance,
    plateau,
    printed_low_size,
)
from privtopk.spec.lower_bounds.theorems import sorted_low_size
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Item, items_of
from support import refusal

TAPE = tape_of()
"""Refused calls draw nothing."""


def items(*numbers: int) -> frozenset[Item]:
    """Return a set of items."""
    return frozenset(Item(number) for number in numbers)


def test_plateau() -> None:
    """The top items have the score and the others 0."""
    assert plateau(4, items(1, 3), 7) == (7, 0, 7, 0)


def test_hard_instance() -> None:
    """S is at n - 1; one vote more lifts all of it but the low set."""
    instance = hard_instance(5, items(2, 3, 5), items(3), 4)
    assert instance == HardInstance((0, 3, 3, 0, 3), (0, 4, 3, 0, 4), items(2, 3, 5), items(3))


def test_high_items() -> None:
    """The high items are those of S that are not low."""
    assert hard_instance(5, items(2, 3, 5), items(3), 4).high == items(2, 5)


def test_hard_instance_is_an_add_remove_pair() -> None:
    """The neighbour has one client more: no score falls and none rises by more than 1."""
    instance = draw_both_access(100, 4, 3, seeded_tape(1))
    steps = {b - a for a, b in zip(instance.base, instance.neighbour, strict=True)}
    assert steps == {0, 1}


def test_scores_stay_within_n() -> None:
    """No score of a hard input exceeds the bound n."""
    assert max(draw_both_access(100, 4, 3, seeded_tape(1)).neighbour) == 3


def test_printed_low_size() -> None:
    """As printed the low set has |S|/k items."""
    assert [printed_low_size(12, k) for k in (1, 2, 3, 12)] == [12, 6, 4, 1]


def test_printed_low_size_leaves_nothing_for_one_item() -> None:
    """For k = 1 the printed family has no high item."""
    assert draw_printed_both_access(9, 1, 3, seeded_tape(1)).high == frozenset()


def test_corrected_low_size() -> None:
    """The corrected low set has ceil(|S| / 2k) items, for every |S| >= k."""
    assert [corrected_low_size(s, 3) for s in (3, 6, 7, 12, 13)] == [1, 1, 2, 2, 3]


def test_corrected_low_size_leaves_high_items() -> None:
    """Whenever S has two items or more, some item is high."""
    pairs = [(s, k) for s in range(2, 30) for k in range(1, s + 1)]
    assert all(1 <= corrected_low_size(s, k) < s for s, k in pairs)


def test_both_access_sizes() -> None:
    """S3 takes ceil(sqrt(mk)) items and ceil(s/2k) low ones, without divisibility."""
    assert [both_access_sizes(10, 3), both_access_sizes(100, 4), both_access_sizes(1, 1)] == [
        (6, 1),
        (20, 3),
        (1, 1),
    ]


def test_subset_is_uniform() -> None:
    """Each of the 10 pairs of 5 items is drawn with probability exactly 1/10."""
    law = every_outcome(lambda tape: draw_subset(items_of(5), 2, tape))
    assert law == {items(*pair): Fraction(1, 10) for pair in combinations(range(1, 6), 2)}


def test_subset_of_a_tape() -> None:
    """The draws are read in order: 1/2 of four items takes 3, and 1/2 of five takes 5 instead."""
    assert draw_subset(items_of(5), 2, tape_of(Fraction(1, 2), Fraction(1, 2))) == items(3, 5)


def test_instance_is_uniform() -> None:
    """Each S of 2 of 3 items with each low item in it has probability exactly 1/6."""
    law = every_outcome(lambda tape: draw_instance(3, 2, 1, 3, tape))
    expected = {
        hard_instance(3, items(*pair), items(low), 3): Fraction(1, 6)
        for pair in combinations((1, 2, 3), 2)
        for low in pair
    }
    assert law == expected


def test_printed_random_access_is_independent() -> None:
    """Each item is n with probability 2k/m: for m = 3, k = 1, n = 5 the law is a product."""
    law = every_outcome(lambda tape: draw_printed_random_access(3, 1, 5, tape))
    odds = {5: Fraction(2, 3), 0: Fraction(1, 3)}
    assert law == {(a, b, c): odds[a] * odds[b] * odds[c] for a in odds for b in odds for c in odds}


def test_random_access_is_uniform() -> None:
    """S1's input has n on each set of 2 of 4 items with probability exactly 1/6."""
    law = every_outcome(lambda tape: draw_random_access(4, 2, 9, tape))
    pairs = combinations((1, 2, 3, 4), 2)
    assert law == {plateau(4, items(*pair), 9): Fraction(1, 6) for pair in pairs}


def test_printed_sorted_access() -> None:
    """The paper's input against sorted access has S = [m/2] and |S|/k low items."""
    law = every_outcome(lambda tape: draw_printed_sorted_access(8, 4, 3, tape))
    expected = {hard_instance(8, items_of(4), items(low), 3): Fraction(1, 4) for low in range(1, 5)}
    assert law == expected


def test_sorted_access() -> None:
    """S2's input has all items in S and the stated number of low ones, uniformly."""
    law = every_outcome(lambda tape: draw_sorted_access(5, 2, 0, 1, tape))
    assert sorted_low_size(5, 2, 0) == 2
    pairs = combinations(range(1, 6), 2)
    assert law == {hard_instance(5, items_of(5), items(*low), 1): Fraction(1, 10) for low in pairs}


def test_printed_both_access() -> None:
    """The paper's input against both doors has sqrt(mk) items in S, |S|/k of them low."""
    instance = draw_printed_both_access(100, 4, 3, seeded_tape(3))
    assert (len(instance.chosen), len(instance.low)) == (20, 5)


def test_both_access() -> None:
    """S3's input has its sizes, and the low items lie in S."""
    instance = draw_both_access(10, 3, 3, seeded_tape(3))
    assert (len(instance.chosen), len(instance.low)) == (6, 1)
    assert instance.low < instance.chosen


def test_draws_are_replayed() -> None:
    """The same tape gives the same input, another tape another one."""
    drawn = [draw_both_access(100, 4, 3, seeded_tape(seed)) for seed in (7, 7, 8)]
    assert (drawn[0] == drawn[1], drawn[0] == drawn[2]) == (True, False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plateau(3, items(1), -1), "score must be at least 0, got -1"),
        (lambda: hard_instance(5, items(1, 2), items(2), 0), "n must be at least 1, got 0"),
        (lambda: printed_low_size(5, 3), "s must be a multiple of k=3, got 5"),
        (lambda: printed_low_size(5, 0), "k must be between 1 and 5, got 0"),
        (lambda: corrected_low_size(0, 1), "s must be at least 1, got 0"),
        (lambda: corrected_low_size(3, 4), "k must be between 1 and 3, got 4"),
        (lambda: draw_subset(items_of(3), 4, TAPE), "size must be between 0 and 3, got 4"),
        (lambda: draw_printed_random_access(10, 6, 2, TAPE), "k must be between 1 and 5, got 6"),
        (lambda: draw_random_access(10, 6, 1, TAPE), "n must be at least 2, got 1"),
        (lambda: draw_printed_sorted_access(7, 1, 3, TAPE), "m must be a multiple of 2, got 7"),
        (lambda: draw_printed_both_access(10, 3, 3, TAPE), "mk must be a square, got 30"),
        (lambda: draw_both_access(10, 3, 2, TAPE), "n must be at least 3, got 2"),
    ],
)
def test_sizes_out_of_range_are_refused(call: Callable[[], object], message: str) -> None:
    """The message says what was given and what is required."""
    assert refusal(call) == (Reason.SIZE_OUT_OF_RANGE, message)


def test_unknown_items_are_refused() -> None:
    """The items of a plateau lie in the domain."""
    assert refusal(lambda: plateau(3, items(4), 1)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=3, got 4",
    )


def test_low_items_outside_the_chosen_ones_are_refused() -> None:
    """The low items must be a subset of the chosen ones."""
    assert refusal(lambda: hard_instance(5, items(1, 2), items(2, 4, 3), 3)) == (
        Reason.NOT_A_SUBSET,
        "low items must be chosen items, got [3, 4] beside them",
    )


def test_k_above_m_is_refused() -> None:
    """k is at most m."""
    assert refusal(lambda: draw_both_access(10, 11, 3, TAPE)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=10, got 11",
    )
