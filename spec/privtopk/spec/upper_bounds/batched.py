"""The cost of the two-phase algorithm, and the best length of its prefix.

Phase one reads the r items with the largest scores. Phase two reads, by random access, the
*candidates*: the unseen items whose noise is so large that they may be in the result. Whatever the
scores and the noise, their mean number is at most (m - r) k / (r + 1), and exactly this if the top
scores are all equal. A longer prefix takes more sorted and fewer random accesses. The bounds below
balance the two, also if one kind of access is more expensive than the other.

Paper: model:access-cost (for accesses of unequal cost the paper leaves the question open).
Ours:  ours:batched-candidates, ours:batched-cost, ours:early-noise, ours:unequal-costs.
"""

import math
from bisect import bisect_left
from fractions import Fraction

from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail_float
from privtopk.spec.model.parameters import (
    require_between,
    require_cost,
    require_k,
    require_probability,
    require_size,
)
from privtopk.spec.model.values import Number


def expected_candidates_bound(m: int, k: int, r: int) -> Fraction:
    """Return the largest expected number of candidates after a prefix of r items.

    With fewer than k items in the prefix there is no bar yet: every unseen item is a candidate.

    Ours: ours:batched-candidates.
    """
    require_k(k, require_size(m))
    require_between("r", r, 0, m)
    return Fraction(m - r) if r < k else Fraction((m - r) * k, r + 1)


def two_phase_cost_bound(m: int, k: int, r: int) -> Fraction:
    """Return the largest expected access cost with a prefix of r items."""
    return r + expected_candidates_bound(m, k, r)


def early_candidates_bound(m: int, k: int, r: int, opened: int) -> float:
    """Return r^k n^(k+1) / (m^k (k+1)!), a bound on the extra candidates if noise is opened early.

    Earlier stages have opened the noise of n = `opened` items of m on average, before the prefix
    reaches r items. If the final bar is higher, some of them were not needed. Their mean number is
    m times the mean amount by which the k-th smallest of r uniforms is below n / m.

    Ours: ours:early-noise.
    """
    require_k(k, require_size(m))
    require_between("r", r, k, m)
    if require_between("opened", opened, 0, m) == 0:
        return 0.0
    log_bound = k * math.log(r / m) + (k + 1) * math.log(opened) - math.lgamma(k + 2)
    return math.exp(min(log_bound, math.log(m)))


def default_prefix(m: int, k: int) -> int:
    """Return ceil(sqrt(mk)), computed in integers."""
    require_k(k, require_size(m))
    return 1 + math.isqrt(m * k - 1)


def default_cost_bound(m: int, k: int) -> float:
    """Return 2 sqrt(mk); the expected cost with the default prefix is at most this.

    Ours: ours:batched-cost.
    """
    require_k(k, require_size(m))
    return 2 * math.sqrt(m * k)


def optimal_prefix(m: int, k: int) -> int:
    """Return the largest r that minimises `two_phase_cost_bound`; k <= r <= m."""
    require_k(k, require_size(m))
    return balance_point(k * (m + 1)) - 1


def balance_point(area: int) -> int:
    """Return the largest integer x with x (x - 1) <= area; it minimises x + area / x."""
    return (1 + math.isqrt(1 + 4 * area)) // 2


def optimal_cost_bound(m: int, k: int) -> float:
    """Return sqrt(4k(m+1) + 1) - (k+1); the expected cost with the best prefix is at most this.

    Ours: ours:batched-cost.
    """
    require_k(k, require_size(m))
    return math.sqrt(4 * k * (m + 1) + 1) - (k + 1)


def candidates_quantile(m: int, k: int, r: int, probability: Number) -> int:
    """Return the smallest n with P(N <= n) >= probability, for N candidates and equal scores.

    On every other input N is stochastically smaller. The comparison is in floats.
    """
    require_k(k, require_size(m))
    require_between("r", r, 0, m)
    level = 1 - require_probability("probability", probability)
    if r < k:
        return m - r
    counts = range(m - r + 1)
    return counts[
        bisect_left(
            counts,
            True,
            key=lambda n: negative_hypergeometric_tail_float(m, r, k, n + 1) <= level,
        )
    ]


def two_phase_cost_quantile(m: int, k: int, r: int, probability: Number) -> int:
    """Return an access cost that a run does not exceed, with at least this probability."""
    return r + candidates_quantile(m, k, r, probability)


def two_phase_price_bound(
    m: int, k: int, r: int, sorted_cost: Number, random_cost: Number
) -> Fraction:
    """Return the largest expected price with a prefix of r items, for given access costs."""
    by_sorted = Fraction(require_cost("sorted_cost", sorted_cost))
    by_random = Fraction(require_cost("random_cost", random_cost))
    return by_sorted * r + by_random * expected_candidates_bound(m, k, r)


def balanced_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the r that balances both phases, about sqrt(mk random_cost / sorted_cost).

    If it is not in k, ..., m, the two phases cannot be balanced.
    """
    require_k(k, require_size(m))
    by_sorted = Fraction(require_cost("sorted_cost", sorted_cost))
    by_random = Fraction(require_cost("random_cost", random_cost))
    return balance_point(math.floor(k * (m + 1) * by_random / by_sorted)) - 1


def cheapest_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the r in 0, ..., m with the smallest price bound.

    It is the balanced prefix if there is one, or m (read all by sorted access), or 0 (read all by
    random access). A prefix of 0 may be best even if a balanced prefix exists: a balanced prefix
    near k pays for k items before it saves any.
    """
    balance = balanced_prefix(m, k, sorted_cost, random_cost)
    candidates = (0, min(max(balance, k), m))
    return min(candidates, key=lambda r: two_phase_price_bound(m, k, r, sorted_cost, random_cost))


def cheapest_price_bound(m: int, k: int, sorted_cost: Number, random_cost: Number) -> Fraction:
    """Return the price bound for the cheapest prefix."""
    r = cheapest_prefix(m, k, sorted_cost, random_cost)
    return two_phase_price_bound(m, k, r, sorted_cost, random_cost)


def has_balanced_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> bool:
    """Return whether k <= balanced prefix <= m, roughly k/m <= random/sorted cost <= m/k."""
    return k <= balanced_prefix(m, k, sorted_cost, random_cost) <= m


def closed_price_bound(m: int, k: int, sorted_cost: Number, random_cost: Number) -> float:
    """Return a closed form that is at least the cheapest price bound.

    It is the price of reading everything through the cheaper door. If there is a balanced prefix,
    it is the smaller of that and sqrt(4k(m+1) c_s c_r + c_s^2) - c_s - k c_r, which is about
    2 sqrt(mk c_s c_r).

    Ours: ours:unequal-costs.
    """
    whole = m * min(float(sorted_cost), float(random_cost))
    if not has_balanced_prefix(m, k, sorted_cost, random_cost):
        return whole
    by_sorted, by_random = float(sorted_cost), float(random_cost)
    root = math.sqrt(4 * k * (m + 1) * by_sorted * by_random + by_sorted * by_sorted)
    return min(whole, root - by_sorted - k * by_random)
