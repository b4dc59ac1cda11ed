"""Facts about Laplace and Gumbel noise, in both tails, against scipy and exact decimals."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import (
    Gumbel,
    Laplace,
    Noise,
    NoiseKind,
    exponential,
    noise_of,
    sample,
)
from support import fits_cdf, refusal

EPSILONS = (0.01, 1.0, 3.5)
BOTH = (Gumbel, Laplace)
ALL: tuple[Noise, ...] = tuple(kind(epsilon) for kind in BOTH for epsilon in EPSILONS)
TINY_TO_LARGE = (*(10.0**n for n in range(-300, 0, 7)), 0.5, 0.69, 0.7, 1.0, 7.0, 700.0)
"""Levels: from far above every noise that occurs to the far lower tail."""
E_VALUES = st.floats(-690.0, 6.5).map(math.exp)
UNIFORMS = st.integers(0, 2**52 - 1).map(lambda n: (2 * n + 1) / 2**53)
NOISES = st.sampled_from(ALL)


def reference(noise: Noise) -> Any:
    """Return the distribution of scipy with the same scale."""
    if isinstance(noise, Gumbel):
        return stats.gumbel_r(scale=1 / float(noise.epsilon))
    assert isinstance(noise, Laplace)
    return stats.laplace(scale=1 / float(noise.epsilon))


def rate(noise: Noise) -> float:
    """Return epsilon."""
    assert isinstance(noise, Gumbel | Laplace)
    return float(noise.epsilon)


def exact_survival(kind: type, x: float) -> float:
    """Return P(epsilon Z > x) for x >= 0 from 800 digits."""
    with localcontext() as context:
        context.prec = 800
        tail = (-Decimal(x)).exp()
        return float(1 - (-tail).exp() if kind is Gumbel else tail / 2)


def exact_noise(kind: type, e: float) -> float:
    """Return epsilon Z for E = e from 400 digits."""
    with localcontext() as context:
        context.prec = 400
        exact = Decimal(e)
        if kind is Gumbel:
            return float(-exact.ln())
        below = (-exact).exp()
        return float((2 * below).ln() if 2 * below <= 1 else -(2 * (1 - below)).ln())


@pytest.mark.parametrize("noise", ALL)
def test_density_is_that_of_scipy(noise: Noise) -> None:
    """The density agrees with scipy to 12 digits from -6 to 40 scales."""
    points = [x / rate(noise) for x in (-6.0, -3.0, -0.5, 0.0, 0.5, 3.0, 20.0, 40.0)]
    assert [noise.density(z) for z in points] == pytest.approx(
        [float(reference(noise).pdf(z)) for z in points], rel=1e-12
    )


@pytest.mark.parametrize("noise", ALL)
def test_cdf_is_that_of_scipy(noise: Noise) -> None:
    """P(Z <= z) agrees with scipy to 12 digits, the lower tail included."""
    points = [x / rate(noise) for x in (-6.0, -3.0, -0.5, 0.0, 0.5, 3.0, 20.0)]
    assert [noise.cdf(z) for z in points] == pytest.approx(
        [float(reference(noise).cdf(z)) for z in points], rel=1e-12
    )


@pytest.mark.parametrize("noise", ALL)
def test_survival_is_that_of_scipy(noise: Noise) -> None:
    """P(Z > z) agrees with scipy to 12 digits."""
    points = [x / rate(noise) for x in (-6.0, -3.0, -0.5, 0.0, 0.5, 3.0, 20.0)]
    assert [noise.survival(z) for z in points] == pytest.approx(
        [float(reference(noise).sf(z)) for z in points], rel=1e-12
    )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("x", [0.0, 1.0, 10.0, 37.0, 38.0, 50.0, 300.0, 700.0])
def test_survival_keeps_all_digits_far_above(kind: type[Gumbel] | type[Laplace], x: float) -> None:
    """P(Z > z) has full relative accuracy at z = 50/epsilon and beyond, where 1 - F is 0."""
    assert kind(1).survival(x) == pytest.approx(exact_survival(kind, x), rel=4e-16)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_survival_depends_on_epsilon_z_only(
    kind: type[Gumbel] | type[Laplace], epsilon: float
) -> None:
    """At z = 50/epsilon the tail is the same for every epsilon, up to the rounding of z."""
    assert kind(epsilon).survival(50 / epsilon) == pytest.approx(
        exact_survival(kind, 50.0), rel=1e-14
    )


@pytest.mark.parametrize("noise", ALL)
@pytest.mark.parametrize("z", [-math.inf, -1e300, 1e300, math.inf])
def test_far_ends_are_certain(noise: Noise, z: float) -> None:
    """Far out, the probabilities are 0 and 1 and nothing overflows."""
    expected = (0.0, 1.0, 0.0) if z < 0 else (1.0, 0.0, 0.0)
    assert (noise.cdf(z), noise.survival(z), noise.density(z)) == expected


@pytest.mark.parametrize("noise", ALL)
def test_quantiles_are_those_of_scipy(noise: Noise) -> None:
    """The inverse from below agrees with scipy, the lower tail included."""
    probabilities = (1e-300, 1e-20, 0.01, 0.3, 0.49999, 0.6, 0.99)
    assert [rate(noise) * noise.quantile(u) for u in probabilities] == pytest.approx(
        [rate(noise) * float(reference(noise).ppf(u)) for u in probabilities], rel=1e-12, abs=1e-12
    )


@pytest.mark.parametrize("noise", ALL)
def test_upper_quantiles_are_those_of_scipy(noise: Noise) -> None:
    """The inverse from above agrees with scipy, the upper tail included."""
    probabilities = (1e-300, 1e-20, 0.01, 0.3, 0.5, 0.6, 0.99)
    assert [rate(noise) * noise.upper_quantile(q) for q in probabilities] == pytest.approx(
        [rate(noise) * float(reference(noise).isf(q)) for q in probabilities], rel=1e-12, abs=1e-12
    )


@pytest.mark.parametrize("noise", ALL)
@pytest.mark.parametrize("q", [1e-300, 1e-100, 1e-17, 0.25, 0.5, 0.75, 1 - 2**-53])
def test_upper_quantile_inverts_survival(noise: Noise, q: float) -> None:
    """From a tail probability to the noise and back keeps 12 digits, at 1e-300 too."""
    assert noise.survival(noise.upper_quantile(q)) == pytest.approx(q, rel=2e-13)


@pytest.mark.parametrize("noise", ALL)
@pytest.mark.parametrize("u", [1e-300, 1e-100, 1e-17, 0.25, 0.5, 0.75, 1 - 2**-53])
def test_quantile_inverts_the_cdf(noise: Noise, u: float) -> None:
    """From a probability to the noise and back keeps 12 digits, at 1e-300 too."""
    assert noise.cdf(noise.quantile(u)) == pytest.approx(u, rel=2e-13)


def test_median_of_laplace_is_zero() -> None:
    """Both inverses give 0."""
    assert (Laplace(2).quantile(0.5), Laplace(2).upper_quantile(0.5)) == (0.0, 0.0)


@given(UNIFORMS)
def test_laplace_is_symmetric(u: float) -> None:
    """The quantile from above is the quantile from below with the other sign."""
    assert Laplace(0.7).upper_quantile(u) == pytest.approx(-Laplace(0.7).quantile(u), rel=1e-15)


@given(NOISES, UNIFORMS)
def test_exact_uniforms_give_the_same_quantile(noise: Noise, u: float) -> None:
    """A fraction and the float of the same value give the same noise."""
    assert float(noise.quantile(Fraction(u))) == pytest.approx(noise.quantile(u), rel=1e-15)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("e", TINY_TO_LARGE)
def test_noise_of_an_exponential_keeps_all_digits(
    kind: type[Gumbel] | type[Laplace], e: float
) -> None:
    """From level 1e-300 to level 700 the noise is correct to the last digits."""
    assert kind(1).from_exponential(e) == pytest.approx(exact_noise(kind, e), rel=4e-15, abs=1e-16)


@given(NOISES, E_VALUES)
def test_exponential_round_trip(noise: Noise, e: float) -> None:
    """E to Z and back gives E, up to the rounding of a logarithm of up to 700."""
    assert noise.to_exponential(noise.from_exponential(e)) == pytest.approx(e, rel=4e-13)


@given(NOISES, st.floats(-5.0, 600.0))
def test_noise_round_trip(noise: Noise, x: float) -> None:
    """Z to E and back gives Z, from 5 scales below 0 to 600 above."""
    z = x / rate(noise)
    assert rate(noise) * noise.from_exponential(noise.to_exponential(z)) == pytest.approx(
        x, rel=1e-12, abs=1e-12
    )


@given(NOISES, E_VALUES, E_VALUES)
def test_larger_exponentials_are_smaller_noises(noise: Noise, first: float, second: float) -> None:
    """The largest noise has the smallest level."""
    low, high = sorted((first, second))
    assert noise.from_exponential(low) >= noise.from_exponential(high)


@given(NOISES, st.floats(-30.0, 700.0))
def test_exponential_is_minus_log_of_the_cdf(noise: Noise, x: float) -> None:
    """exp(-E) is P(Z <= z) and -expm1(-E) is P(Z > z)."""
    z = x / rate(noise)
    e = noise.to_exponential(z)
    assert (math.exp(-e), -math.expm1(-e)) == pytest.approx(
        (noise.cdf(z), noise.survival(z)), rel=1e-14
    )


@pytest.mark.parametrize("e", [1e300, 1e308, 1.7e308])
def test_gumbel_reaches_the_largest_exponentials(e: float) -> None:
    """A level is infinite only where it exceeds every double."""
    assert Gumbel(1).to_exponential(Gumbel(1).from_exponential(e)) == pytest.approx(e, rel=1e-12)


def test_gumbel_exponential_beyond_every_double_is_infinite() -> None:
    """Ten scales further down, the level is infinite and no error is raised."""
    assert Gumbel(1).to_exponential(-720.0) == math.inf


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", [2, Fraction(2), 2.0])
def test_epsilon_of_every_type_gives_the_same_noise(
    kind: type[Gumbel] | type[Laplace], epsilon: Number
) -> None:
    """An int, a fraction and a float of the same value give the same noise."""
    assert kind(epsilon).quantile(0.3) == kind(2.0).quantile(0.3)


def test_scale_is_one_over_epsilon() -> None:
    """Half the epsilon is twice the noise."""
    assert [kind(0.5).quantile(0.9) for kind in BOTH] == [
        pytest.approx(2 * kind(1).quantile(0.9), rel=1e-15) for kind in BOTH
    ]


@given(UNIFORMS)
def test_exponential_variable_is_minus_log(u: float) -> None:
    """A standard exponential variable is -log of one uniform."""
    assert exponential(tape_of(u)) == -math.log(u)


@given(NOISES, UNIFORMS)
def test_sample_is_the_quantile_of_one_uniform(noise: Noise, u: float) -> None:
    """One uniform is read, and the noise is its quantile."""
    tape = tape_of(u, 0.5)
    drawn = sample(noise, tape)
    assert drawn == pytest.approx(noise.quantile(u), rel=1e-13, abs=1e-13 / rate(noise))
    assert tape.uniform() == 0.5


@pytest.mark.parametrize("noise", ALL)
def test_extreme_uniforms_give_finite_noise(noise: Noise) -> None:
    """The smallest and the largest uniform of a seeded tape give finite noises."""
    drawn = [sample(noise, tape_of(u)) for u in (2**-53, 1 - 2**-53)]
    assert [math.isfinite(z) for z in drawn] == [True, True]


def test_kinds_name_the_noises() -> None:
    """The two kinds are the two distributions of the paper."""
    assert (noise_of(NoiseKind.GUMBEL, 0.5), noise_of(NoiseKind.LAPLACE, 0.5)) == (
        Gumbel(0.5),
        Laplace(0.5),
    )


@pytest.mark.parametrize("kind", ["gumbel", "gumble", None, 0])
def test_unknown_kinds_are_refused(kind: Any) -> None:
    """A kind is a member of the enumeration; a misspelt one does not become Laplace."""
    assert refusal(lambda: noise_of(kind, 1)) == (
        Reason.WRONG_TYPE,
        f"kind must be a NoiseKind, got {kind!r}",
    )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", [0, -1, 0.0, math.inf, -math.inf, Fraction(-1, 2)])
def test_scales_that_are_not_positive_are_refused(
    kind: type[Gumbel] | type[Laplace], epsilon: Number
) -> None:
    """Epsilon is positive and finite."""
    assert refusal(lambda: kind(epsilon)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"epsilon must be positive and finite, got {epsilon}",
    )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", [5e-324, Fraction(5, 10**324)], ids=["double", "fraction"])
def test_infinite_scales_are_refused(kind: type[Gumbel] | type[Laplace], epsilon: Number) -> None:
    """An epsilon so small that 1/epsilon is infinite would make every noise infinite."""
    assert refusal(lambda: kind(epsilon)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"the scale 1/epsilon must be positive and finite, got epsilon={epsilon}",
    )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("epsilon", "reason"),
    [(math.nan, Reason.NOT_A_NUMBER), (True, Reason.WRONG_TYPE), ("1", Reason.WRONG_TYPE)],
)
def test_scales_of_another_kind_are_refused(
    kind: type[Gumbel] | type[Laplace], epsilon: Any, reason: Reason
) -> None:
    """Epsilon is a number."""
    assert refusal(lambda: kind(epsilon)) == (reason, f"epsilon must be a number, got {epsilon!r}")


@pytest.mark.parametrize("noise", [Gumbel(1), Laplace(1)])
@pytest.mark.parametrize("p", [0, 1, 0.0, 1.0, -0.1, 1.1, math.inf])
def test_probabilities_outside_the_open_interval_are_refused(noise: Noise, p: float) -> None:
    """The quantiles of 0 and 1 would be infinite."""
    assert refusal(lambda: noise.quantile(p)) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        f"u must be strictly between 0 and 1, got {p}",
    )
    assert refusal(lambda: noise.upper_quantile(p)) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        f"q must be strictly between 0 and 1, got {p}",
    )


@pytest.mark.parametrize("noise", [Gumbel(1), Laplace(1)])
def test_nan_is_refused(noise: Noise) -> None:
    """NaN is not a probability."""
    assert refusal(lambda: noise.quantile(math.nan)) == (
        Reason.NOT_A_NUMBER,
        "u must be a number, got nan",
    )


def test_sampling_from_an_exhausted_tape_is_refused() -> None:
    """A noise needs a uniform."""
    expected = (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")
    assert refusal(lambda: sample(Gumbel(1), tape_of())) == expected


@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_samples_have_the_law(noise: Noise) -> None:
    """Samples from a seeded tape follow the distribution of scipy.

    Null hypothesis: F is that of scipy; Kolmogorov-Smirnov with n = 20,000, false alarms 1e-9;
    a law at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    tape = seeded_tape(5)
    assert fits_cdf([sample(noise, tape) for _ in range(20_000)], reference(noise).cdf)
