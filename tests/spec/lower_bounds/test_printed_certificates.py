"""What the paper's own inputs certify.

Tests: thm:lower-random, thm:lower-sorted, lem:report-low-items, erratum:integrality.
"""

import math
from fractions import Fraction
from itertools import combinations, product

import pytest

from privtopk.spec.laws.gumbel import set_law, weights
from privtopk.spec.lower_bounds.hard_families import (
    hard_instance,
    printed_both_sizes,
    printed_sorted_sizes,
)
from privtopk.spec.lower_bounds.printed_certificates import (
    printed_random_exact,
    printed_random_sum,
    printed_sorted_product,
    too_few_met,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import items_of
from support import refusal

SIZES = [(m, k) for m in range(2, 9) for k in range(1, m // 2 + 1)]


def probability_of(tops: tuple[bool, ...], chance: Fraction) -> Fraction:
    """Return the probability that exactly these items are at n."""
    return math.prod((chance if top else 1 - chance for top in tops), start=Fraction(1))


def cheapest_cost(tops: tuple[bool, ...], k: int) -> int:
    """Return the cost of reading items until k of them have n, or all are read."""
    met = [q for q in range(1, len(tops) + 1) if sum(tops[:q]) >= k]
    return met[0] if met else len(tops)


@pytest.mark.parametrize(("m", "k"), SIZES)
def test_no_input_is_cheaper_than_the_random_bound(m: int, k: int) -> None:
    """Reading until k items are found is always accurate, and costs at least the bound."""
    chance = Fraction(2 * k, m)
    mean = sum(
        probability_of(tops, chance) * cheapest_cost(tops, k)
        for tops in product((False, True), repeat=m)
    )
    assert 0 <= printed_random_exact(m, k, 0) <= mean


@pytest.mark.parametrize(("m", "k"), [(m, k) for m, k in SIZES if 2 * k < m])
def test_giving_up_at_once_is_covered(m: int, k: int) -> None:
    """An answer without reading errs unless fewer than k items have n: at that beta it is 0."""
    errs = 1 - list(too_few_met(m, k, Fraction(2 * k, m)))[m]
    assert printed_random_exact(m, k, errs) == 0


@pytest.mark.parametrize("beta", [Fraction(0), Fraction(1, 100), Fraction(1, 4)])
def test_floats_agree_with_fractions(beta: Fraction) -> None:
    """The float is within 1e-12 m of the fraction."""
    exact = printed_random_exact(60, 3, beta)
    assert abs(printed_random_sum(60, 3, beta) - exact) < 1e-12 * 60


def test_the_random_bound_is_linear() -> None:
    """At beta = 0.1, as in the paper, it is at least m/4 for k = 4, and the paper's m/50 too."""
    assert [printed_random_sum(m, 4, 0.1) >= m / 4 for m in (100, 1000, 10_000)] == [True] * 3


@pytest.mark.parametrize(("m", "k", "doubling"), [(8, 2, 1), (12, 3, 1), (8, 4, 2)])
def test_a_private_selection_returns_low_items_as_often(m: int, k: int, doubling: int) -> None:
    """Gumbel noise with e^rate = 2 on the paper's input meets the low set as the bound says.

    The budget of k items is k ln 2, so shrinkage is 2^-k; beta is what the noise really has.
    """
    s, a = printed_sorted_sizes(m, k)
    n = 3 + doubling
    hit, inaccurate = Fraction(0), Fraction(0)
    for low in combinations(items_of(s), a):
        instance = hard_instance(m, items_of(s), low, n)
        for items, chance in set_law(weights(instance.neighbour, Fraction(2)), k).items():
            hit += chance if items & instance.low else 0
        for items, chance in set_law(weights(instance.base, Fraction(2)), k).items():
            inaccurate += 0 if items <= instance.chosen else chance
    draws = math.comb(s, a)
    product_bound = printed_sorted_product(m, k, Fraction(1, 2**k), 0, inaccurate / draws)
    assert 0 < product_bound <= (s - a + 1) * hit / draws


def test_with_k_1_the_sorted_bound_says_nothing() -> None:
    """All of S is low: one access is enough to meet it."""
    assert printed_sorted_product(10, 1, Fraction(1), 0, 0) == 1


def test_printed_sizes_must_be_whole() -> None:
    """A size that the paper's fractions do not divide is refused."""
    assert (printed_sorted_sizes(12, 3), printed_both_sizes(25, 1)) == ((6, 2), (5, 5))
    told = [
        refusal(lambda: printed_sorted_product(9, 2, Fraction(1), 0, 0)),
        refusal(lambda: printed_sorted_product(10, 2, Fraction(1), 0, 0)),
        refusal(lambda: printed_both_sizes(10, 3)),
    ]
    assert told == [
        (Reason.SIZE_OUT_OF_RANGE, "m must be a multiple of 2, got 9"),
        (Reason.SIZE_OUT_OF_RANGE, "s must be a multiple of k=2, got 5"),
        (Reason.SIZE_OUT_OF_RANGE, "mk must be a square, got 30"),
    ]


def test_the_random_bound_needs_k_up_to_half() -> None:
    """2k/m must be a probability."""
    assert refusal(lambda: printed_random_sum(10, 6, 0)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "k must be between 1 and 5, got 6",
    )
