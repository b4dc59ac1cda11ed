"""Facts about the worst-case error of the one-shot selection."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special

from privtopk.spec.laws.gumbel import float_weights, set_probability
from privtopk.spec.laws.laplace import laplace_set_probability
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Item
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import (
    error_bound,
    error_quantile,
    failure_probability,
    harmonic_number,
)

KINDS = st.sampled_from(NoiseKind)
SIZES = st.integers(2, 2**50)
BETAS = st.floats(1e-12, 0.9)
Law = Callable[[tuple[int, ...], tuple[Item, ...], float], float]


def scipy_laplace_failure(a: float, k: int, m: int) -> float:
    """Return 1 - integral of k f(y) (1 - F(y))^(k-1) F(y + a)^(m-k) by scipy's adaptive rule."""

    def cdf(y: float) -> float:
        return math.exp(y) / 2 if y < 0 else 1 - math.exp(-y) / 2

    def integrand(y: float) -> float:
        density = math.exp(-abs(y)) / 2
        return k * density * cdf(-y) ** (k - 1) * cdf(y + a) ** (m - k)

    pieces = [(-60.0, -a), (-a, 0.0), (0.0, 60.0)]
    return 1 - math.fsum(
        integrate.quad(integrand, low, high, epsabs=1e-13, limit=200)[0] for low, high in pieces
    )


def log_rising_factorial(k: int, w: float) -> float:
    """Return ln(Gamma(k+w+1)/Gamma(k+1)), by Stirling's series where lgamma would cancel."""
    if k < 10**5:
        return math.lgamma(k + 1 + w) - math.lgamma(k + 1)
    return w * math.log(k) + w * (w + 1) / (2 * k)


def test_gumbel_row() -> None:
    """For m = 1000, k = 10, beta = 0.01 the Gumbel bound is 12.578 and the quantile 12.572."""
    bound = error_bound(NoiseKind.GUMBEL, 1, 0.01, 10, 1000)
    quantile = error_quantile(NoiseKind.GUMBEL, 1, 0.01, 10, 1000)
    assert (round(bound, 3), round(quantile, 3)) == (12.578, 12.572)


def test_laplace_row() -> None:
    """For m = 1000, k = 10, beta = 0.01 the Laplace bound is 21.640 and the quantile 14.269."""
    bound = error_bound(NoiseKind.LAPLACE, 1, 0.01, 10, 1000)
    quantile = error_quantile(NoiseKind.LAPLACE, 1, 0.01, 10, 1000)
    assert (round(bound, 3), round(quantile, 3)) == (21.64, 14.269)


@pytest.mark.parametrize(("k", "m"), [(1, 2), (1, 50), (3, 10), (10, 1000), (40, 45), (99, 100)])
@pytest.mark.parametrize("a", [0.0, 0.5, 4.0, 9.0])
def test_laplace_failure_by_scipy(a: float, k: int, m: int) -> None:
    """The Laplace failure agrees with scipy's integral of the textbook formula."""
    assert failure_probability(NoiseKind.LAPLACE, 1, a, k, m) == pytest.approx(
        scipy_laplace_failure(a, k, m), rel=1e-9, abs=1e-11
    )


@given(st.floats(0, 700))
@settings(max_examples=30, deadline=None)
def test_laplace_failure_of_a_pair(a: float) -> None:
    """For one item against one other the Laplace failure is e^-a (2 + a)/4."""
    assert failure_probability(NoiseKind.LAPLACE, 1, a, 1, 2) == pytest.approx(
        math.exp(-a) * (2 + a) / 4, rel=1e-13
    )


@pytest.mark.parametrize("s", [-1.0, 0.0, 2.0])
def test_laplace_failure_for_huge_domains(s: float) -> None:
    """For 2^49 items against 2^49 others it is that of the sum of two Gumbel variables."""
    x = 2 * math.exp(-s / 2)
    a = s + 2 * math.log(2**48)
    assert failure_probability(NoiseKind.LAPLACE, 1, a, 2**49, 2**50) == pytest.approx(
        1 - x * float(special.k1(x)), rel=1e-12
    )


def test_tiny_laplace_failure_for_huge_domains() -> None:
    """Far out the same failure is e^-s (s + 1 - 2 gamma), up to a term of order s e^(-2 s)."""
    s = 34.0
    a = s + 2 * math.log(2**48)
    gamma = 0.5772156649015329
    assert failure_probability(NoiseKind.LAPLACE, 1, a, 2**49, 2**50) == pytest.approx(
        math.exp(-s) * (s + 1 - 2 * gamma), rel=1e-12
    )


@pytest.mark.parametrize("k", [1, 10, 4096, 4097, 10**6, 2**49])
@pytest.mark.parametrize("w", [1e-3, 0.5, 20.0])
def test_gumbel_failure_by_gamma_functions(k: int, w: float) -> None:
    """The Gumbel failure agrees with 1 - Gamma(k+1) Gamma(w+1) / Gamma(k+w+1)."""
    others = 2**40
    failure = failure_probability(NoiseKind.GUMBEL, 1, math.log(others / w), k, k + others)
    log_success = math.lgamma(w + 1) - log_rising_factorial(k, w)
    assert failure == pytest.approx(-math.expm1(log_success), rel=1e-8)


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (NoiseKind.GUMBEL, lambda h, top, eps: set_probability(float_weights(h, eps), top)),
        (NoiseKind.LAPLACE, laplace_set_probability),
    ],
)
@pytest.mark.parametrize("gap", [1, 3, 8])
def test_two_levels_attain_the_failure(kind: NoiseKind, law: Law, gap: int) -> None:
    """With two score values the top set is missed with the failure probability of their gap."""
    missed = 1 - law((gap, gap, 0, 0, 0), (Item(1), Item(2)), 0.5)
    assert failure_probability(kind, 0.5, gap, 2, 5) == pytest.approx(missed, rel=1e-10)


@given(KINDS, SIZES, st.data(), BETAS)
@settings(max_examples=15, deadline=None)
def test_quantile_inverts_failure(
    kind: NoiseKind, m: int, data: st.DataObject, beta: float
) -> None:
    """At the quantile the failure is beta, unless an error of 0 already has less."""
    k = data.draw(st.integers(1, m - 1))
    quantile = error_quantile(kind, 1, beta, k, m)
    failure = failure_probability(kind, 1, quantile, k, m)
    assert failure == pytest.approx(beta, rel=1e-11) or (quantile == 0 and failure < beta)


@given(KINDS, SIZES, st.data(), BETAS)
@settings(max_examples=30, deadline=None)
def test_bound_suffices(kind: NoiseKind, m: int, data: st.DataObject, beta: float) -> None:
    """At the closed bound the failure is at most beta."""
    k = data.draw(st.integers(1, m - 1))
    bound = error_bound(kind, 1, beta, k, m)
    assert failure_probability(kind, 1, bound, k, m) <= beta * (1 + 1e-13)


@given(KINDS, st.integers(2, 1000), st.data(), st.floats(0, 30), st.floats(0.01, 5))
@settings(max_examples=30, deadline=None)
def test_failure_falls_with_alpha(
    kind: NoiseKind, m: int, data: st.DataObject, alpha: float, more: float
) -> None:
    """A larger error is exceeded less often."""
    k = data.draw(st.integers(1, m - 1))
    assert failure_probability(kind, 1, alpha + more, k, m) < failure_probability(
        kind, 1, alpha, k, m
    ) or failure_probability(kind, 1, alpha, k, m) == pytest.approx(1)


@given(KINDS, st.floats(0.01, 100))
@settings(max_examples=10, deadline=None)
def test_errors_scale_with_epsilon(kind: NoiseKind, epsilon: float) -> None:
    """Noise of scale 1/epsilon errs 1/epsilon times as much as noise of scale 1."""
    assert error_quantile(kind, epsilon, 0.05, 3, 30) == pytest.approx(
        error_quantile(kind, 1, 0.05, 3, 30) / epsilon, rel=1e-12
    )


@pytest.mark.parametrize("kind", NoiseKind)
def test_selecting_everything_is_never_wrong(kind: NoiseKind) -> None:
    """With k = m the failure, the quantile and the bound are 0."""
    assert (
        failure_probability(kind, 1, 0, 5, 5),
        error_quantile(kind, 1, 0.1, 5, 5),
        error_bound(kind, 1, 0.1, 5, 5),
    ) == (0, 0, 0)


@pytest.mark.parametrize("kind", NoiseKind)
def test_an_error_beyond_doubles_has_probability_zero(kind: NoiseKind) -> None:
    """An alpha whose failure is below every double returns 0 at once."""
    assert failure_probability(kind, 1, 1e9, 10, 2**50) == 0


@pytest.mark.parametrize("k", [1, 2, 4096, 4097, 10**6])
def test_harmonic_numbers(k: int) -> None:
    """H_k agrees with the digamma function on both sides of the switch of method."""
    assert harmonic_number(k) == pytest.approx(
        float(special.digamma(k + 1)) + 0.5772156649015329, rel=1e-14
    )


def test_refuses_a_negative_alpha() -> None:
    """An error is at least 0."""
    with pytest.raises(SelectionError) as refused:
        failure_probability(NoiseKind.GUMBEL, 1, -1, 1, 2)
    assert refused.value.reason == Reason.ACCURACY_OUT_OF_RANGE
    assert str(refused.value) == "alpha must be at least 0 and finite, got -1"


@pytest.mark.parametrize("function", [error_quantile, error_bound])
def test_refuses_beta_one(function: Callable[..., float]) -> None:
    """A failure probability of 1 is refused."""
    with pytest.raises(SelectionError) as refused:
        function(NoiseKind.LAPLACE, 1, 1, 1, 2)
    assert refused.value.reason == Reason.PROBABILITY_OUT_OF_RANGE
    assert str(refused.value) == "beta must be strictly between 0 and 1, got 1"


@pytest.mark.parametrize("function", [failure_probability, error_quantile, error_bound])
def test_refuses_more_items_than_there_are(function: Callable[..., float]) -> None:
    """The number k of items is at most m."""
    with pytest.raises(SelectionError) as refused:
        function(NoiseKind.LAPLACE, 1, 0.5, 3, 2)
    assert refused.value.reason == Reason.K_OUT_OF_RANGE
    assert str(refused.value) == "k must be between 1 and m=2, got 3"


@pytest.mark.parametrize("function", [failure_probability, error_quantile, error_bound])
def test_refuses_a_noise_by_name(function: Callable[..., float]) -> None:
    """A kind of noise is a member of the enumeration, not its text."""
    with pytest.raises(SelectionError) as refused:
        function("gumbel", 1, 0.5, 1, 2)
    assert refused.value.reason == Reason.WRONG_TYPE
    assert str(refused.value) == "noise must be a NoiseKind, got 'gumbel'"
