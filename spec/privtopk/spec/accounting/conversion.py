"""From moments of the privacy loss, or from zCDP, to an (epsilon, delta) guarantee.

If ln E[e^(c L)] <= K(c) in both directions, then for every c > 0 the mechanism satisfies
(epsilon, delta)-DP with

    epsilon = (K(c) + c ln(c / (c + 1)) - ln(c + 1) - ln(delta)) / c

(Canonne, Kamath, Steinke 2020, Proposition 12, with Rényi order alpha = c + 1). rho-zCDP is
the case K(c) = rho c (c + 1). Every c gives a valid guarantee, so the smallest value that a search
finds is an upper bound on the true epsilon, even if a better c exists. A negative value means that
(0, delta) holds.

Paper:    def:differential-privacy.
Deviates: erratum:parameter-ranges (delta = 0 makes every bound here infinite).
Ours:     ours:conversion.
"""

import math
from collections.abc import Callable
from typing import Final

from privtopk.spec.model.parameters import require_delta, require_epsilon
from privtopk.spec.model.values import Number

SMALLEST_ORDER: Final = 1e-9
LARGEST_ORDER: Final = 1e15
"""The search stays between these orders, where nothing overflows; beyond them it gains nothing."""

GRID_RATIO: Final = 4.0
GRID_REACH: Final = 16
"""A grid from 4^-16 to 4^16 times the first guess brackets the minimum."""

GOLDEN: Final = (math.sqrt(5) - 1) / 2
GOLDEN_STEPS: Final = 40
"""They shrink the bracket by a factor of 10^8; the least value is then exact to a double."""


def simple_from_zcdp(rho: Number, delta: Number) -> float:
    """Return rho + 2 sqrt(rho ln(1/delta)), the conversion of Bun and Steinke."""
    loss = float(require_epsilon(rho, "rho"))
    return loss + 2 * math.sqrt(loss * log_inverse(delta))


def best_from_zcdp(rho: Number, delta: Number) -> float:
    """Return the smallest epsilon that follows from the moments of rho-zCDP."""
    loss = float(require_epsilon(rho, "rho"))
    return best_from_log_moment(lambda c: loss * c * (c + 1), delta, 1 / math.sqrt(loss))


def best_from_log_moment(
    log_moment: Callable[[float], float], delta: Number, order_scale: float
) -> float:
    """Return the smallest epsilon >= 0 that the bound gives for any order c.

    The search starts around order_scale * sqrt(ln(1/delta)), where order_scale is about
    1/sqrt(rho) for a loss of about rho. With a bad scale the result is larger, but still valid.

    Ours: ours:conversion.
    """
    log_inverse_delta = log_inverse(delta)
    if log_inverse_delta == math.inf:
        return math.inf

    def bound(c: float) -> float:
        """Return the epsilon that order c gives."""
        slack = math.log1p(c) + c * math.log1p(1 / c)
        return (log_moment(c) + log_inverse_delta - slack) / c

    return max(0.0, _least_value(bound, order_scale * math.sqrt(log_inverse_delta)))


def log_inverse(delta: Number) -> float:
    """Return ln(1/delta), which is infinite if delta is 0 as a double."""
    smallness = float(require_delta(delta))
    return -math.log(smallness) if smallness > 0 else math.inf


def _least_value(function: Callable[[float], float], centre: float) -> float:
    """Return the least value that a grid and then a golden-section search in ln c find."""
    grid = [_clip_order(centre * GRID_RATIO**step) for step in range(-GRID_REACH, GRID_REACH + 1)]
    values = [function(c) for c in grid]
    best = values.index(min(values))
    low = math.log(grid[max(best - 1, 0)])
    high = math.log(grid[min(best + 1, len(grid) - 1)])
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(math.exp(left)), function(math.exp(right))
    for _ in range(GOLDEN_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(math.exp(right))
    return min(values[best], at_left, at_right)


def _clip_order(c: float) -> float:
    """Return the order nearest to c that the search may try."""
    return min(LARGEST_ORDER, max(SMALLEST_ORDER, c))
