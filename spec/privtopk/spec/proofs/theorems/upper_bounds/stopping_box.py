"""Theorems about the growing box of Theorem U, for boxes of any size.

Ours: ours:theorem-u.
"""

from privtopk.spec.proofs.instruments.premises import concrete, is_between
from privtopk.spec.upper_bounds.stopping_box import HalfStep, half_steps, joining_time


def following_step(step: HalfStep) -> HalfStep:
    """Return the next half-step: the box has following_step along one side."""
    if step.rows == step.columns:
        return HalfStep(step.rows + 1, step.columns)
    return HalfStep(step.rows, step.columns + 1)


def thm_a_step_gains_its_length(side: int, is_square: bool) -> bool:
    """A half-step adds its length to the area and one to the side that it crosses.

    Claim: ours:theorem-u
    pre: side >= 0
    post: _
    """
    step = HalfStep(side if is_square else side + 1, side)
    after = following_step(step)
    return after.area == step.area + step.length and (
        after.rows + after.columns == step.rows + step.columns + 1
    )


def thm_a_step_crosses_the_side_that_grows(side: int, is_square: bool) -> bool:
    """Length and crossed side make the area, and the crossed side is the shorter one.

    Claim: ours:theorem-u
    pre: side >= 0
    post: _
    """
    step = HalfStep(side if is_square else side + 1, side)
    return step.length * step.crossed == step.area and step.crossed <= step.length


def thm_the_steps_fill_the_square(m: int) -> bool:
    """The 2m half-steps follow one another from the empty box to the whole square.

    Claim: ours:theorem-u
    pre: is_between(m, 1, 4)
    post: _
    """
    size = concrete(m, 1, 4)
    steps = half_steps(size)
    return (
        len(steps) == 2 * size
        and steps[0] == HalfStep(0, 0)
        and [following_step(step) for step in steps] == [*steps[1:], HalfStep(size, size)]
    )


def thm_an_exchange_adds_no_earlier_point(row: int, column: int, other: int, place: int) -> bool:
    """If the point that an exchange moves out of the way joins before the cell, one did before.

    The points (row, place) and (other, column) become (row, column) and (other, place).

    Claim: ours:theorem-u
    pre: row >= 1 and column >= 1 and other >= 1 and place >= 1
    post: _
    """
    time = joining_time(row, column)
    return joining_time(other, place) >= time or (
        joining_time(row, place) < time or joining_time(other, column) < time
    )


def thm_points_join_one_by_one(row: int, column: int, other: int, place: int) -> bool:
    """Two points in different rows and columns join at different half-steps.

    Claim: ours:theorem-u
    pre: row >= 1 and column >= 1 and other >= 1 and place >= 1
    pre: row != other and column != place
    post: _
    """
    return joining_time(row, column) != joining_time(other, place)


def thm_a_cell_joins_with_its_row_or_column(row: int, column: int) -> bool:
    """A cell is in the box after its half-step, in the row or column that was added last.

    Claim: ours:theorem-u
    pre: row >= 1 and column >= 1
    post: _
    """
    time = joining_time(row, column)
    rows, columns = (time + 1) // 2, time // 2
    return row <= rows and column <= columns and (row == rows or column == columns)
