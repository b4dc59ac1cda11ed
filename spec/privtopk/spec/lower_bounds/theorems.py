"""Lower bounds on the expected access cost of every algorithm.

Each bound holds for a random input of `hard_families`, in expectation over the input and the
algorithm's coins, for every algorithm that returns only items that it has seen.
S1: with random access alone, accuracy costs about m/2. S2: with sorted access alone, privacy costs
a constant share of m, even without accuracy. S3: through both doors, privacy and accuracy together
cost a constant times sqrt(mk). No bound needs k to divide anything.

The hypotheses are: in S1 the output is (n-1, k)-accurate with probability 1 - beta, and
n >= 2; in S2 the algorithm is (epsilon, delta)-private; in S3 it is private and
(n-2, k)-accurate with probability 1 - beta, and n >= 3.

Paper:    thm:lower-random, thm:lower-sorted, thm:lower-both, lem:report-low-items,
          fact:chernoff.
Deviates: erratum:missing-privacy, erratum:low-set-size, erratum:integrality.
Ours:     ours:lower-random, ours:lower-sorted, ours:lower-both, ours:unequal-costs-lower.
"""

import math
from bisect import bisect_left
from fractions import Fraction
from typing import Final

from privtopk.spec.laws.hypergeometric import hypergeometric_pmf
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_between,
    require_cost,
    require_delta,
    require_failure,
    require_k,
    require_loss,
    require_shrinkage,
    require_size,
)
from privtopk.spec.model.values import Number

LARGEST_EPSILON: Final = 1
LARGEST_FAILURE: Final = 0.05
"""S3 is stated for epsilon <= 1 and beta + delta <= 0.05, as in the paper."""

BOTH_ACCESS_SHARE: Final = 100
"""The proof of S3 gives 0.0152 sqrt(mk) for m > 10^4 k. Otherwise the bound is at most k."""

UNEQUAL_COST_SHARE: Final = 10_000
"""Where one door is much more expensive, its price is lowered until both phases balance."""


def random_access_bound(m: int, beta: Number) -> Fraction:
    """Return S1's m (1 - beta)^2 / 2, for every k.

    Ours: ours:lower-random.
    """
    require_size(m)
    accurate = 1 - Fraction(require_failure("beta", beta))
    return m * accurate * accurate / 2


def random_access_sum(m: int, k: int, beta: Number) -> Fraction:
    """Return S1's sum over q of 1 - beta - C(q, k) / C(m, k) where that is positive.

    After q accesses, in any order, all k high items have been met with probability
    C(q, k) / C(m, k). The sum over q has a closed form: sum of C(q, k) over q < n is C(n, k + 1).
    """
    require_k(k, require_size(m))
    accurate = 1 - Fraction(require_failure("beta", beta))
    everything = math.comb(m, k)
    terms = bisect_left(range(m), True, key=lambda q: math.comb(q, k) >= accurate * everything)
    return terms * accurate - Fraction(math.comb(terms, k + 1), everything)


def sorted_low_size(m: int, k: int, delta: Number) -> int:
    """Return S2's size of the low set: ceil(m (1 - (1-p)^(1/k))) with p = (1 + delta) / 2.

    It is the smallest a with ((m - a) / m)^k <= 1 - p, computed in integers.
    """
    require_k(k, require_size(m))
    missed = (1 - Fraction(require_delta(delta))) / 2
    sizes = range(1, m + 1)
    return sizes[bisect_left(sizes, True, key=lambda a: (m - a) ** k <= missed * m**k)]


def miss_probability(size: int, k: int, low_size: int) -> Fraction:
    """Return C(size - low, k) / C(size, k): P(a random low set misses k given items)."""
    require_k(k, require_size(size))
    require_between("low_size", low_size, 0, size)
    return hypergeometric_pmf(size, low_size, k, 0)


def sorted_access_bound(m: int, epsilon: Number, delta: Number) -> float:
    """Return S2's e^-epsilon (1 - delta)^2 m / 4, for every k.

    Ours: ours:lower-sorted.
    """
    require_size(m)
    private = 1 - float(require_delta(delta))
    return math.exp(-require_loss(epsilon)) * private * private * m / 4


def sorted_access_product(m: int, k: int, shrinkage: Fraction, delta: Number) -> Fraction:
    """Return S2's bound before it is simplified, given shrinkage = e^-epsilon exactly.

    With probability at least shrinkage times (1 - miss probability - delta) an item of the low set
    is returned. Sorted access delivers the first of them after all m - a other items.
    """
    a = sorted_low_size(m, k, delta)
    hit = 1 - miss_probability(m, k, a) - Fraction(delta)
    return (m - a + 1) * require_shrinkage(shrinkage) * hit


def both_access_bound(m: int, k: int, epsilon: Number, delta: Number, beta: Number) -> float:
    """Return S3's sqrt(mk) / 100, for epsilon <= 1 and beta + delta <= 0.05.

    Deviates: erratum:missing-privacy.
    Ours:     ours:lower-both.
    """
    require_k(k, require_size(m))
    require_constant_privacy(epsilon, delta, beta)
    return math.sqrt(m * k) / BOTH_ACCESS_SHARE


def unequal_price_lower_bound(
    m: int,
    k: int,
    sorted_cost: Number,
    random_cost: Number,
    epsilon: Number,
    delta: Number,
    beta: Number,
) -> float:
    """Return 10^-4 min{c_s m, c_r m, sqrt(mk c_s c_r)}, under the hypotheses of S3.

    The price of the two-phase algorithm with its cheapest prefix is at most a constant times this.

    Ours: ours:unequal-costs-lower.
    """
    require_k(k, require_size(m))
    require_constant_privacy(epsilon, delta, beta)
    by_sorted = float(require_cost("sorted_cost", sorted_cost))
    by_random = float(require_cost("random_cost", random_cost))
    both = math.sqrt(m * k * by_sorted * by_random)
    return min(by_sorted * m, by_random * m, both) / UNEQUAL_COST_SHARE


def require_constant_privacy(epsilon: Number, delta: Number, beta: Number) -> None:
    """Refuse parameters that do not meet the hypotheses of S3."""
    if require_loss(epsilon) > LARGEST_EPSILON:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"epsilon must be at most {LARGEST_EPSILON}, got {epsilon}",
        )
    failure = require_failure("beta", beta) + require_delta(delta)
    if failure > LARGEST_FAILURE:
        raise SelectionError(
            Reason.PROBABILITY_OUT_OF_RANGE,
            f"beta + delta must be at most {LARGEST_FAILURE}, got {failure}",
        )
