"""The bounds of the accounting with 110 digits, by their closed forms and by a root in the order.

Where a bound is a minimum over orders c, its slope has one root, because the bound has one valley.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath

from privtopk.spec.model.values import Number

DIGITS = 110
"""The closed forms cancel some 40 digits for steps of range 10^-12."""


REACH = 44
"""An order e^44 times the usual one comes as close to the pure bound as doubles do."""


class Steps(NamedTuple):
    """k steps of a range, and a delta."""

    step_range: float
    k: int
    delta: float


def random_steps(count: int, seed: int) -> Iterator[Steps]:
    """Yield steps of ranges over 13 orders, k up to 10^6 and delta from 10^-300 to 1/2."""
    draw = random.Random(seed)
    for _ in range(count):
        smallest = draw.choice((-300, -12))
        yield Steps(
            10 ** draw.uniform(-11, 2),
            round(10 ** draw.uniform(0, 6)),
            min(0.5, 10 ** draw.uniform(smallest, -0.3)),
        )


def random_budgets(count: int, seed: int) -> Iterator[tuple[Number, int]]:
    """Yield totals over 14 orders, doubles and fractions, and numbers of items up to 10^6."""
    draw = random.Random(seed)
    for _ in range(count):
        total = 10 ** draw.uniform(-8, 6)
        fraction = Fraction(total).limit_denominator(10**9) or Fraction(1, 3)
        yield draw.choice((total, fraction)), round(10 ** draw.uniform(0, 6))


def log_moment(r: Any, c: Any) -> Any:
    """Return K(c) = J(c + 1) - J(c) - J(1)."""

    def j(y: Any) -> Any:
        return y * mpmath.log(mpmath.sinh(r * y / 2) / y)

    return j(c + 1) - j(c) - j(mpmath.mpf(1))


def log_moment_slope(r: Any, c: Any) -> Any:
    """Return the derivative of K(c)."""

    def slope(y: Any) -> Any:
        half = r * y / 2
        return mpmath.log(mpmath.sinh(half) / y) + half * mpmath.coth(half)

    return slope(c + 1) - slope(c)


def rho_of(r: Any) -> Any:
    """Return the tight zCDP of a step."""
    x = r / (1 - mpmath.exp(-r))
    return x - 1 - mpmath.log(x)


def zcdp_epsilon(steps: Steps) -> Any:
    """Return the epsilon of k steps by zCDP and the best conversion."""
    rho = steps.k * rho_of(mpmath.mpf(steps.step_range))
    return least_epsilon(
        lambda c: rho * c * (c + 1), lambda c: rho * (2 * c + 1), steps.delta, 1 / mpmath.sqrt(rho)
    )


def renyi_epsilon(steps: Steps) -> Any:
    """Return the epsilon of k steps by all moments and the best conversion."""
    r, k = mpmath.mpf(steps.step_range), steps.k
    return least_epsilon(
        lambda c: k * log_moment(r, c),
        lambda c: k * log_moment_slope(r, c),
        steps.delta,
        mpmath.sqrt(mpmath.mpf(8) / k) / r,
    )


def least_epsilon(
    moment: Callable[[Any], Any], slope: Callable[[Any], Any], delta: float, order_scale: Any
) -> Any:
    """Return the least epsilon over all orders, maybe negative, and the sum of its terms."""
    log_inverse = -mpmath.log(mpmath.mpf(delta))

    def slack(c: Any) -> Any:
        return mpmath.log1p(c) + c * mpmath.log1p(1 / c)

    def rise(x: Any) -> Any:
        """Return c^2 times the slope of the bound, which grows with x = ln c."""
        c = mpmath.exp(x)
        return c * (slope(c) - mpmath.log1p(1 / c)) - (moment(c) + log_inverse - slack(c))

    start = mpmath.log(order_scale * mpmath.sqrt(log_inverse))
    low, high = start - REACH, start + REACH
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if rise(middle) > 0 else (middle, high)
    c = mpmath.exp(high)
    if high < start + REACH:
        c = mpmath.exp(mpmath.findroot(rise, (low, high), solver="illinois", tol=1e-40))
    terms = (moment(c) + log_inverse + slack(c)) / c
    return (moment(c) + log_inverse - slack(c)) / c, terms


def delta_of_two_points(t: Any, r: Any, k: int, epsilon: float) -> Any:
    """Return the delta of k steps of loss t or t - r, as the sum of its terms."""
    top = (mpmath.exp(r) - mpmath.exp(t)) / mpmath.expm1(r)
    excesses = ((i, k * t - i * r - epsilon) for i in range(k + 1))
    return mpmath.fsum(
        mpmath.binomial(k, i) * top ** (k - i) * (1 - top) ** i * -mpmath.expm1(-excess)
        for i, excess in excesses
        if excess > 0
    )
