"""The search for the best lower bound.

Tests: ours:hit-certificate.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from privtopk.spec.lower_bounds import certificate_search
from privtopk.spec.lower_bounds.certificate import certificate
from privtopk.spec.lower_bounds.certificate_search import (
    HitCertificate,
    best_certificate,
    hit_certificate,
)
from privtopk.spec.lower_bounds.hit_certificate import hit_certificate_exact
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.access import expected_rounds
from privtopk.spec.upper_bounds.batched import cheapest_price_bound

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("m", "k", "s", "a", "hits"),
    [
        (5000, 7, 90, 20, 3),
        (5000, 7, 90, 20, 7),
        (300, 40, 100, 80, 40),
        (300, 40, 100, 30, 15),
        (2000, 500, 900, 450, 230),
        (50, 50, 50, 10, 3),
        (10, 10, 10, 10, 10),
    ],
)
def test_float_certificate_is_just_below_the_exact_one(
    m: int, k: int, s: int, a: int, hits: int
) -> None:
    """In floats the bound is the exact one rounded down, by 1e-8 of it at most."""
    exact = hit_certificate_exact(m, k, s, a, hits, HALF, Fraction(1, 64), Fraction(1, 32), (2, 3))
    found = hit_certificate(m, k, s, a, hits, math.log(2), 1 / 64, 1 / 32, (2, 3))
    assert (found.size, found.low_size, found.hits) == (s, a, hits)
    assert (1 - 1e-8) * exact <= found.bound <= exact


def test_certificate_may_say_nothing() -> None:
    """Sizes that force nothing certify a bound of 0."""
    assert hit_certificate(100, 1, 10, 1, 1, 1, 0.5, 0) == HitCertificate(10, 1, 1, 0.0)


@pytest.mark.parametrize(
    ("m", "k", "epsilon", "delta", "share"),
    [
        (10**6, 1, 0, 0, 0.4997),
        (10**6, 1, 1, 0.05, 0.2308),
        (10**9, 1, 1, 0.05, 0.2307),
        (10**9, 10, 1, 0.05, 0.5087),
        (10**9, 10, 0, 0, 0.6877),
        (10**9, 1000, 0, 0, 0.9207),
        (2**60, 100, 1, 1e-6, 0.7604),
    ],
)
def test_figures(m: int, k: int, epsilon: int, delta: float, share: float) -> None:
    """The best certificate is 0.23 to 0.92 times sqrt(mk)."""
    bound = best_certificate(m, k, epsilon, delta, 0).bound
    assert bound / math.sqrt(m * k) == pytest.approx(share, rel=0.005)


def test_long_sums_are_bounded_below_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks certify less than all terms do, by 10 percent at most."""
    sizes = (10**7, 500, 10**5, 30_000, 140)
    summed = hit_certificate(*sizes, 0.5, 0, 0.01).bound
    monkeypatch.setattr(certificate_search, "LONGEST_SUM", 10)
    assert 0.9 * summed < hit_certificate(*sizes, 0.5, 0, 0.01).bound < summed


def test_large_losses_do_not_magnify_rounding() -> None:
    """At epsilon = 40 a tail that rounds to 1 is not taken for certain: nothing is certified."""
    exact = hit_certificate_exact(10**4, 60, 100, 90, 1, HALF**58, 0, 0)
    found = hit_certificate(10**4, 60, 100, 90, 1, 58 * math.log(2), 0, 0).bound
    assert exact > found


def test_what_is_found_is_a_certificate() -> None:
    """What the search returns is the certificate of the sizes that it names."""
    found = best_certificate(3000, 5, 0.5, 0.01, 0.02, (1, 7))
    sizes = (found.size, found.low_size, found.hits)
    assert hit_certificate(3000, 5, *sizes, 0.5, 0.01, 0.02, (1, 7)) == found


@pytest.mark.parametrize(("m", "k"), [(60, 2), (40, 5), (40, 20), (30, 30)])
def test_search_finds_nearly_the_best(m: int, k: int) -> None:
    """The search finds at least 99 % of the best over all sizes and hits."""
    choices = (
        (s, a, hits)
        for s in range(k, m + 1)
        for a in range(1, s + 1)
        for hits in range(1, min(k, a) + 1)
    )
    best = max(hit_certificate(m, k, *sizes, 0.3, 0, 0).bound for sizes in choices)
    assert 0.99 * best <= best_certificate(m, k, 0.3, 0, 0).bound <= best


@pytest.mark.parametrize(("m", "k"), [(20, 1), (20, 7), (150, 3)])
def test_search_beats_every_certificate_of_s3(m: int, k: int) -> None:
    """No choice of s and a makes the sum of S3 larger than what the search finds."""
    sizes = ((s, a) for s in range(k, m + 1, 1 + m // 50) for a in range(1, s + 1))
    before = max(certificate(m, k, s, a, 0.2, 0, 0.01).bound for s, a in sizes)
    assert best_certificate(m, k, 0.2, 0, 0.01).bound > before


@pytest.mark.parametrize("k", [1, 2, 7, 20])
def test_best_certificate_is_below_the_upper_bound(k: int) -> None:
    """No certificate exceeds the cost of the threshold algorithm at two accesses per round."""
    assert best_certificate(20, k, 0, 0, 0).bound <= 2 * expected_rounds(20, k)


@pytest.mark.parametrize("costs", [(1, 1000), (1000, 1), (1, 10**6), (10**6, 1), (7, 7)])
def test_priced_certificates_are_within_a_factor_of_the_upper_bound(costs: tuple[int, int]) -> None:
    """For every ratio of prices the cheapest known algorithm costs at most 4 times the bound."""
    bound = best_certificate(10**6, 20, 1, 0, 0.05, costs).bound
    assert bound < cheapest_price_bound(10**6, 20, *costs) < 4 * bound


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: best_certificate(5, 3, math.inf, 0, 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be at least 0 and finite, got inf",
        ),
        (
            lambda: best_certificate(5, 3, 1, 0, -0.1),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "beta must be at least 0 and below 1, got -0.1",
        ),
        (
            lambda: best_certificate(5, 6, 1, 0, 0),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=5, got 6",
        ),
        (
            lambda: best_certificate(5, 3, 1, 0, 0, (0, 1)),
            Reason.COST_OUT_OF_RANGE,
            "sorted_cost must be positive and finite, got 0",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters out of range are refused with what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)


def test_a_budget_without_privacy_leaves_the_trivial_bound() -> None:
    """If e^-epsilon is 0 as a double, privacy certifies nothing."""
    assert best_certificate(1000, 2, 1e300, 0, 0.05, (1, 1)).bound == 0
