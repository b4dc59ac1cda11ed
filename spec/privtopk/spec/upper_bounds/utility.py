"""The error of the one-shot selection, in the worst case over all scores.

The error of a selection exceeds alpha if it contains an item whose score is more than alpha below
the k-th largest. Then some item of the true top set was not selected, and the noise of the wrong
item exceeds the noise of that one by more than alpha. So

    P(error > alpha) <= P(max of m - k noises - min of k noises > alpha).

The right side is the *failure* probability below. Scores with two values, slightly more than alpha
apart, come arbitrarily close to it. The error of integer scores is an integer, so for a histogram
the worst case is the failure at floor(alpha) + 1, and two values attain it. If k = m, the error
is 0.

- Gumbel, by peeling: 1 - product over j <= k of j/(j + w), w = (m - k) e^(-epsilon alpha). It is
  at most w H_k, which gives the closed bound ln((m - k) H_k / beta)/epsilon.
- Laplace: the probability that X + Y > alpha, where X is the largest of k noises (by symmetry) and
  Y the largest of m - k; it is an integral. A union bound gives 2 ln(m/(2 beta))/epsilon.

Only positive terms are added, so that small probabilities are accurate: the relative error is
below 10^-12 for m up to 2^50 and failures down to 10^-12.

Paper:    fact:utility, def:accuracy.
Deviates: erratum:utility-constant (the constants behind the O, and the exact quantiles).
Ours:     ours:utility-gumbel, ours:utility-laplace.
"""

import math
from collections.abc import Callable
from typing import Final

from privtopk.spec.laws.quadrature import integral
from privtopk.spec.model.parameters import (
    require_accuracy,
    require_at_least,
    require_epsilon,
    require_k,
    require_member,
    require_probability,
    require_size,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

SUMMED_TERMS: Final = 4096
"""Sums over j <= k are taken term by term up to here, and by Euler and Maclaurin beyond.

The first term left out is at most min(6 w / 4096^4, 2 / 4096^3) / 720. That is below 10^-13 of the
sum, which is at least ln(1 + w).
"""

TAIL_EXPONENT: Final = 40.0
"""A tail that falls like e^(-n x) is cut off at n x = 40, where a share of 4e-18 is left."""

TAIL_STEP: Final = 4.0
"""A panel of such a tail covers n x = 4; no panel is wider than 1, the scale of the noise."""

SMALLEST_EXPONENT: Final = -745.0
"""A probability below e^-745 is 0 in doubles."""

BISECTION_STEPS: Final = 50
"""They find a quantile up to 2^-50 of the closed bound."""

EULER_GAMMA: Final = 0.5772156649015329


def failure_probability(noise: NoiseKind, epsilon: Number, alpha: Number, k: int, m: int) -> float:
    """Return P(error > alpha) for the worst scores, under noise of scale 1/epsilon.

    Ours: ours:utility-gumbel, ours:utility-laplace.
    """
    kind = require_member("noise", noise, NoiseKind)
    scale = float(require_epsilon(epsilon))
    error = float(require_accuracy(alpha))
    others = require_size(m) - require_k(k, m)
    return _failure(kind, scale * error, k, others)


def error_quantile(noise: NoiseKind, epsilon: Number, beta: Number, k: int, m: int) -> float:
    """Return the smallest alpha with P(error > alpha) <= beta for all scores."""
    kind = require_member("noise", noise, NoiseKind)
    scale = float(require_epsilon(epsilon))
    failure = float(require_probability("beta", beta))
    others = require_size(m) - require_k(k, m)
    ceiling = _bound(kind, failure, k, m)
    return _least_argument(lambda a: _failure(kind, a, k, others), failure, ceiling) / scale


def error_bound(noise: NoiseKind, epsilon: Number, beta: Number, k: int, m: int) -> float:
    """Return the closed bound on the alpha with P(error > alpha) <= beta.

    Paper:    fact:utility.
    Deviates: erratum:utility-constant.
    """
    kind = require_member("noise", noise, NoiseKind)
    scale = float(require_epsilon(epsilon))
    failure = float(require_probability("beta", beta))
    require_k(k, require_size(m))
    return _bound(kind, failure, k, m) / scale


def harmonic_number(k: int) -> float:
    """Return H_k = 1 + 1/2 + ... + 1/k."""
    count = require_at_least("k", k, 1)
    if count <= SUMMED_TERMS:
        return math.fsum(1 / j for j in range(1, count + 1))
    return math.log(count) + EULER_GAMMA + 1 / (2 * count) - 1 / (12 * count * count)


def _bound(kind: NoiseKind, beta: float, k: int, m: int) -> float:
    """Return epsilon times the closed bound."""
    if k == m:
        return 0.0
    if kind == NoiseKind.GUMBEL:
        return max(0.0, math.log(m - k) + math.log(harmonic_number(k)) - math.log(beta))
    return 2 * (math.log(m) - math.log(2 * beta))


def _failure(kind: NoiseKind, a: float, k: int, others: int) -> float:
    """Return P(max of the others' noises - min of k noises > a) for noise of scale 1."""
    if others == 0:
        return 0.0
    if kind == NoiseKind.GUMBEL:
        return _gumbel_failure(a, k, others)
    return _laplace_failure(a, k, others)


def _gumbel_failure(a: float, k: int, others: int) -> float:
    """Return 1 - product over j <= k of j/(j + w)."""
    w = others * math.exp(-a)
    summed = math.fsum(math.log1p(w / j) for j in range(1, min(k, SUMMED_TERMS) + 1))
    if k > SUMMED_TERMS:
        summed += _log_product(w, SUMMED_TERMS, k)
    return -math.expm1(-summed)


def _log_product(w: float, low: int, high: int) -> float:
    """Return the sum of ln(1 + w/j) over low < j <= high, by Euler and Maclaurin.

    The antiderivative of ln(1 + w/x) is x ln(1 + w/x) + w ln(x + w).
    """

    def end_terms(x: int) -> float:
        """Return the first part of the antiderivative and two terms of the correction."""
        return (x + 0.5) * math.log1p(w / x) - w / (12 * x * (x + w))

    return w * math.log((high + w) / (low + w)) + end_terms(high) - end_terms(low)


def _laplace_failure(a: float, k: int, others: int) -> float:
    """Return P(X + Y > a), split at X = 0 and X = a, where the Laplace density has a kink."""
    if math.log(k + others) - a / 2 < SMALLEST_EXPONENT:
        return 0.0
    below = math.ldexp(k, -k) * integral(
        lambda x: math.exp(k * x) * _maximum_survival(a - x, others),
        -TAIL_EXPONENT / k,
        0,
        min(1, TAIL_STEP / k),
    )
    between = integral(lambda x: _maximum_density(x, k) * _maximum_survival(a - x, others), 0, a, 1)
    # Above X = a the sum may still be at most a, if Y is negative: F(y) = e^y/2 for y < 0.
    at_most_a = math.ldexp(1, -others) * integral(
        lambda x: _maximum_density(x, k) * math.exp(others * (a - x)),
        a,
        a + TAIL_EXPONENT / others,
        min(1, TAIL_STEP / others),
    )
    return below + between + _maximum_survival(a, k) - at_most_a


def _maximum_density(x: float, count: int) -> float:
    """Return the density at x >= 0 of the largest of several Laplace noises of scale 1."""
    tail = math.exp(-x) / 2
    return count * tail * math.exp((count - 1) * math.log1p(-tail))


def _maximum_survival(x: float, count: int) -> float:
    """Return P(the largest of several Laplace noises of scale 1 exceeds x), x >= 0."""
    return -math.expm1(count * math.log1p(-math.exp(-x) / 2))


def _least_argument(failure: Callable[[float], float], beta: float, ceiling: float) -> float:
    """Return the least a >= 0 with failure(a) <= beta, for a failure that falls with a."""
    if failure(0.0) <= beta:
        return 0.0
    low, high = 0.0, ceiling
    while failure(high) > beta:
        low, high = high, 2 * high
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if failure(middle) <= beta else (middle, high)
    return high
