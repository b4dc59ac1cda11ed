"""The lower bound that counts how many low items are returned.

Tests: ours:hit-certificate, ours:lower-both-seventh, ours:unequal-costs-lower-sharp,
       ours:certificate.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from privtopk.spec.lower_bounds.certificate import certificate_exact, report_probability
from privtopk.spec.lower_bounds.hit_certificate import (
    demanded_hits,
    hit_certificate_exact,
    hit_rate,
    kept_probability,
    luck_bound,
    one_hit_price_bound,
    one_hit_sizes,
    root_above,
    seventh_bound,
)
from privtopk.spec.lower_bounds.theorems import both_access_bound
from privtopk.spec.model.errors import Reason, SelectionError

HALF, TENTH, NOTHING = Fraction(1, 2), Fraction(1, 10), Fraction(0)


def test_without_privacy_loss_a_probability_is_kept() -> None:
    """At epsilon = delta = 0 neighbours have one law."""
    assert kept_probability(Fraction(3, 7), Fraction(1), NOTHING) == Fraction(3, 7)


def test_rare_events_shrink_and_frequent_ones_do_not() -> None:
    """At e^epsilon = 2, delta = 1/10: 1/2 becomes 1/5, and 19/20 is still 4/5."""
    assert kept_probability(HALF, HALF, TENTH) == Fraction(1, 5)
    assert kept_probability(Fraction(19, 20), HALF, TENTH) == Fraction(4, 5)


def test_what_delta_excuses_is_not_kept() -> None:
    """An event of probability delta may have probability 0 on a neighbour."""
    assert kept_probability(TENTH, HALF, TENTH) == 0


def test_demanded_hits_are_the_mean_of_a_perfect_algorithm() -> None:
    """With no loss the demand is the mean of min(low items, c) over all low sets."""
    s, k, a = 6, 3, 4
    counts = [len(set(low) & {0, 1, 2}) for low in combinations(range(s), a)]
    for hits in (1, 2, 3):
        mean = Fraction(sum(min(hits, count) for count in counts), len(counts))
        assert demanded_hits(k, s, a, hits, Fraction(1), 0, 0) == mean


def test_one_demanded_hit_is_reported_at_least() -> None:
    """One hit is demanded as often as Lemma 5.2 says, or more often by the complement."""
    for a in (1, 2, 5):
        promise = (HALF, Fraction(1, 20), TENTH)
        demanded = demanded_hits(2, 6, a, 1, *promise)
        assert demanded >= report_probability(2, 6, a, *promise)
    assert demanded_hits(2, 6, 5, 1, *promise) > report_probability(2, 6, 5, *promise)


def test_rate_of_the_random_door() -> None:
    """For m = 20, s = 9, a = 3 an access finds 4/15 low items; half of that at twice the price."""
    assert hit_rate(20, 9, 3, 1) == Fraction(4, 15)
    assert hit_rate(20, 9, 3, 1, (100, 2)) == Fraction(2, 15)


def test_rate_of_the_sorted_door() -> None:
    """Two low items cost the s - a = 6 others and an access each, at the cheaper price."""
    assert hit_rate(1000, 9, 3, 2) == Fraction(2, 8)
    assert hit_rate(1000, 9, 3, 2, (3, 1)) == Fraction(2, 20)


def test_one_hit_has_no_luck() -> None:
    """The chance to meet the first low item only rises, so there is no good moment to stop."""
    assert luck_bound(100, 20, 10, 1) == 0


def test_luck_in_figures() -> None:
    """For M = 90, a = 10, c = 5 the luck is 2 sqrt(5 80 / (2 7 12 91)), rounded up."""
    luck = luck_bound(100, 20, 10, 5)
    square = Fraction(5 * 80, 2 * 7 * 12 * 91)
    assert luck * luck >= 4 * square
    assert float(luck) == pytest.approx(2 * math.sqrt(square), rel=1e-15)


@pytest.mark.parametrize("square", [Fraction(0), Fraction(9, 4), Fraction(2), Fraction(1, 10**30)])
def test_roots_are_rounded_up(square: Fraction) -> None:
    """A root is never too small, exact for squares, and at most 2^-64 of a unit too large."""
    root = root_above(square)
    assert root * root >= square
    assert root == 0 or (root - Fraction(1, 2**64)) ** 2 < square
    assert root_above(Fraction(9, 4)) == Fraction(3, 2)


def test_certificate_by_hand() -> None:
    """m = 100, k = 1, s = 20, a = 10: half a hit is demanded, at (M+1)/(a+1) accesses per hit."""
    assert hit_certificate_exact(100, 1, 20, 10, 1, Fraction(1), 0, 0) == Fraction(91, 22)
    # By sorted access a hit takes 11 accesses; with m = 200 that is cheaper.
    assert hit_certificate_exact(200, 1, 20, 10, 1, Fraction(1), 0, 0) == Fraction(11, 2)


def test_certificate_may_say_nothing() -> None:
    """If delta allows every answer, the bound is 0."""
    assert hit_certificate_exact(100, 1, 20, 2, 1, HALF, HALF, 0) == 0


def test_certificate_grows_with_prices() -> None:
    """If both doors cost three times as much, so does the bound."""
    sizes = (200, 6, 40, 15, 4)
    one = hit_certificate_exact(*sizes, HALF, 0, TENTH)
    assert hit_certificate_exact(*sizes, HALF, 0, TENTH, (3, 3)) == 3 * one
    assert one > certificate_exact(200, 6, 40, 15, HALF, 0, TENTH)


def test_sizes_of_the_seventh() -> None:
    """For m = 10^6, k = 4 there are 520 - 1 high items beside 1921 low ones."""
    assert one_hit_sizes(10**6, 4) == (519 + 1921, 1921)


def test_sizes_follow_the_prices() -> None:
    """If a random access costs 9 sorted ones, there are three times as many high and low items."""
    assert one_hit_sizes(10**6, 4, Fraction(9)) == (1559 + 5759, 5759)


def test_seventh_in_figures() -> None:
    """Of a million items one costs 1000/7 accesses, 14 times what S3 says."""
    assert seventh_bound(10**6, 1, 1, 0, 0.05) == pytest.approx(1000 / 7)
    assert seventh_bound(10**6, 1, 1, 0, 0.05) > 14 * both_access_bound(10**6, 1, 1, 0, 0.05)


def test_priced_bound_in_figures() -> None:
    """At prices 1 and 4, one of a million items costs 2000/125; the cheaper door limits it."""
    promise = (1, 0.03, 0.02)
    assert one_hit_price_bound(10**6, 1, 1, 4, *promise) == pytest.approx(2000 / 125)
    assert one_hit_price_bound(10**6, 1, 1, 10**9, *promise) == pytest.approx(10**6 / 125)


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: hit_certificate_exact(9, 2, 5, 4, 3, HALF, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "hits must be between 1 and 2, got 3",
        ),
        (
            lambda: hit_certificate_exact(9, 2, 5, 1, 2, HALF, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "hits must be between 1 and 1, got 2",
        ),
        (
            lambda: hit_certificate_exact(9, 2, 10, 4, 1, HALF, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "s must be between 2 and 9, got 10",
        ),
        (
            lambda: hit_rate(9, 5, 4, 1, (1, 0)),
            Reason.COST_OUT_OF_RANGE,
            "random_cost must be positive and finite, got 0",
        ),
        (
            lambda: seventh_bound(10**6, 1, 1.5, 0, 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be at most 1, got 1.5",
        ),
        (
            lambda: demanded_hits(2, 5, 4, 1, HALF, 0, 1),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "beta must be at least 0 and below 1, got 1",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Sizes, prices and promises out of range are refused with what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)
