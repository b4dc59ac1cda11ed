"""The widest steps that a budget allows: the inverse of the composition bounds.

The pure bound k r is inverted exactly: the result is the largest double r with k r <= epsilon in
exact rationals.

The bound by moments is inverted by a Newton-like iteration. At a fixed order c the bound is
easily inverted, because k K(c) grows with r between linearly and quadratically. That gives a valid
range r for every c. The iteration alternates: the best c for the last r, then the largest r for
this c. The bound at fixed c touches the best bound at the last r, with the same slope, so the
error is squared in each round, and no round makes r smaller. It starts at a range that Azuma's
inequality or the pure bound allows. At the end r is lowered until the bound, rounded up as it is,
keeps to the budget.

Paper: fact:gumbel-pure.
Ours:  ours:accounting-pure, ours:bounded-range-renyi.
"""

import math
from fractions import Fraction
from typing import Final

from privtopk.spec.accounting.composition import (
    best_renyi_order,
    log_moment_of_steps,
    renyi_composition,
)
from privtopk.spec.accounting.conversion import log_inverse, slack_of_order
from privtopk.spec.accounting.rounding import UNIT, float_at_most, lowered_until
from privtopk.spec.model.parameters import require_at_least, require_epsilon
from privtopk.spec.model.values import Number

ROUNDS: Final = 40
"""More than the iterations need; if they ended early, the range would be smaller but valid."""

CLOSE: Final = 8 * UNIT
"""A secant that moves by less than this share has arrived."""

SQUARED: Final = 2.0**-28
"""A round that moves by less than this share leaves an error of about its square."""


def widest_pure_steps(epsilon: Number, k: int) -> float:
    """Return the largest double r with k r <= epsilon, or 0 if there is no positive one."""
    total = float_at_most(require_epsilon(epsilon))
    return float_at_most(Fraction(total) / require_at_least("k", k, 1))


def widest_renyi_steps(epsilon: Number, k: int, delta: Number) -> float:
    """Return the largest range r, or little less, whose bound by moments is at most epsilon.

    It is 0 if there is no positive one.
    """
    total, log_inverse_delta = float_at_most(require_epsilon(epsilon)), log_inverse(delta)
    r = max(widest_pure_steps(epsilon, k), _azuma_steps(total, k, log_inverse_delta))
    if r == 0 or log_inverse_delta == math.inf:
        return 0.0
    for _ in range(ROUNDS):
        _, c = best_renyi_order(r, k, delta)
        last, r = r, _steps_of_moment(r, k, c, c * total - log_inverse_delta + slack_of_order(c))
        if abs(r - last) <= SQUARED * last:
            break
    return lowered_until(lambda lower: renyi_composition(lower, k, delta) <= total, r)


def _azuma_steps(total: float, k: int, log_inverse_delta: float) -> float:
    """Return the solution r of k r^2/8 + r sqrt(k ln(1/delta)/2) = total, in doubles."""
    root = math.sqrt(log_inverse_delta / 2)
    return 2 * total / (math.sqrt(log_inverse_delta / 2 + total / 2) + root) / math.sqrt(k)


def _steps_of_moment(start: float, k: int, c: float, log_moment: float) -> float:
    """Return the range r whose k K(c) is the given one, by a secant in logarithms; 0 if none."""
    if log_moment <= 0:
        return 0.0
    r, value, power = start, log_moment_of_steps(start, k, c), 2.0
    for _ in range(ROUNDS):
        growth = math.log(log_moment / value) / power
        if abs(growth) <= CLOSE:
            break
        r *= math.exp(growth)
        last, value = value, log_moment_of_steps(r, k, c)
        power = min(2.0, max(1.0, math.log(value / last) / growth))
    return r
