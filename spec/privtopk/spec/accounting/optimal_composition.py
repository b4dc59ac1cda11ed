"""Optimal composition bounds, for comparison: no analysis of the same steps can improve them.

The worst loss of one step lies on two points, t and t - r, with P(t) = (e^r - e^t)/(e^r - 1)
so that Q has mass 1. If the k steps all have this loss, the k-fold loss is k t - i r with i
binomial, and the smallest delta for a given epsilon is one sum of positive terms:

    delta(epsilon; t) = sum_i C(k, i) P(t)^(k - i) (1 - P(t))^i (1 - e^(epsilon - k t + i r))_+

*Pure steps.* Among all steps that satisfy epsilon_0-DP the worst is randomised response,
t = epsilon_0 and r = 2 epsilon_0, also under adaptive composition (Kairouz, Oh, Viswanath 2015).
This bound ignores the bounded range; it is valid but loose.

*Bounded range.* For steps fixed in advance the worst is the largest value over t in [0, r]
(Dong, Durfee, Rogers 2020). The sum above is the largest of its partial sums
P(i <= l) - e^epsilon Q(i <= l), and the partial sum up to l grows in t until
(epsilon + (l + 1) r)/(k + 1) and falls beyond, so it suffices to try those k values of t. Adaptive
steps can lose more: for them this is a lower bound on what any analysis can promise. It is exact
for k = 1.

The sums are taken in decimals, whose exp is correctly rounded on every machine. They have enough
digits that rounding up by 10^-30 of the value covers all errors. The bounded-range optimum takes
time of order k^2 per delta.

Paper:    fact:gumbel-approximate.
Deviates: erratum:parameter-ranges (epsilon = 0 and delta = 0 are allowed).
"""

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import Final

from privtopk.spec.accounting.composition import pure_composition
from privtopk.spec.accounting.rounding import float_at_least, float_at_most
from privtopk.spec.model.parameters import (
    require_at_least,
    require_delta,
    require_epsilon,
    require_loss,
)
from privtopk.spec.model.values import Number

BISECTION_STEPS: Final = 48
"""They find epsilon up to 2^-48 of the pure bound."""

DIGITS: Final = 60
"""Of these, 1/r and 1/k of a small step use up some; precision grows with 1/r."""

MARGIN: Final = Decimal("1e-30")
"""More than all errors of a sum, as a share of it, and of 1 - e^-x, in absolute terms."""

LONGEST_LOSS: Final = Decimal(10) ** 17
"""The exponential of a larger number is beyond the decimals, that of its negative is 0."""


def delta_of_pure_steps(step_epsilon: Number, k: int, epsilon: Number) -> float:
    """Return the smallest delta for k adaptive steps, each step_epsilon-DP, rounded up."""
    step = float_at_least(require_epsilon(step_epsilon, "step_epsilon"))
    steps, total = require_at_least("k", k, 1), float_at_most(require_loss(epsilon))
    with localcontext(_context_for(step)):
        t = Decimal(step)
        return float_at_least(two_point_delta(t, 2 * t, steps, Decimal(total)))


def delta_of_fixed_steps(step_range: Number, k: int, epsilon: Number) -> float:
    """Return the smallest delta for k steps of bounded range fixed in advance, rounded up."""
    step = float_at_least(require_epsilon(step_range, "step_range"))
    steps, loss = require_at_least("k", k, 1), float_at_most(require_loss(epsilon))
    with localcontext(_context_for(step)):
        r, total = Decimal(step), Decimal(loss)
        tops = ((total + (last + 1) * r) / (steps + 1) for last in range(steps))
        return float_at_least(
            max(
                (two_point_delta(t, r, steps, total) for t in tops if 0 < t < r),
                default=Decimal(0),
            )
        )


def optimum_of_pure_steps(step_epsilon: Number, k: int, delta: Number) -> float:
    """Return the smallest epsilon for k adaptive steps, each step_epsilon-DP, rounded up."""
    step = require_epsilon(step_epsilon, "step_epsilon")
    ceiling = float_at_least(pure_composition(step, k))
    return _least_epsilon(lambda total: delta_of_pure_steps(step, k, total), ceiling, delta)


def optimum_of_fixed_steps(step_range: Number, k: int, delta: Number) -> float:
    """Return the smallest epsilon for k steps of bounded range fixed in advance, rounded up."""
    r = require_epsilon(step_range, "step_range")
    ceiling = float_at_least(pure_composition(r, k))
    return _least_epsilon(lambda total: delta_of_fixed_steps(r, k, total), ceiling, delta)


def two_point_delta(t: Decimal, r: Decimal, k: int, epsilon: Decimal) -> Decimal:
    """Return delta(epsilon; t) for k steps of loss t or t - r, 0 < t < r, rounded up.

    Invariant: `probability` is that of i steps at the bottom, and `ratio` is e^(epsilon - loss).
    """
    # P(t) = (1 - e^(t - r))/(1 - e^(-r)), and 1 - P(t) = e^(t - r) (1 - e^(-t))/(1 - e^(-r)).
    mass = 1 - (-r).exp()
    top = (1 - (t - r).exp()) / mass
    odds = (t - r).exp() * (1 - (-t).exp()) / mass / top
    growth = min(r, LONGEST_LOSS).exp()
    probability, ratio = top**k, (epsilon - k * t).exp()
    delta = Decimal(0)
    for i in range(k + 1):
        if k * t - i * r - epsilon <= 0:
            break
        delta += probability * (1 - ratio + MARGIN)
        probability *= odds * (k - i) / (i + 1)
        ratio *= growth
    return delta * (1 + MARGIN)


def _context_for(step: float) -> Context:
    """Return a context of decimals in which 1 - e^-step keeps enough digits."""
    digits = DIGITS + 2 * max(0, -math.floor(math.log10(step)))
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def _least_epsilon(delta_of: Callable[[float], float], ceiling: float, delta: Number) -> float:
    """Return the least epsilon, at most the ceiling, whose delta is at most the given one."""
    allowed = require_delta(delta)
    if delta_of(0.0) <= allowed:
        return 0.0
    low, high = 0.0, ceiling
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= allowed else (middle, high)
    return high
