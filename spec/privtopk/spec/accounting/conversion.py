"""From moments of the privacy loss, or from zCDP, to an (epsilon, delta) guarantee.

If ln E[e^(c L)] <= K(c) in both directions, then for every c > 0 the mechanism satisfies
(epsilon, delta)-DP with

    epsilon = (K(c) + c ln(c / (c + 1)) - ln(c + 1) - ln(delta)) / c

(Canonne, Kamath, Steinke 2020, Proposition 12, with Rényi order alpha = c + 1). rho-zCDP is
the case K(c) = rho c (c + 1). Every c gives a valid guarantee, so the smallest value that a search
finds is an upper bound on the true epsilon, even if a better c exists. A negative value means that
(0, delta) holds. All numbers are rounded up, as `rounding` says; K(c) must be an upper bound, too.

The value has one valley in c: it is a convex function divided by c, because K is convex and
(c + 1) ln(c + 1) - c ln(c) is concave.

Paper:    def:differential-privacy.
Deviates: erratum:parameter-ranges (delta = 0 makes every bound here infinite).
Ours:     ours:conversion.
"""

import math
from collections.abc import Callable
from typing import Final

from privtopk.spec.accounting.rounding import float_at_least, float_at_most, round_down, round_up
from privtopk.spec.model.parameters import require_delta, require_epsilon
from privtopk.spec.model.values import Number

SMALLEST_ORDER: Final = 1e-280
LARGEST_ORDER: Final = 1e280
"""The search starts between these orders; those that it reaches and their inverses are doubles."""

STRIDE: Final = math.log(4)
REACH: Final = 32
"""The search for the valley multiplies or divides the order by 4, at most 32 times.

With an order that is 4^32 times the usual one, the bound differs from the pure one by less than
10^-17 of it.
"""

GOLDEN: Final = (math.sqrt(5) - 1) / 2
GOLDEN_STEPS: Final = 8
"""They narrow the valley to a fiftieth of its width; from there parabolas take fewer steps."""

PARABOLAS: Final = (2e-2, 1e-3, 1e-4)
"""The widths, in ln c, of the parabolas whose lowest points are tried one after the other.

The last finds ln c up to 10^-8, so that the least value is exact up to 10^-16.
"""

SLACK_ERROR: Final = 8
"""A bound on the error of the slack, in units of 2^-52 of the value."""


def simple_from_zcdp(rho: Number, delta: Number) -> float:
    """Return rho + 2 sqrt(rho ln(1/delta)), the conversion of Bun and Steinke."""
    loss = float_at_least(require_epsilon(rho, "rho"))
    return round_up(loss + 2 * math.sqrt(loss * log_inverse(delta)), 8)


def best_from_zcdp(rho: Number, delta: Number) -> float:
    """Return the smallest epsilon that follows from the moments of rho-zCDP."""
    loss = float_at_least(require_epsilon(rho, "rho"))
    return best_from_log_moment(
        lambda c: round_up(loss * c * (c + 1), 2), delta, 1 / math.sqrt(loss)
    )


def best_from_log_moment(
    log_moment: Callable[[float], float], delta: Number, order_scale: float
) -> float:
    """Return the smallest epsilon >= 0 that the bound gives for any order c.

    The search starts around order_scale * sqrt(ln(1/delta)), where order_scale is about
    1/sqrt(rho) for a loss of about rho. With a bad scale the result is larger, but still valid.

    Ours: ours:conversion.
    """
    if log_inverse(delta) == math.inf:
        return math.inf
    return max(0.0, best_order(log_moment, delta, order_scale)[0])


def best_order(
    log_moment: Callable[[float], float], delta: Number, order_scale: float
) -> tuple[float, float]:
    """Return the smallest value of the bound, which may be negative, and its order c."""
    log_inverse_delta = log_inverse(delta)

    def bound(log_order: float) -> float:
        """Return the epsilon that an order gives."""
        c = math.exp(log_order)
        numerator = round_up(log_moment(c) + log_inverse_delta, 1) - slack_of_order(c)
        return round_up(round_up(numerator, 1) / c, 1)

    centre = min(LARGEST_ORDER, max(SMALLEST_ORDER, order_scale * math.sqrt(log_inverse_delta)))
    value, log_order = _least_value(bound, math.log(centre))
    return value, math.exp(log_order)


def slack_of_order(c: float) -> float:
    """Return (c + 1) ln(c + 1) - c ln(c), rounded down: what the conversion gains at order c."""
    return round_down(math.log1p(c) + c * math.log1p(1 / c), SLACK_ERROR)


def log_inverse(delta: Number) -> float:
    """Return ln(1/delta), rounded up; it is infinite if delta is below every positive double."""
    smallness = float_at_most(require_delta(delta))
    return round_up(-math.log(smallness), 4) if smallness > 0 else math.inf


def _least_value(function: Callable[[float], float], start: float) -> tuple[float, float]:
    """Return the least value of a function with one valley, and where: as `PARABOLAS` says."""
    low, high = _valley(function, start)
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(GOLDEN_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(right)
    best = min((at_left, left), (at_right, right))
    for width in PARABOLAS:
        x = _lowest_of_parabola(function, *best, width)
        best = min(best, (function(x), x))
    return best


def _valley(function: Callable[[float], float], start: float) -> tuple[float, float]:
    """Return an interval around the least value, or the farthest that the search may reach."""
    value, left, right = function(start), start - STRIDE, start + STRIDE
    while left > start - REACH * STRIDE and (lower := function(left)) <= value:
        value, left, right = lower, left - STRIDE, left + STRIDE
    while right < start + REACH * STRIDE and (lower := function(right)) < value:
        value, left, right = lower, right - STRIDE, right + STRIDE
    return left, right


def _lowest_of_parabola(
    function: Callable[[float], float], middle: float, x: float, width: float
) -> float:
    """Return the lowest point of the parabola through x - width, x and x + width."""
    left, right = function(x - width), function(x + width)
    bend = (left - middle) + (right - middle)
    if not 0 < bend < math.inf:
        return x
    return x + max(-2.0, min(2.0, (left - right) / bend / 2)) * width
