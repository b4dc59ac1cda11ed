"""Densities of order statistics, exactly: for every implementer, whatever the sampler."""

from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.conformance.vectors.vector import EXACT, Vector
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


def conditional(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    u: Fraction,
    j: int,
    left: Revealed,
    right: Revealed,
) -> Vector:
    """Return the vector of one conditional density."""
    (ell, u_l), (r, u_r) = left, right
    density = conditional_density(u, Position(j), (Position(ell), u_l), (Position(r), u_r))
    return Vector(
        id=identity,
        operation="conditional-density",
        hunts=hunts,
        claims=claims,
        input={"u": u, "position": j, "left_neighbour": left, "right_neighbour": right},
        intermediates={"shapes": beta_shape(Position(ell), Position(j), Position(r))},
        expected={"density": density},
        tolerance=EXACT,
    )


def joint(identity: str, hunts: str, claims: tuple[str, ...], m: int, *at: Revealed) -> Vector:
    """Return the vector of one joint density."""
    return Vector(
        id=identity,
        operation="joint-density",
        hunts=hunts,
        claims=claims,
        input={"m": m, "revealed": at},
        intermediates={},
        expected={"density": joint_density(m, {Position(j): u for j, u in at})},
        tolerance=EXACT,
    )


def densities() -> tuple[Vector, ...]:
    """Return the vectors of densities."""
    claims = ("thm:conditional-order-statistics", "thm:beta-form")
    one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
    witness = (1, Fraction(9, 10)), (3, half)
    return (
        conditional(
            "density-no-neighbour",
            "Taking Beta(j, m + 1 - j): positions counted from the bottom.",
            claims,
            Fraction(3, 4),
            2,
            (0, one),
            (6, zero),
        ),
        conditional(
            "density-left-neighbour",
            "Forgetting to divide by the width of the interval.",
            claims,
            Fraction(1, 4),
            4,
            (2, half),
            (8, zero),
        ),
        conditional(
            "density-right-neighbour",
            "Having no case for a position without a predecessor.",
            (*claims, "erratum:no-predecessor"),
            Fraction(7, 8),
            1,
            (0, one),
            (7, Fraction(1, 3)),
        ),
        conditional(
            "density-between",
            "Leaving out the shift: the printed form has density 0 here.",
            (*claims, "erratum:beta-shift"),
            Fraction(7, 10),
            2,
            *witness,
        ),
        conditional(
            "density-outside",
            "Leaving out the shift: the printed form has mass here, where there is none.",
            (*claims, "erratum:beta-shift"),
            Fraction(1, 5),
            2,
            *witness,
        ),
        joint(
            "joint-density-in-order",
            "Leaving out the factorials of the gaps.",
            ("lem:joint-density",),
            5,
            (2, Fraction(3, 4)),
            (4, Fraction(1, 4)),
        ),
        joint(
            "joint-density-out-of-order",
            "Evaluating the printed formula outside its support, where it gives 9/2.",
            ("lem:joint-density", "erratum:joint-support"),
            3,
            (1, Fraction(1, 4)),
            (2, Fraction(3, 4)),
        ),
    )
