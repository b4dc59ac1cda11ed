"""A lower bound on the expected price that counts how many low items are returned.

The hard input is that of S3: a set S of s items on top, and in it a random low set of a items, one
vote below the others. On the neighbour without that vote all items of S are equal, so an accurate
answer of k items has Hyp(s, a, k) low ones, and privacy keeps much of that law. Low items are
expensive to find. Random access finds them one by one among M = m - s + a items, sorted access
after the s - a others. Counting at most c of them, a unit of price buys at most

    rate = max((a+1) / (c_r (M+1)), c / (c_s (s-a) + min(c_s, c_r) c))

of them on average, plus a small *luck*: what can be gained by stopping at a good moment. So the
expected price is at least (demanded hits - luck) / rate, for every choice of s, a and c.

Paper:    thm:lower-both, lem:report-low-items.
Deviates: erratum:low-set-size, erratum:integrality, erratum:missing-privacy.
Ours:     ours:hit-certificate, ours:lower-both-seventh, ours:unequal-costs-lower-sharp,
          ours:certificate.
"""

import math
from fractions import Fraction
from typing import Final

from privtopk.spec.laws.hypergeometric import hypergeometric_pmf
from privtopk.spec.lower_bounds.certificate import require_sizes
from privtopk.spec.lower_bounds.theorems import (
    UNEQUAL_COST_SHARE,
    require_constant_privacy,
    unequal_price_lower_bound,
)
from privtopk.spec.model.parameters import (
    require_between,
    require_cost,
    require_delta,
    require_failure,
    require_k,
    require_shrinkage,
    require_size,
)
from privtopk.spec.model.values import Number

EQUAL_COSTS: Final = (1, 1)
"""The prices of a sorted and of a random access if the price is the number of accesses."""

ONE_HIT_SHARE: Final = 7
"""One hit certifies 0.149 sqrt(mk) for m > 49 k. Otherwise the bound is at most k."""

ONE_HIT_PRICE_SHARE: Final = 125
"""With prices one hit certifies 0.097 sqrt(mk c_s c_r) if 100 k/m <= c_r/c_s <= m/(100 k)."""

HIGH_SHARE: Final = Fraction(26, 100)
"""The number of high items, in units of sqrt(mk c_r / c_s)."""

ROOT_BITS: Final = 64
"""A square root that is rounded up is exact to this many bits beyond its denominator."""


def require_hits(m: int, k: int, s: int, a: int, hits: int) -> None:
    """Refuse sizes other than k <= s <= m, 1 <= a <= s and 1 <= hits <= min(k, a)."""
    require_sizes(m, k, s, a)
    require_between("hits", hits, 1, min(k, a))


def kept_probability(chance: Fraction, shrinkage: Fraction, delta: Fraction) -> Fraction:
    """Return the least probability of an event whose probability on a neighbour is `chance`.

    By privacy the event and its complement both satisfy P <= e^epsilon P' + delta.
    """
    return max(
        Fraction(0),
        shrinkage * (chance - delta),
        1 - delta - (1 - chance) / shrinkage,
    )


def demanded_hits(
    k: int, s: int, a: int, hits: int, shrinkage: Fraction, delta: Number, beta: Number
) -> Fraction:
    """Return how many low items must be returned on average, counting at most `hits`.

    On the neighbour at least j of them are returned with probability (1-beta) P(Hyp(s,a,k) >= j).
    """
    require_hits(s, k, s, a, hits)
    kept, slack = require_shrinkage(shrinkage), Fraction(require_delta(delta))
    accurate = 1 - Fraction(require_failure("beta", beta))
    total, tail = Fraction(0), Fraction(1)
    for j in range(1, hits + 1):
        tail -= hypergeometric_pmf(s, a, k, j - 1)
        total += kept_probability(accurate * tail, kept, slack)
    return total


def hit_rate(
    m: int, s: int, a: int, hits: int, costs: tuple[Number, Number] = EQUAL_COSTS
) -> Fraction:
    """Return how many low items a unit of price buys, through the better door.

    By random access the c-th of them is found after c (M+1) / (a+1) accesses on average;
    by sorted access it is delivered after s - a others, and each of the c needs an access.
    """
    require_hits(m, hits, s, a, hits)
    by_sorted = Fraction(require_cost("sorted_cost", costs[0]))
    by_random = Fraction(require_cost("random_cost", costs[1]))
    below = by_sorted * (s - a) + min(by_sorted, by_random) * hits
    return max(Fraction(a + 1, m - s + a + 1) / by_random, hits / below)


def root_above(square: Fraction) -> Fraction:
    """Return a fraction that exceeds the square root by less than 2^-64, or equals it."""
    scaled = square.numerator * square.denominator << 2 * ROOT_BITS
    root = math.isqrt(scaled)
    return Fraction(root + (root * root < scaled), square.denominator << ROOT_BITS)


def luck_bound(m: int, s: int, a: int, hits: int) -> Fraction:
    """Return a bound on the low items that a good moment to stop brings beyond the rate.

    After an early hit an algorithm may stop; after a late hit the low items have become denser.
    Each further hit gains at most half a standard deviation of the time of the last one. The sum
    over j < c of sqrt(j) is at most (c-1) sqrt(c/2).
    """
    require_hits(m, hits, s, a, hits)
    hidden = m - s + a
    square = Fraction(hits * (hidden - a), 2 * (a + 2 - hits) * (a + 2) * (hidden + 1))
    return (hits - 1) * root_above(square) / 2


def one_hit_sizes(m: int, k: int, ratio: Fraction = Fraction(1)) -> tuple[int, int]:
    """Return sizes s and a with which one hit certifies a constant times sqrt(mk).

    There are ceil(0.26 sqrt(mk ratio)) - 1 high items, where ratio is c_r / c_s, and as many low
    items as possible such that random access finds one at no lower price than sorted access.
    """
    require_k(k, require_size(m))
    square = HIGH_SHARE * HIGH_SHARE * m * k * Fraction(require_cost("ratio", ratio))
    high = math.isqrt(math.ceil(square) - 1)
    low = math.floor(ratio * Fraction(m - high + 1, high + 1)) - 1
    return high + low, low


def seventh_bound(m: int, k: int, epsilon: Number, delta: Number, beta: Number) -> float:
    """Return sqrt(mk)/7, for epsilon <= 1 and beta + delta <= 0.05: S3 with a better constant.

    Ours: ours:lower-both-seventh.
    """
    require_k(k, require_size(m))
    require_constant_privacy(epsilon, delta, beta)
    return math.sqrt(m * k) / ONE_HIT_SHARE


def one_hit_price_bound(
    m: int,
    k: int,
    sorted_cost: Number,
    random_cost: Number,
    epsilon: Number,
    delta: Number,
    beta: Number,
) -> float:
    """Return min{c_s m, c_r m, sqrt(mk c_s c_r)} / 125, under the hypotheses of S3.

    Ours: ours:unequal-costs-lower-sharp.
    """
    scaled = unequal_price_lower_bound(m, k, sorted_cost, random_cost, epsilon, delta, beta)
    return scaled * UNEQUAL_COST_SHARE / ONE_HIT_PRICE_SHARE


def hit_certificate_exact(
    m: int,
    k: int,
    s: int,
    a: int,
    hits: int,
    shrinkage: Fraction,
    delta: Number,
    beta: Number,
    costs: tuple[Number, Number] = EQUAL_COSTS,
) -> Fraction:
    """Return the certified bound as a fraction, given shrinkage = e^-epsilon exactly.

    Ours: ours:hit-certificate.
    """
    require_hits(m, k, s, a, hits)
    demanded = demanded_hits(k, s, a, hits, shrinkage, delta, beta)
    return max(Fraction(0), demanded - luck_bound(m, s, a, hits)) / hit_rate(m, s, a, hits, costs)
