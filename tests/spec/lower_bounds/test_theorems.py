"""The lower bounds S1, S2 and S3 and the one for unequal costs.

Tests: ours:lower-random, ours:lower-sorted, ours:lower-both, ours:unequal-costs-lower,
erratum:low-set-size, erratum:integrality.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from privtopk.spec.lower_bounds.theorems import (
    both_access_bound,
    miss_probability,
    random_access_bound,
    random_access_sum,
    sorted_access_bound,
    sorted_access_product,
    sorted_low_size,
    unequal_price_lower_bound,
)
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.batched import cheapest_price_bound, default_cost_bound

SIZES = [(m, k) for m in range(1, 16) for k in range(1, m + 1)]
HALF = Fraction(1, 2)
FAILURES = [Fraction(0), Fraction(1, 10), Fraction(9, 10)]


def test_random_access_bound() -> None:
    """S1 at m = 10 and beta = 1/5 is 10 (4/5)^2 / 2 = 16/5."""
    assert random_access_bound(10, Fraction(1, 5)) == Fraction(16, 5)


def test_random_access_sum_term_by_term() -> None:
    """S1's sum is that of its positive terms, for all m <= 15."""
    for m, k in SIZES:
        for beta in FAILURES:
            shares = [Fraction(math.comb(q, k), math.comb(m, k)) for q in range(m + 1)]
            terms = [max(Fraction(0), 1 - beta - share) for share in shares]
            assert random_access_sum(m, k, beta) == sum(terms)


def test_random_access_sum_is_at_least_the_bound() -> None:
    """S1's sum is never below its closed form."""
    assert all(
        random_access_sum(m, k, beta) >= random_access_bound(m, beta)
        for m, k in SIZES
        for beta in FAILURES
    )


def test_random_access_sum_without_failure_is_the_last_hit() -> None:
    """With beta = 0 S1's sum is the mean of the largest of k random times, k(m+1)/(k+1)."""
    means = [Fraction(k * (m + 1), k + 1) for m, k in SIZES]
    assert [random_access_sum(m, k, 0) for m, k in SIZES] == means


def test_mean_last_hit_by_enumeration() -> None:
    """Over all sets of 3 of 7 times the last one is met at 6 on average, S1's sum."""
    sets = list(combinations(range(1, 8), 3))
    assert random_access_sum(7, 3, 0) == Fraction(sum(map(max, sets)), len(sets)) == 6


def test_sorted_low_size_is_the_formula() -> None:
    """S2's size is ceil(m (1 - (1-p)^(1/k))) where floats can tell."""
    sizes = [math.ceil(m * (1 - 0.45 ** (1 / k)) - 1e-9) for m, k in SIZES]
    assert [sorted_low_size(m, k, 0.1) for m, k in SIZES] == sizes


def test_sorted_low_size_on_the_boundary() -> None:
    """With k = 1 and delta = 0 exactly half of an even domain is low, not one more."""
    assert [sorted_low_size(m, 1, 0) for m in (1, 2, 3, 10)] == [1, 1, 2, 5]


def test_miss_probability_by_enumeration() -> None:
    """Of all low sets of 2 of 6 items 6 of 15 miss the items 1 and 2."""
    sets = [low for low in combinations(range(1, 7), 2) if not set(low) & {1, 2}]
    assert miss_probability(6, 2, 2) == Fraction(len(sets), 15)


def test_floor_of_the_printed_size_misses_too_often() -> None:
    """|S| = 5 and k = 3 with the floor of |S|/k: the miss probability is 2/5 > 1/e."""
    assert miss_probability(5, 3, 5 // 3) == Fraction(2, 5)


def test_sorted_miss_probability_is_small_enough() -> None:
    """S2's low set is missed with probability at most (1 - delta)/2."""
    assert all(
        miss_probability(m, k, sorted_low_size(m, k, delta)) <= (1 - delta) / 2
        for m, k in SIZES
        for delta in FAILURES
    )


def test_sorted_access_bound() -> None:
    """S2 at m = 100, epsilon = ln 2 and delta = 1/5 is 100 (4/5)^2 / 8."""
    assert sorted_access_bound(100, math.log(2), 0.2) == pytest.approx(8, rel=1e-14)


def test_sorted_access_product_is_at_least_the_bound() -> None:
    """S2 before it is simplified is never below its closed form."""
    assert all(
        sorted_access_product(m, k, HALF, delta) >= HALF * (1 - delta) ** 2 * m / 4
        for m, k in SIZES
        for delta in FAILURES
    )


def test_sorted_access_product_of_one_case() -> None:
    """For m = 4, k = 1 and delta = 0: a = 2, so 3 accesses times 1/2 times e^-epsilon."""
    assert sorted_access_product(4, 1, Fraction(1, 3), 0) == Fraction(1, 2)


def test_sorted_access_product_with_delta() -> None:
    """For m = 4, k = 1 and delta = 1/2: a = 3, so 2 accesses times 1 - 1/4 - 1/2."""
    assert sorted_access_product(4, 1, Fraction(1), HALF) == HALF


def test_both_access_bound() -> None:
    """S3 at m = 10^6, k = 4 is 20 accesses."""
    assert both_access_bound(10**6, 4, 1, 0.05, 0) == 20


def test_both_access_bound_is_below_the_upper_one() -> None:
    """S3 is 200 times below the bound of the two-phase algorithm."""
    assert 200 * both_access_bound(10**6, 10, 1, 0, 0.05) == default_cost_bound(10**6, 10)


@pytest.mark.parametrize(
    ("sorted_cost", "random_cost", "bound"), [(1, 1, 1e-4 * 2000), (1, 10**6, 100), (10**6, 1, 100)]
)
def test_unequal_price_lower_bound(sorted_cost: int, random_cost: int, bound: float) -> None:
    """For m = 10^6, k = 4 the least of c_s m, c_r m and sqrt(mk c_s c_r) counts, over 10^4."""
    assert unequal_price_lower_bound(10**6, 4, sorted_cost, random_cost, 1, 0, 0.05) == (
        pytest.approx(bound, rel=1e-14)
    )


@pytest.mark.parametrize("ratio", [Fraction(1, 10**5), Fraction(1, 100), 1, 100, 10**5])
def test_unequal_bounds_match_up_to_a_constant(ratio: Fraction | int) -> None:
    """The cheapest prefix costs at most 20,000 times the lower bound, at every ratio of prices."""
    below = unequal_price_lower_bound(10**5, 7, 1, ratio, 1, 0, 0.05)
    assert below <= cheapest_price_bound(10**5, 7, 1, ratio) <= 20_000 * below


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: random_access_bound(5, 1),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "beta must be at least 0 and below 1, got 1",
        ),
        (
            lambda: random_access_sum(5, 0, 0),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=5, got 0",
        ),
        (
            lambda: sorted_low_size(5, 1, -0.5),
            Reason.DELTA_OUT_OF_RANGE,
            "delta must be at least 0 and below 1, got -0.5",
        ),
        (
            lambda: miss_probability(5, 1, 6),
            Reason.SIZE_OUT_OF_RANGE,
            "low_size must be between 0 and 5, got 6",
        ),
        (
            lambda: sorted_access_bound(5, -1, 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be at least 0 and finite, got -1",
        ),
        (
            lambda: sorted_access_product(5, 1, Fraction(3, 2), 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "shrinkage must be above 0 and at most 1, got 3/2",
        ),
        (
            lambda: sorted_access_product(5, 1, 0.5, 0),  # type: ignore[arg-type]
            Reason.WRONG_TYPE,
            "shrinkage must be an integer or a fraction, got 0.5",
        ),
        (
            lambda: both_access_bound(5, 1, 1.5, 0, 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be at most 1, got 1.5",
        ),
        (
            lambda: both_access_bound(5, 1, 1, 0.25, 0.25),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "beta + delta must be at most 0.05, got 0.5",
        ),
        (
            lambda: unequal_price_lower_bound(5, 1, 1, -1, 1, 0, 0),
            Reason.COST_OUT_OF_RANGE,
            "random_cost must be positive and finite, got -1",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters that break the hypotheses are refused with what was given and what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)
