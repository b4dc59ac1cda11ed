"""Conditional law of one order statistic of m uniforms.

The noise list is never built. Given the positions already revealed, the next one has a
Beta law that depends on its two nearest revealed neighbours only. With the virtual ends
u_(0) = 1 and u_(m+1) = 0 one formula covers all four cases: no neighbour, one on the
left, one on the right, both.

Positions count from the top: u_(1) is the largest of the m uniforms. ell < j < r are the
left neighbour, the position in question, and the right neighbour.

Paper:    fact:joint-density, lem:joint-density, thm:conditional-order-statistics,
          def:beta, fact:beta-function, thm:beta-form, lem:sampling-zj.
Deviates: erratum:beta-shift (case 3 lacks + u_r), erratum:no-predecessor,
          erratum:feasible (neighbours differ strictly, 0 <= ell < j < r <= m + 1),
          erratum:joint-support, erratum:density-exponent, erratum:index-slips.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_size
from privtopk.spec.model.values import Position


def neighbouring_positions(
    revealed: Iterable[Position], j: Position, m: int
) -> tuple[Position, Position]:
    """Return the nearest revealed positions around j, or the virtual ends 0 and m + 1.

    Deviates: erratum:no-predecessor.
    """
    require_between("j", j, 1, require_size(m))
    known = tuple(revealed)
    if j in known:
        raise SelectionError(
            Reason.INFEASIBLE_POSITIONS, f"position {j} must not be revealed already"
        )
    left = max((ell for ell in known if ell < j), default=Position(0))
    right = min((r for r in known if r > j), default=Position(m + 1))
    return left, right


def beta_shape(ell: Position, j: Position, r: Position) -> tuple[int, int]:
    """Return (a, b) such that (U_(j) - u_r)/(u_l - u_r) has the law Beta(a, b)."""
    if not 0 <= ell < j < r:
        raise SelectionError(
            Reason.INFEASIBLE_POSITIONS,
            f"positions must satisfy 0 <= ell < j < r, got ell={ell}, j={j}, r={r}",
        )
    return r - j, j - ell


def from_beta(x: Fraction, u_l: Fraction, u_r: Fraction) -> Fraction:
    """Return the order statistic of a Beta variable x: u_r + (u_l - u_r) x.

    Paper:    thm:beta-form.
    Deviates: erratum:beta-shift.
    """
    if not u_r < u_l:
        raise SelectionError(
            Reason.INFEASIBLE_POSITIONS,
            f"the right neighbour must lie strictly below the left one, got {u_l} and {u_r}",
        )
    return u_r + (u_l - u_r) * x


def beta_density(x: Fraction, a: int, b: int) -> Fraction:
    """Return the density of Beta(a, b) at x for integers a, b >= 1.

    Paper: def:beta, fact:beta-function.
    """
    if not 0 <= x <= 1:
        return Fraction(0)
    constant = Fraction(math.factorial(a + b - 1), math.factorial(a - 1) * math.factorial(b - 1))
    return constant * x ** (a - 1) * (1 - x) ** (b - 1)


def joint_density(m: int, values: Mapping[Position, Fraction]) -> Fraction:
    """Return the joint density of the order statistics at the given positions.

    It is m! times the volume of all ways to place the other order statistics between them.

    Paper:    fact:joint-density, lem:joint-density.
    Deviates: erratum:joint-support, erratum:index-slips.
    """
    require_size(m)
    named = sorted((require_between("a position", j, 1, m), u) for j, u in values.items())
    density = Fraction(math.factorial(m))
    for (ell, u_l), (r, u_r) in pairwise([(0, Fraction(1)), *named, (m + 1, Fraction(0))]):
        if u_l < u_r or (u_l == u_r and ell > 0 and r <= m):
            return Fraction(0)
        density *= (u_l - u_r) ** (r - ell - 1) / Fraction(math.factorial(r - ell - 1))
    return density


def conditional_density(
    u: Fraction, j: Position, left: tuple[Position, Fraction], right: tuple[Position, Fraction]
) -> Fraction:
    """Return the density of U_(j) at u, given its two neighbours (position, value).

    The virtual ends (0, 1) and (m + 1, 0) give the cases with fewer neighbours.

    Paper:    thm:conditional-order-statistics.
    Deviates: erratum:density-exponent, erratum:feasible.
    """
    (ell, u_l), (r, u_r) = left, right
    a, b = beta_shape(ell, j, r)
    from_beta(Fraction(0), u_l, u_r)
    return beta_density((u - u_r) / (u_l - u_r), a, b) / (u_l - u_r)


def between(e_l: float, e_r: float, gamma_left: float, gamma_right: float) -> float:
    """Return E_(j) between its neighbours E_l < E_r, from two Gamma variables.

    gamma_left ~ Gamma(j - ell) and gamma_right ~ Gamma(r - j) make
    W = gamma_left / (gamma_left + gamma_right) a Beta(j - ell, r - j) variable, and
    U_(j) = u_l - (u_l - u_r) W. In E = -log U no digits cancel: the virtual ends are e_l = 0
    and e_r = infinity, and a list of 2^50 positions keeps every digit.

    Paper: lem:sampling-zj.
    """
    if not e_l < e_r:
        # Equal neighbours can only come from rounding; the value between them is the same.
        return e_r
    gap = e_r - e_l
    ratio = -math.expm1(-gap) * gamma_left / (math.exp(-gap) * gamma_left + gamma_right)
    return min(e_l + math.log1p(ratio), e_r)
