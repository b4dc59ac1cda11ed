"""Theorems about the best prefix and its candidates, for all small sizes.

Ours: ours:batched-cost, ours:batched-candidates, ours:unequal-costs.
"""

from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail
from privtopk.spec.proofs.instruments.premises import concrete, is_between
from privtopk.spec.proofs.theorems.upper_bounds.access import PROBABILITY, REST
from privtopk.spec.upper_bounds.batched import (
    balance_point,
    candidates_quantile,
    cheapest_prefix,
    default_prefix,
    expected_candidates_bound,
    optimal_prefix,
    two_phase_cost_bound,
    two_phase_price_bound,
)


def thm_the_balance_point_is_the_largest(area: int) -> bool:
    """The balance point x is the largest integer with x (x - 1) <= area.

    Claim: ours:batched-cost
    Seconds: 40
    pre: is_between(area, 0, 30)
    post: _
    """
    x = balance_point(area)
    return x * (x - 1) <= area < (x + 1) * x


def thm_no_prefix_is_better_than_the_optimal_one(m: int, k: int, r: int) -> bool:
    """The optimal prefix lies between k and m, and no other has a smaller cost bound.

    Claim: ours:batched-cost
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    pre: is_between(r, 0, m)
    post: _
    """
    size, count = concrete(m, 1, 4), concrete(k, 1, 4)
    best = optimal_prefix(size, count)
    return count <= best <= size and (
        two_phase_cost_bound(size, count, best)
        <= two_phase_cost_bound(size, count, concrete(r, 0, 4))
    )


def thm_the_default_prefix_is_the_root_rounded_up(m: int, k: int) -> bool:
    """The default prefix is the smallest r with r^2 >= mk, and lies between k and m.

    Claim: ours:batched-cost
    Seconds: 40
    pre: is_between(m, 1, 6)
    pre: is_between(k, 1, m)
    post: _
    """
    r = default_prefix(m, k)
    return (r - 1) * (r - 1) < m * k <= r * r and k <= r <= m


def thm_a_longer_prefix_leaves_fewer_candidates(m: int, k: int, r: int) -> bool:
    """The bound on the candidates falls with the prefix, and is 0 when everything is read.

    Claim: ours:batched-candidates
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    pre: is_between(r, 1, m)
    post: _
    """
    size, count, length = concrete(m, 1, 4), concrete(k, 1, 4), concrete(r, 1, 4)
    before, after = (expected_candidates_bound(size, count, n) for n in (length - 1, length))
    return after < before <= size and (after == 0) == (length == size)


def thm_no_prefix_is_cheaper_than_the_cheapest(k: int, r: int, is_sorted_dear: bool) -> bool:
    """No prefix of two items has a smaller price bound than the cheapest one.

    Claim: ours:unequal-costs
    Seconds: 40
    pre: is_between(k, 1, 2)
    pre: is_between(r, 0, 2)
    post: _
    """
    prices = (4, 1) if is_sorted_dear else (1, 4)
    count = concrete(k, 1, 2)
    cheapest = cheapest_prefix(2, count, *prices)
    return two_phase_price_bound(2, count, cheapest, *prices) <= (
        two_phase_price_bound(2, count, concrete(r, 0, 2), *prices)
    )


def thm_the_quantile_is_the_smallest_number_of_candidates(m: int, k: int, r: int) -> bool:
    """The quantile is the smallest number of candidates that at most 2/5 of all runs exceed.

    Claim: ours:batched-candidates
    Seconds: 40
    pre: is_between(m, 1, 3)
    pre: is_between(r, 1, m)
    pre: is_between(k, 1, r)
    post: _
    """
    sizes = concrete(m, 1, 3), concrete(r, 1, 3), concrete(k, 1, 3)
    n = candidates_quantile(sizes[0], sizes[2], sizes[1], PROBABILITY)
    exceeding, reaching = (negative_hypergeometric_tail(*sizes, count) for count in (n + 1, n))
    return exceeding <= REST < reaching
