"""Exact densities of order statistics, for every implementer, whatever the sampler."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Vector
from privtopk.spec.model.values import Position
from privtopk.spec.noise.order_statistic import beta_shape, conditional_density, joint_density

Revealed: TypeAlias = tuple[int, Fraction]
"""A position with the uniform at it."""

OPERATIONS: Final = {
    "conditional-density": (
        "Return the density at u of U_(j) given its neighbours, exactly. Each neighbour is a "
        "pair of position and uniform; the ends are (0, 1) and (m + 1, 0)."
    ),
    "joint-density": (
        "Return the joint density of the order statistics of m uniforms at the given positions "
        "and values, exactly; it is 0 out of order."
    ),
}


def density_given_neighbours(
    u: Fraction, position: int, left_neighbour: Revealed, right_neighbour: Revealed
) -> Solution:
    """Compute one conditional density."""
    j = Position(position)
    (ell, u_l), (r, u_r) = left_neighbour, right_neighbour
    left, right = Position(ell), Position(r)
    return Solution(
        intermediates={"shapes": beta_shape(left, j, right)},
        expected={"density": conditional_density(u, j, (left, u_l), (right, u_r))},
    )


def density_of_several(m: int, revealed: tuple[Revealed, ...]) -> Solution:
    """Compute one joint density."""
    return Solution(
        expected={"density": joint_density(m, {Position(j): u for j, u in revealed})},
    )


def vectors() -> Iterator[Vector]:
    """Yield the vectors of densities."""
    yield from vectors_of("conditional-density", density_given_neighbours, CONDITIONAL_DENSITIES)
    yield from vectors_of("joint-density", density_of_several, JOINT_DENSITIES)


CONDITIONAL: Final = ("thm:conditional-order-statistics", "thm:beta-form")
SHIFTED: Final = (*CONDITIONAL, "erratum:beta-shift")
NO_PREDECESSOR: Final = (*CONDITIONAL, "erratum:no-predecessor")
JOINT: Final = ("lem:joint-density",)
SUPPORT: Final = (*JOINT, "erratum:joint-support")

QUARTER, HALF, THREE_QUARTERS = Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)
FIRST: Final = (1, Fraction(9, 10))
THIRD: Final = (3, HALF)
"""The witness against the law without its shift."""

# fmt: off
CONDITIONAL_DENSITIES: Final[Cases] = (
    ("id", "u", "position", "left_neighbour", "right_neighbour", "claims", "hunts"),
    ("density-no-neighbour", THREE_QUARTERS, 2, (0, Fraction(1)), (6, Fraction(0)), CONDITIONAL,
     "Taking Beta(j, m + 1 - j): positions counted from the bottom."),
    ("density-left-neighbour", QUARTER, 4, (2, HALF), (8, Fraction(0)), CONDITIONAL,
     "Forgetting to divide by the width of the interval."),
    ("density-right-neighbour", Fraction(7, 8), 1, (0, Fraction(1)), (7, Fraction(1, 3)),
     NO_PREDECESSOR, "Having no case for a position without a predecessor."),
    ("density-between", Fraction(7, 10), 2, FIRST, THIRD, SHIFTED,
     "Leaving out the shift: the printed form has density 0 here."),
    ("density-outside", Fraction(1, 5), 2, FIRST, THIRD, SHIFTED,
     "Leaving out the shift: the printed form has mass here, where there is none."),
)

JOINT_DENSITIES: Final[Cases] = (
    ("id",                         "m", "revealed",                          "claims", "hunts"),
    ("joint-density-in-order",     5,   ((2, THREE_QUARTERS), (4, QUARTER)), JOINT,
     "Leaving out the factorials of the gaps."),
    ("joint-density-out-of-order", 3,   ((1, QUARTER), (2, THREE_QUARTERS)), SUPPORT,
     "Evaluating the printed formula outside its support, where it gives 9/2."),
)
# fmt: on
