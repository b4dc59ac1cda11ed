"""The cost of the two-phase algorithm and the choice of its prefix.

Tests: ours:batched-candidates, ours:batched-cost, ours:unequal-costs.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest

from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Number
from privtopk.spec.upper_bounds.batched import (
    balance_point,
    balanced_prefix,
    candidates_quantile,
    cheapest_prefix,
    cheapest_price_bound,
    closed_price_bound,
    default_cost_bound,
    default_prefix,
    early_candidates_bound,
    expected_candidates_bound,
    has_balanced_prefix,
    optimal_cost_bound,
    optimal_prefix,
    two_phase_cost_bound,
    two_phase_cost_quantile,
    two_phase_price_bound,
)

SIZES = [(m, k) for m in range(1, 23) for k in range(1, m + 1)]
PRICES: list[tuple[Number, Number]] = [
    (1, 1),
    (1, 3),
    (5, 1),
    (1, 40),
    (40, 1),
    (Fraction(1, 7), 0.5),
]


@pytest.mark.parametrize("r", range(6))
def test_candidates_of_a_flat_input_by_enumeration(r: int) -> None:
    """With equal scores the candidates, over all orders of 5 noises, meet the bound on average."""
    k = 2
    orders = list(permutations(range(5)))
    candidates = [
        sum(noise > sorted(order[:r])[-k] for noise in order[r:]) if r >= k else 5 - r
        for order in orders
    ]
    assert expected_candidates_bound(5, k, r) == Fraction(sum(candidates), len(orders))


def test_cost_of_one_prefix() -> None:
    """For m = 10, k = 2 and r = 4 the cost is 4 + 6 * 2/5."""
    assert two_phase_cost_bound(10, 2, 4) == 4 + Fraction(12, 5)


def test_cost_of_reading_everything() -> None:
    """With no prefix or with the whole list as prefix the cost is m."""
    assert [two_phase_cost_bound(10, 3, r) for r in (0, 2, 10)] == [10, 10, 10]


def test_default_prefix_is_the_root_rounded_up() -> None:
    """The default prefix is the smallest r with r^2 >= mk."""
    smallest = [next(r for r in range(m + 1) if r * r >= m * k) for m, k in SIZES]
    assert [default_prefix(m, k) for m, k in SIZES] == smallest


def test_default_prefix_in_integers() -> None:
    """One above a large square the root is rounded up, where a float root is not."""
    m = (10**12 + 1) ** 2 + 1
    assert (default_prefix(m, 1), math.ceil(math.sqrt(m))) == (10**12 + 2, 10**12 + 1)


def test_default_cost_is_at_most_twice_the_root() -> None:
    """With the default prefix the cost squared is at most 4mk, in fractions."""
    costs = [two_phase_cost_bound(m, k, default_prefix(m, k)) for m, k in SIZES]
    assert all(cost**2 <= 4 * m * k for cost, (m, k) in zip(costs, SIZES, strict=True))


def test_default_cost_bound_figure() -> None:
    """For m = 10^6 and k = 10 the closed bound is 6324.6."""
    assert round(default_cost_bound(10**6, 10), 1) == 6324.6


def test_optimal_prefix_by_search() -> None:
    """The optimal prefix is the largest among all r in 0..m that cost the least."""
    for m, k in SIZES:
        least = min(two_phase_cost_bound(m, k, r) for r in range(m + 1))
        best = max(r for r in range(m + 1) if two_phase_cost_bound(m, k, r) == least)
        assert optimal_prefix(m, k) == best


def test_optimal_prefix_is_in_range() -> None:
    """The optimal prefix has at least k and at most m items."""
    assert all(k <= optimal_prefix(m, k) <= m for m, k in SIZES)


def test_optimal_cost_is_at_most_its_closed_form() -> None:
    """(cost + k + 1)^2 <= 4k(m+1) + 1 with the optimal prefix, in fractions."""
    costs = [two_phase_cost_bound(m, k, optimal_prefix(m, k)) for m, k in SIZES]
    assert all(
        (cost + k + 1) ** 2 <= 4 * k * (m + 1) + 1
        for cost, (m, k) in zip(costs, SIZES, strict=True)
    )


def test_optimal_cost_bound_is_attained() -> None:
    """For k = m = 1 the closed form is exact: sqrt(9) - 2 = 1."""
    assert (optimal_cost_bound(1, 1), two_phase_cost_bound(1, 1, 1)) == (1.0, Fraction(1))


def test_optimal_cost_bound_figure() -> None:
    """For m = 1000 and k = 10 the closed form is sqrt(40041) - 11."""
    assert optimal_cost_bound(1000, 10) == math.sqrt(40041) - 11


def test_balanced_at_the_products() -> None:
    """At area x (x - 1) the balanced side is x, one below that it is x - 1."""
    assert [balance_point(area) for area in (0, 1, 2, 5, 6, 11, 12)] == [1, 1, 2, 2, 3, 3, 4]


@pytest.mark.parametrize(("m", "k", "r"), [(30, 1, 5), (30, 4, 10), (30, 4, 30), (30, 30, 30)])
def test_quantile_is_the_first_count_that_suffices(m: int, k: int, r: int) -> None:
    """The 99 % quantile is the first n that more candidates exceed with at most 1 %."""
    level = Fraction(1, 100)
    first = next(n for n in range(m) if negative_hypergeometric_tail(m, r, k, n + 1) <= level)
    assert candidates_quantile(m, k, r, 0.99) == first


def test_quantile_without_a_threshold() -> None:
    """With a prefix shorter than k every unseen item is a candidate for sure."""
    assert [candidates_quantile(10, 4, r, 0.99) for r in (0, 3)] == [10, 7]


def test_cost_quantile_figure() -> None:
    """For m = 10^6, k = 10 and the default prefix 99 % of all runs cost at most 9078."""
    assert two_phase_cost_quantile(10**6, 10, 3163, 0.99) == 9078


def test_price_with_equal_costs_is_the_cost() -> None:
    """If both prices are 1, the price is the access cost."""
    assert two_phase_price_bound(10, 2, 4, 1, 1) == two_phase_cost_bound(10, 2, 4)


def test_price_of_one_prefix() -> None:
    """For m = 10, k = 2 and r = 4 at prices 3 and 1/2 it is 12 + 6/5."""
    assert two_phase_price_bound(10, 2, 4, 3, 0.5) == 12 + Fraction(6, 5)


@pytest.mark.parametrize("prices", PRICES)
def test_cheapest_prefix_by_search(prices: tuple[Number, Number]) -> None:
    """No prefix of 0, ..., m has a smaller price bound than the cheapest one."""
    for m, k in SIZES:
        least = min(two_phase_price_bound(m, k, r, *prices) for r in range(m + 1))
        assert cheapest_price_bound(m, k, *prices) == least


@pytest.mark.parametrize("prices", PRICES)
def test_closed_price_bound_holds(prices: tuple[Number, Number]) -> None:
    """The cheapest price bound is at most the closed form."""
    assert all(
        cheapest_price_bound(m, k, *prices) <= closed_price_bound(m, k, *prices) * (1 + 1e-12)
        for m, k in SIZES
    )


def test_cheapest_prefix_with_equal_costs() -> None:
    """At equal costs the cheapest prefix is the optimal one, where that beats reading all."""
    assert cheapest_prefix(1000, 10, 2, 2) == optimal_prefix(1000, 10) == 99


def test_cheap_sorted_access_reads_the_list() -> None:
    """If random access is more than m/k times as expensive, everything is read by sorted access."""
    window = has_balanced_prefix(1000, 10, 1, 200)
    assert (cheapest_prefix(1000, 10, 1, 200), window) == (1000, False)
    assert closed_price_bound(1000, 10, 1, 200) == 1000


def test_cheap_random_access_reads_no_prefix() -> None:
    """If sorted access is more than m/k times as expensive, the prefix is empty."""
    window = has_balanced_prefix(1000, 10, 200, 1)
    assert (cheapest_prefix(1000, 10, 200, 1), window) == (0, False)
    assert closed_price_bound(1000, 10, 200, 1) == 1000


def test_no_prefix_may_win_inside_the_window() -> None:
    """At m = 1000, k = 10, prices 60 and 1 a balanced prefix exists, but none is cheaper."""
    assert (balanced_prefix(1000, 10, 60, 1), cheapest_prefix(1000, 10, 60, 1)) == (12, 0)
    assert two_phase_price_bound(1000, 10, 12, 60, 1) > 1000


def test_closed_price_inside_the_window() -> None:
    """For m = 10, k = 2, prices 3 and 6 the closed form is sqrt(4 * 22 * 18 + 9) - 3 - 12."""
    assert closed_price_bound(10, 2, 3, 6) == math.sqrt(4 * 22 * 18 + 9) - 15


def test_closed_price_is_about_twice_the_geometric_mean() -> None:
    """For m = 10^9, k = 10, prices 3 and 5 the closed form is 2 sqrt(15 mk) within 0.1 %."""
    assert closed_price_bound(10**9, 10, 3, 5) == pytest.approx(
        2 * math.sqrt(15 * 10**10), rel=1e-3
    )


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: two_phase_cost_bound(5, 1, 6),
            Reason.SIZE_OUT_OF_RANGE,
            "r must be between 0 and 5, got 6",
        ),
        (lambda: default_prefix(0, 1), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (
            lambda: optimal_prefix(5, 6),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=5, got 6",
        ),
        (
            lambda: candidates_quantile(5, 1, 2, 0),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "probability must be strictly between 0 and 1, got 0",
        ),
        (
            lambda: cheapest_prefix(5, 1, 0, 1),
            Reason.COST_OUT_OF_RANGE,
            "sorted_cost must be positive and finite, got 0",
        ),
        (
            lambda: closed_price_bound(5, 1, 1, math.inf),
            Reason.COST_OUT_OF_RANGE,
            "random_cost must be positive and finite, got inf",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters out of range are refused with what was given and what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)


def test_early_noise_in_vain() -> None:
    """A 16th of the balanced prefix costs a 512th of it for k = 1, and less for larger k."""
    m = 2**20
    shares = []
    for k in (1, 2, 3, 10, 1000):
        r = math.isqrt(m * k)
        shares.append(early_candidates_bound(m, k, r, r // 16) / r)
    assert shares[0] == pytest.approx(1 / 512, rel=1e-9)
    assert shares == sorted(shares, reverse=True)
    assert early_candidates_bound(m, 1, 10, 0) == 0.0
