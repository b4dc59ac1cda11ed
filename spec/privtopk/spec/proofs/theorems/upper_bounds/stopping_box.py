"""Theorems about the growing box of Theorem U, for boxes of any size.

Ours: ours:theorem-u.
"""

from privtopk.spec.proofs.instruments.premises import concrete, is_between
from privtopk.spec.upper_bounds.stopping_box import HalfStep, half_steps


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
