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

The bounded-range optimum takes time of order k^2 per delta.

Paper:    fact:gumbel-approximate.
Deviates: erratum:parameter-ranges (epsilon = 0 and delta = 0 are allowed).
"""

import math
from collections.abc import Callable
from typing import Final

from privtopk.spec.model.parameters import (
    require_at_least,
    require_delta,
    require_epsilon,
    require_loss,
)
from privtopk.spec.model.values import Number

BISECTION_STEPS: Final = 48
"""They find epsilon up to 2^-48 of the pure bound."""


def delta_of_pure_steps(step_epsilon: Number, k: int, epsilon: Number) -> float:
    """Return the smallest delta for k adaptive steps, each step_epsilon-DP."""
    step = float(require_epsilon(step_epsilon, "step_epsilon"))
    steps = require_at_least("k", k, 1)
    return two_point_delta(step, 2 * step, _log_binomials(steps), float(require_loss(epsilon)))


def delta_of_fixed_steps(step_range: Number, k: int, epsilon: Number) -> float:
    """Return the smallest delta for k steps of bounded range that are fixed in advance."""
    r = float(require_epsilon(step_range, "step_range"))
    log_binomials = _log_binomials(require_at_least("k", k, 1))
    total = float(require_loss(epsilon))
    tops = ((total + (last + 1) * r) / (k + 1) for last in range(k))
    return max(
        (two_point_delta(t, r, log_binomials, total) for t in tops if 0 < t < r),
        default=0.0,
    )


def optimum_of_pure_steps(step_epsilon: Number, k: int, delta: Number) -> float:
    """Return the smallest epsilon for k adaptive steps, each step_epsilon-DP."""
    step = float(require_epsilon(step_epsilon, "step_epsilon"))
    ceiling = step * require_at_least("k", k, 1)
    return _least_epsilon(lambda total: delta_of_pure_steps(step, k, total), ceiling, delta)


def optimum_of_fixed_steps(step_range: Number, k: int, delta: Number) -> float:
    """Return the smallest epsilon for k steps of bounded range that are fixed in advance."""
    r = float(require_epsilon(step_range, "step_range"))
    ceiling = r * require_at_least("k", k, 1)
    return _least_epsilon(lambda total: delta_of_fixed_steps(r, k, total), ceiling, delta)


def two_point_delta(t: float, r: float, log_binomials: list[float], epsilon: float) -> float:
    """Return delta(epsilon; t) for k steps of loss t or t - r, 0 < t < r."""
    k = len(log_binomials) - 1
    # P(t) = (1 - e^(t - r))/(1 - e^(-r)), and 1 - P(t) = e^(t - r) (1 - e^(-t))/(1 - e^(-r)).
    log_total = math.log(-math.expm1(-r))
    log_top = math.log(-math.expm1(t - r)) - log_total
    log_bottom = t - r + math.log(-math.expm1(-t)) - log_total
    delta = 0.0
    for i, log_binomial in enumerate(log_binomials):
        excess = k * t - i * r - epsilon
        if excess <= 0:
            break
        probability = math.exp(log_binomial + (k - i) * log_top + i * log_bottom)
        delta += probability * -math.expm1(-excess)
    return delta


def _log_binomials(k: int) -> list[float]:
    """Return ln C(k, i) for i = 0, ..., k."""
    whole = math.lgamma(k + 1)
    return [whole - math.lgamma(i + 1) - math.lgamma(k - i + 1) for i in range(k + 1)]


def _least_epsilon(delta_of: Callable[[float], float], ceiling: float, delta: Number) -> float:
    """Return the least epsilon, at most the ceiling, whose delta is at most the given one."""
    allowed = float(require_delta(delta))
    if delta_of(0.0) <= allowed:
        return 0.0
    low, high = 0.0, ceiling
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= allowed else (middle, high)
    return high
