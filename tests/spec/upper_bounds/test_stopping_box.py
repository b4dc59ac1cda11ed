"""The terms in the proof of Theorem U.

Tests: ours:theorem-u.
"""

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

import pytest

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.access import rounds_law
from privtopk.spec.upper_bounds.stopping_box import (
    HalfStep,
    expected_area,
    half_steps,
    is_in_last_box,
    joining_time,
    points_before,
    stopping_law,
    unfinished_probability,
    with_point_at,
)

SIZES = [(m, k) for m in range(1, 13) for k in range(1, m + 1)]


def caught_by(order: tuple[int, ...], rows: int, columns: int) -> int:
    """Return how many points (place, rank) of a permutation lie in a box."""
    return sum(rank <= columns for rank in order[:rows])


def stopping_step(order: tuple[int, ...], k: int) -> HalfStep:
    """Return the half-step of a permutation after which the box holds k points."""
    for step in half_steps(len(order)):
        grows_by_row = step.rows == step.columns
        rows, columns = step.rows + grows_by_row, step.columns + (not grows_by_row)
        if caught_by(order, rows, columns) == k:
            return step
    raise AssertionError


def test_half_steps_of_two_items() -> None:
    """From nothing to a square of two the box takes a row, a column, a row, a column."""
    assert half_steps(2) == (HalfStep(0, 0), HalfStep(1, 0), HalfStep(1, 1), HalfStep(2, 1))


def test_sides_of_a_row_step() -> None:
    """A square grows by a row as long as it has columns, among the rows it has not crossed."""
    step = HalfStep(3, 3)
    assert (step.length, step.crossed, step.area) == (3, 3, 9)


def test_sides_of_a_column_step() -> None:
    """A box with one row more grows by a column as long as it has rows."""
    step = HalfStep(4, 3)
    assert (step.length, step.crossed, step.area) == (4, 3, 12)


def test_half_steps_fill_the_square() -> None:
    """The areas gained by all half-steps sum to m^2."""
    assert [sum(step.length for step in half_steps(m)) for m in (1, 2, 7)] == [1, 4, 49]


@pytest.mark.parametrize("m", range(1, 6))
def test_stopping_law_by_enumeration(m: int) -> None:
    """Over all permutations of m <= 5 items the last half-step has exactly the stated law."""
    orders = list(permutations(range(1, m + 1)))
    for k in range(1, m + 1):
        counts = Counter(stopping_step(order, k) for order in orders)
        assert stopping_law(m, k) == {
            step: Fraction(count, math.factorial(m)) for step, count in counts.items()
        }


def test_stopping_law_gives_the_rounds() -> None:
    """A half-step of a box with r columns that ends the growth ends it in round r + 1."""
    for m, k in SIZES:
        rounds: defaultdict[int, Fraction] = defaultdict(Fraction)
        for step, probability in stopping_law(m, k).items():
            rounds[step.columns + 1] += probability
        assert rounds == rounds_law(m, k)


def test_unfinished_by_enumeration() -> None:
    """The box of 2 rows and 1 column of 4 holds no point in half of all permutations."""
    orders = list(permutations(range(1, 5)))
    share = Fraction(sum(caught_by(order, 2, 1) < 1 for order in orders), len(orders))
    assert (unfinished_probability(4, 1, HalfStep(2, 1)), share) == (Fraction(1, 2), Fraction(1, 2))


def test_joining_times_of_a_small_square() -> None:
    """Row 1 joins first, then column 1, then row 2, then column 2, and so on."""
    times = [[joining_time(row, column) for column in (1, 2, 3)] for row in (1, 2, 3)]
    assert times == [[2, 4, 6], [3, 4, 6], [5, 5, 6]]


def test_points_before_a_half_step() -> None:
    """Of the points (1, 2), (2, 1), (3, 3) the second joins at 3, the first at 4, the last at 6."""
    assert [points_before((2, 1, 3), time) for time in range(1, 8)] == [0, 0, 0, 1, 2, 2, 3]


def test_last_box_of_one_order() -> None:
    """With one point to catch, the box of (2, 1, 3) stops after two rows and one column."""
    cells = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
    inside = [cell for cell in cells if is_in_last_box((2, 1, 3), 1, *cell)]
    assert inside == [(1, 1), (2, 1)]


def test_an_exchange_moves_two_points() -> None:
    """For a point at (1, 3) rows 1 and 2 exchange their columns; a point there already stays."""
    assert with_point_at((2, 3, 1), 1, 3) == (3, 2, 1)
    assert with_point_at((2, 3, 1), 2, 3) == (2, 3, 1)


def test_expected_area_is_that_of_the_stopping_law() -> None:
    """The expected area summed by half-steps is the mean area after the last of them."""
    means = [
        sum(p * (step.area + step.length) for step, p in stopping_law(m, k).items())
        for m, k in SIZES
    ]
    assert [expected_area(m, k) for m, k in SIZES] == means


def test_expected_area_is_at_most_mk() -> None:
    """The box stops with an expected area of at most mk."""
    assert all(expected_area(m, k) <= m * k for m, k in SIZES)


def test_full_square_may_exceed_mk() -> None:
    """E[T^2], the area of the square around the last box, may exceed mk: 5/2 for m = 2, k = 1."""
    assert sum(r * r * p for r, p in rounds_law(2, 1).items()) == Fraction(5, 2)


def test_rectangle_is_at_most_mk() -> None:
    """E[T (T - 1)] <= mk, from which Theorem U follows by Jensen."""
    assert all(sum(r * (r - 1) * p for r, p in rounds_law(m, k).items()) <= m * k for m, k in SIZES)


def test_refuses_k_beyond_m() -> None:
    """The box cannot catch more than m points."""
    with pytest.raises(SelectionError) as caught:
        is_in_last_box((1, 2, 3), 4, 1, 1)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=3, got 4",
    )
