"""The privacy loss of one step of the Gumbel mechanism, which has a bounded range.

Selecting k items under Gumbel(1/epsilon) noise is k peeling steps, each an exponential
mechanism. The largest and the smallest value of the loss L = ln(P/Q) of a step differ by at most
r: epsilon under add/remove, 2 epsilon under swap and l-infinity. This says more than |L| <= r, and
all bounds here use it.

*Moments.* e^(c L) is a convex function of e^(-L), whose mean under P is 1, so among all
losses within [t - r, t] the one on the two end points has the largest E_P[e^(c L)]. Its best
t has e^t = c A / ((c + 1) B) with A = e^r - e^(-c r) and B = 1 - e^(-c r), and then, with
J(y) = y ln(sinh(r y / 2) / y) and J(0) = 0,

    K(c) = sup ln E_P[e^(c L)] = J(c + 1) - J(c) - J(1).

*zCDP.* K(c)/c tends to rho = x - 1 - ln x, x = r / (1 - e^(-r)), as c falls to 0, and
K(c) <= c (c + 1) rho: J''(y)/y is non-increasing, its derivative having the sign of
(coth s - 1/s)(1/sinh(s)^2 - 1/s^2) at s = r y / 2, so the integral of J'' from u to u + 1 is
at most 2 u + 1 times the one from 0 to 1, which is rho; integrate u from 0 to c.

The code writes both with g(s) = ln(sinh(s)/s), so that only positive terms are added: with z = r/2,
rho = z g'(z) + g(z) and K(c) = c (g(c z + z) - g(c z)) + (g(z + c z) - g(z)).

*Rounding.* Both are rounded up by `ERROR` units, counted as in `rounding`. The worst cases lie
where the closed forms take over from the series. There g'(1) = 0.31 is what remains of terms of
2.3, with an error of 15 units; g(1) = 0.16 of terms of 1.8, with 34 units; and g(1) - g(1/2) = 0.12
of terms of 1.5, with 73 units. Arguments that were rounded add at most 2 units.

Paper:    fact:gumbel-pure, cor:exponential-mechanism.
Deviates: erratum:neighbour-relation (the range doubles under swap and l-infinity),
          erratum:exponential-mechanism.
Ours:     ours:bounded-range-zcdp, ours:bounded-range-renyi.
"""

import math
from typing import Final

from privtopk.spec.accounting.rounding import float_at_least, round_up
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import require_epsilon, require_member, require_order
from privtopk.spec.model.values import Number, running_sum

SERIES: Final = (
    1 / 6,
    -1 / 180,
    1 / 2835,
    -1 / 37800,
    1 / 467775,
    -691 / 3831077250,
    2 / 127702575,
    -3617 / 2605132530000,
    43867 / 350813659321125,
    -174611 / 15313294652906250,
    155366 / 147926426347074375,
    -236364091 / 2423034863565078262500,
    1315862 / 144228265688397515625,
    -3392780147 / 3952575621190533915703125,
    6892673020804 / 84913182070036240111050234375,
    -7709321041217 / 999843529136357459316262500000,
)
"""The coefficients of s^2, s^4, ... in ln(sinh(s)/s).

The series alternates and its radius is pi, so up to s = 1 the error of 16 terms is at most 10^-16.
"""

SERIES_LIMIT: Final = 1.0
"""Up to this argument the series is used, because the closed forms would cancel."""

ERROR: Final = 128
"""A bound on the error of rho and of K(c), in units of 2^-52 of the value."""


def range_of_step(epsilon: Number, relation: Relation) -> Number:
    """Return the range r of the loss of one peeling step with Gumbel(1/epsilon) noise.

    Deviates: erratum:neighbour-relation.
    """
    scale = require_epsilon(epsilon)
    one_sided = require_member("relation", relation, Relation) == Relation.ADD_REMOVE
    return scale if one_sided else 2 * scale


def zcdp_of_step(step_range: Number) -> float:
    """Return the smallest rho for which every step of this range satisfies rho-zCDP, rounded up.

    Ours: ours:bounded-range-zcdp.
    """
    z = float_at_least(require_epsilon(step_range, "step_range")) / 2
    return round_up(z * _langevin(z) + _increment(0.0, z), ERROR)


def log_moment_of_step(step_range: Number, c: Number) -> float:
    """Return K(c), the largest ln E[e^(c L)] of a step, rounded up.

    K(c)/c is its Rényi loss of order c + 1.

    Ours: ours:bounded-range-renyi.
    """
    z = float_at_least(require_epsilon(step_range, "step_range")) / 2
    order = float_at_least(require_order(c))
    if order * z == math.inf:
        return math.inf
    return round_up(order * _increment(order * z, z) + _increment(z, order * z), ERROR)


def _langevin(s: float) -> float:
    """Return g'(s) = coth(s) - 1/s for s >= 0."""
    if s > SERIES_LIMIT:
        return 1 + 2 * math.exp(-2 * s) / -math.expm1(-2 * s) - 1 / s
    return 2 * s * running_sum(n * a * s ** (2 * n - 2) for n, a in enumerate(SERIES, start=1))


def _increment(start: float, width: float) -> float:
    """Return g(start + width) - g(start) for start, width >= 0, without cancellation."""
    end = start + width
    if end <= SERIES_LIMIT:
        return _series_increment(start, width)
    if 2 * start < SERIES_LIMIT:
        return _log_sinh_quotient(end) - _series_increment(0.0, start)
    # sinh(end)/sinh(start) = e^width (1 + e^(-2 start)(1 - e^(-2 width))/(1 - e^(-2 start)))
    excess = math.expm1(-2 * width) / math.expm1(-2 * start) * math.exp(-2 * start)
    return width + math.log1p(excess) - math.log1p(width / start)


def _log_sinh_quotient(s: float) -> float:
    """Return ln(sinh(s)/s) for s above the limit of the series."""
    return s + math.log1p(-math.exp(-2 * s)) - math.log(2 * s)


def _series_increment(start: float, width: float) -> float:
    """Return the increment where the series holds.

    Invariant: `power_sum` is (end^(2n) - start^(2n)) / (end^2 - start^2).
    """
    end = start + width
    total, power_sum, start_power = 0.0, 1.0, 1.0
    for coefficient in SERIES:
        total += coefficient * power_sum
        start_power *= start * start
        power_sum = end * end * power_sum + start_power
    return width * (2 * start + width) * total
