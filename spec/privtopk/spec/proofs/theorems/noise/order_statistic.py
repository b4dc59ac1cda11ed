"""Theorems about the neighbours of a position and the Beta law between them, for any m.

Values of order statistics are integers here, in a suitable unit. That is enough, because
every statement is about their order or linear in them.

Paper:    thm:beta-form, lem:sampling-zj.
Deviates: erratum:beta-shift, erratum:no-predecessor, erratum:feasible.
"""

from fractions import Fraction

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Position
from privtopk.spec.noise.order_statistic import beta_shape, from_beta, neighbouring_positions
from privtopk.spec.proofs.instruments.premises import are_between, is_between


def is_new(j: int, revealed: tuple[int, int], m: int) -> bool:
    """Decide whether j is a position of 1, ..., m that is not revealed."""
    return 1 <= j <= m and j not in revealed


def nearest(revealed: tuple[int, int], j: int, m: int) -> tuple[Position, Position]:
    """Return the neighbours of j as the specification finds them."""
    return neighbouring_positions([Position(p) for p in revealed], Position(j), m)


def thm_neighbours_enclose_the_position_tightly(revealed: tuple[int, int], j: int, m: int) -> bool:
    """The neighbours are revealed or virtual ends, enclose j, and no revealed one lies between.

    Claim: lem:sampling-zj, erratum:no-predecessor
    Seconds: 40
    pre: are_between(revealed, 1, m)
    pre: is_new(j, revealed, m)
    post: _
    """
    left, right = nearest(revealed, j, m)
    return (
        left < j < right
        and (left == 0 or left in revealed)
        and (right == m + 1 or right in revealed)
        and not any(left < position < right for position in revealed)
    )


def thm_a_revealed_position_is_not_drawn_again(other: int, j: int, m: int) -> bool:
    """A query for the neighbours of a revealed position is refused.

    Claim: erratum:feasible
    pre: is_between(m, 1, 3)
    pre: are_between((other, j), 1, m)
    post: _
    """
    try:
        nearest((other, j), j, m)
    except SelectionError as error:
        return error.reason is Reason.INFEASIBLE_POSITIONS
    return False


def thm_the_four_beta_cases_are_one(revealed: tuple[int, int], j: int, m: int) -> bool:
    """In all four cases both shapes are positive and count the positions on the two sides.

    Claim: thm:beta-form, thm:conditional-order-statistics
    Seconds: 40
    pre: are_between(revealed, 1, m)
    pre: is_new(j, revealed, m)
    post: _
    """
    left, right = nearest(revealed, j, m)
    a, b = beta_shape(left, Position(j), right)
    return a == right - j >= 1 and b == j - left >= 1 and a + b == right - left


def thm_mirrored_positions_have_mirrored_shapes(ell: int, j: int, r: int, m: int) -> bool:
    """Counting positions from the other end exchanges the two shapes.

    Claim: thm:beta-form
    pre: 0 <= ell < j < r <= m + 1
    post: _
    """
    a, b = beta_shape(Position(ell), Position(j), Position(r))
    ends = (Position(m + 1 - r), Position(m + 1 - j), Position(m + 1 - ell))
    return beta_shape(*ends) == (b, a)


def thm_the_support_lies_between_the_neighbours(u_l: int, u_r: int, halves: int) -> bool:
    """While the Beta variable runs from 0 to 1, the value runs from u_r to u_l.

    Claim: thm:beta-form, erratum:beta-shift
    Seconds: 40
    pre: u_r < u_l
    pre: is_between(halves, 0, 2)
    post: _
    """
    low, high = Fraction(u_r), Fraction(u_l)
    value = from_beta(Fraction(halves, 2), high, low)
    return low <= value <= high and value * 2 == u_r * (2 - halves) + u_l * halves


def refuted_unshifted_value_lies_between_the_neighbours(u_l: int, u_r: int, x: int) -> bool:
    """As printed, without + u_r, the value at the ends of the Beta law lies between u_r and u_l.

    Claim: erratum:beta-shift, thm:beta-form
    Seconds: 40
    pre: 0 <= u_r < u_l
    pre: is_between(x, 0, 1)
    post: _
    """
    value = from_beta(Fraction(x), Fraction(u_l - u_r), Fraction(0))
    return u_r <= value <= u_l


def refuted_a_position_below_the_largest_has_two_neighbours(
    revealed: tuple[int, int], j: int, m: int
) -> bool:
    """A position before the last revealed one has a revealed predecessor and successor.

    Claim: erratum:no-predecessor
    Seconds: 40
    pre: are_between(revealed, 1, m)
    pre: is_new(j, revealed, m)
    pre: j < max(revealed)
    post: _
    """
    left, right = nearest(revealed, j, m)
    return left >= 1 and right <= m
