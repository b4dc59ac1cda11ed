"""The computable lower bound.

Tests: ours:certificate, lem:lower-e1, erratum:low-set-size, erratum:nine-eta.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from privtopk.spec.lower_bounds.certificate import (
    Certificate,
    certificate,
    certificate_exact,
    hidden_probability,
    report_probability,
)
from privtopk.spec.lower_bounds.hard_families import both_access_sizes
from privtopk.spec.lower_bounds.theorems import both_access_bound
from privtopk.spec.model.errors import Reason, SelectionError

HALF = Fraction(1, 2)


def certificate_by_terms(
    m: int, k: int, s: int, a: int, shrinkage: Fraction, delta: Fraction, beta: Fraction
) -> Fraction:
    """Return the certified bound as its defining sum."""
    hidden = m - s + a
    miss = Fraction(math.comb(s - k, a), math.comb(s, a))
    report = shrinkage * ((1 - beta) * (1 - miss) - delta)
    total = Fraction(0)
    for t in range(min(s - a, hidden) + 1):
        term = report - 1 + Fraction(math.comb(hidden - t, a), math.comb(hidden, a))
        if term <= 0:
            break
        total += term
    return total


def test_hidden_probability_by_enumeration() -> None:
    """With m = 6, s = 3, a = 2 and the high item read, 3 of 10 low sets avoid the items 1, 2."""
    others = range(1, 6)
    sets = [low for low in combinations(others, 2) if not set(low) & {1, 2}]
    assert hidden_probability(6, 3, 2, 2) == Fraction(len(sets), math.comb(5, 2))


def test_hidden_probability_of_the_printed_sizes() -> None:
    """For m = 6400, k = 4, |S_L| = |S|/k, eta = 8 accesses meet a low item with at most 0.19."""
    assert 1 - hidden_probability(6400, 160, 40, 8) <= Fraction(19, 100)


def test_report_probability_by_enumeration() -> None:
    """Of all low sets of 2 of 5 items 7 of 10 meet a given pair; beta and delta are subtracted."""
    hits = [low for low in combinations(range(5), 2) if set(low) & {0, 1}]
    tenth, fifth = Fraction(1, 10), Fraction(1, 5)
    expected = HALF * ((1 - fifth) * Fraction(len(hits), 10) - tenth)
    assert report_probability(2, 5, 2, HALF, tenth, fifth) == expected


def test_report_probability_is_not_negative() -> None:
    """If delta exceeds what accuracy forces, the bound is 0."""
    assert report_probability(1, 5, 1, HALF, Fraction(1, 2), 0) == 0


@pytest.mark.parametrize(
    ("shrinkage", "delta", "beta"),
    [
        (Fraction(1), Fraction(0), Fraction(0)),
        (HALF, Fraction(1, 20), Fraction(0)),
        (Fraction(1, 3), Fraction(0), Fraction(1, 5)),
    ],
)
def test_exact_certificate_term_by_term(
    shrinkage: Fraction, delta: Fraction, beta: Fraction
) -> None:
    """The closed sum is the sum of the positive terms, for all sizes up to m = 8."""
    for m in range(1, 9):
        for k in range(1, m + 1):
            for s in range(k, m + 1):
                for a in range(1, s + 1):
                    chances = (shrinkage, delta, beta)
                    terms = certificate_by_terms(m, k, s, a, *chances)
                    assert certificate_exact(m, k, s, a, *chances) == terms


def test_float_certificate_agrees_with_the_exact_one() -> None:
    """In floats the bound is the exact one to 1e-11, for m = 5000, k = 7, e^epsilon = 2."""
    exact = certificate_exact(5000, 7, 90, 20, HALF, Fraction(1, 100), Fraction(1, 50))
    found = certificate(5000, 7, 90, 20, math.log(2), 0.01, 0.02)
    assert (found.size, found.low_size) == (90, 20)
    assert found.bound == pytest.approx(float(exact), rel=1e-11)


def test_certificate_of_perfect_privacy() -> None:
    """With epsilon = delta = beta = 0 and everything chosen and low, the bound is one access."""
    assert certificate(5, 5, 5, 5, 0, 0, 0).bound == pytest.approx(1, rel=1e-12)


def test_certificate_may_say_nothing() -> None:
    """Sizes that force nothing certify a bound of 0."""
    assert certificate(100, 1, 10, 1, 1, 0.5, 0) == Certificate(10, 1, 0.0)


def test_printed_low_size_certifies_next_to_nothing_for_one_item() -> None:
    """For k = 1 the printed |S_L| = |S| leaves one term, 1/e, whatever m is."""
    assert certificate(10**6, 1, 1000, 1000, 1, 0, 0).bound == pytest.approx(math.exp(-1))


def test_sizes_of_s3_certify_s3() -> None:
    """At S3's own sizes the certificate exceeds sqrt(mk)/100 for m > 10^4 k."""
    for k in (1, 2, 10, 100):
        m = 10**4 * k + 1
        found = certificate(m, k, *both_access_sizes(m, k), 1, 0.05, 0)
        assert found.bound > both_access_bound(m, k, 1, 0.05, 0)


@pytest.mark.parametrize(
    ("m", "k", "sizes", "epsilon", "delta", "share"),
    [
        (10**6, 1, (907, 630), 1, 0.05, 0.0430),
        (10**9, 10, (39_229, 6764), 1, 0.05, 0.0623),
        (10**9, 1, (55_120, 38_017), 0, 0, 0.2298),
        (10**9, 10**4, (2_141_266, 444), 0, 0, 0.3517),
    ],
)
def test_best_sizes(
    m: int, k: int, sizes: tuple[int, int], epsilon: int, delta: float, share: float
) -> None:
    """At the best sizes found the sum of S3 is 0.043 to 0.35 times sqrt(mk)."""
    bound = certificate(m, k, *sizes, epsilon, delta, 0).bound
    assert bound / math.sqrt(m * k) == pytest.approx(share, rel=0.001)
    for s, a in ((sizes[0] * 11 // 10, sizes[1]), (sizes[0], sizes[1] * 9 // 10)):
        assert certificate(m, k, s, a, epsilon, delta, 0).bound < bound


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: certificate(5, 3, 2, 1, 1, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "s must be between 3 and 5, got 2",
        ),
        (
            lambda: certificate_exact(5, 3, 4, 5, HALF, 0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "a must be between 1 and 4, got 5",
        ),
        (
            lambda: certificate(5, 3, 4, 1, 1, 1, 0),
            Reason.DELTA_OUT_OF_RANGE,
            "delta must be at least 0 and below 1, got 1",
        ),
        (
            lambda: certificate(5, 3, 4, 1, math.inf, 0, 0),
            Reason.EPSILON_OUT_OF_RANGE,
            "epsilon must be at least 0 and finite, got inf",
        ),
        (
            lambda: certificate(5, 3, 4, 1, 1, 0, -0.1),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "beta must be at least 0 and below 1, got -0.1",
        ),
        (
            lambda: hidden_probability(5, 3, 1, 4),
            Reason.SIZE_OUT_OF_RANGE,
            "draws must be between 0 and 3, got 4",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Sizes and parameters out of range are refused with what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)
