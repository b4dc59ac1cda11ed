"""Facts about noise from bits: the computed value and its error contain the true noise."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.engines.exact.quantile import FEWEST, RADIUS, certified_noise, uniforms
from privtopk.spec.noise.distributions import NoiseKind, noise_of

LAST = 2**63 - 1
HALF = 2**62

kinds = pytest.mark.parametrize("kind", NoiseKind)
WORDS = st.one_of(
    st.integers(0, LAST),
    st.sampled_from([0, 1, HALF - 1, HALF, HALF + 1, LAST - 1, LAST]),
    st.integers(0, 62).map(lambda bits: 1 << bits),
    st.integers(0, 62).map(lambda bits: LAST - (1 << bits)),
)


def true_noise(kind: NoiseKind, v: Fraction) -> arb:
    """Return the noise that is exceeded with probability v."""
    chance = arb(fmpq(v.numerator, v.denominator))
    if kind is NoiseKind.GUMBEL:
        return -(-((-chance).log1p())).log()
    return -(2 * chance).log() if 2 * v < 1 else (2 * (1 - chance)).log()


def largest_distance(kind: NoiseKind, word: int, tail: int, value: float) -> arb:
    """Return the largest distance of a value from the noises at both ends of its interval."""
    ctx.prec = 400
    number = word << 63 | tail
    ends = [Fraction(number + one, 2**126) for one in (0, 1)]
    distances = [abs(true_noise(kind, v) - arb(value)) for v in ends if 0 < v < 1]
    ctx.prec = 53
    return max(distances, key=lambda ball: ball.mid())


def noise_and_radius(kind: NoiseKind, word: int, tail: int) -> tuple[float, float]:
    """Return the noise of two words and its radius."""
    noises, radii = certified_noise(kind).values(np.array([word]), np.array([tail]))
    return float(noises[0]), float(radii[0])


@given(st.sampled_from(NoiseKind), WORDS, WORDS)
def test_the_true_noise_is_within_the_radius(kind: NoiseKind, word: int, tail: int) -> None:
    """For all further bits, the noise lies within a fourth of the radius: 2^-48 is proved."""
    value, radius = noise_and_radius(kind, word, tail)
    assert largest_distance(kind, word, tail, value) <= arb(radius) / 4


@kinds
def test_radii_are_small(kind: NoiseKind) -> None:
    """The radius of a sure noise is 2^-46 (1 + |Z|)."""
    value, radius = noise_and_radius(kind, 2**40, 5)
    assert radius == RADIUS * (1 + abs(value)) == 2.0**-46 * (1 + abs(value))


@kinds
def test_values_are_quantiles(kind: NoiseKind) -> None:
    """The noise of V is the upper quantile of the specification, to 13 digits."""
    words = np.array([2**40, 2**60, HALF, HALF + 2**61, LAST - 2**50])
    noises, _ = certified_noise(kind).values(words, np.zeros(5, dtype=np.int64))
    expected = [noise_of(kind, 1).upper_quantile(word / 2**63) for word in words.tolist()]
    assert noises.tolist() == pytest.approx(expected, rel=1e-13)


@kinds
@pytest.mark.parametrize(
    ("word", "tail", "is_sure"),
    [
        (0, FEWEST - 1, False),
        (0, FEWEST, True),
        (1, 0, True),
        (LAST, LAST - FEWEST + 1, False),
        (LAST, LAST - FEWEST, True),
        (LAST - 1, LAST, True),
    ],
)
def test_too_few_digits_make_the_radius_infinite(
    kind: NoiseKind, word: int, tail: int, is_sure: bool
) -> None:
    """The radius is infinite if and only if V or 1 - V is below 2^-71."""
    assert (noise_and_radius(kind, word, tail)[1] < np.inf) is is_sure


def test_unsure_noises_do_not_touch_the_others() -> None:
    """An item with too few digits leaves its neighbours' noises as they are."""
    words, tails = np.array([5 * 2**50, 0, 3 * 2**60]), np.array([1, 1, 1])
    for kind in NoiseKind:
        noises, radii = certified_noise(kind).values(words, tails)
        alone = [noise_and_radius(kind, word, 1) for word in (5 * 2**50, 3 * 2**60)]
        assert [(noises[0], radii[0]), (noises[2], radii[2])] == alone
        assert radii[1] == np.inf


@given(WORDS, WORDS)
def test_uniforms_are_within_three_roundings(word: int, tail: int) -> None:
    """V and 1 - V have relative errors below 3 * 2^-53, for all further bits."""
    given_ = uniforms(np.array([word]), np.array([tail]))
    if given_.is_sure is not None and not given_.is_sure[0]:
        return
    for one in (0, 1):
        v = Fraction((word << 63 | tail) + one, 2**126)
        for value, true in ((given_.values[0], v), (given_.complements[0], 1 - v)):
            assert abs(Fraction(float(value)) - true) <= 3 * true / 2**53


@kinds
def test_larger_words_are_smaller_noises(kind: NoiseKind) -> None:
    """Noise falls as words rise, over the whole range."""
    words = np.arange(1, LAST, LAST // 10_000)
    noises, _ = certified_noise(kind).values(words, np.zeros(len(words), dtype=np.int64))
    assert (np.diff(noises) < 0).all()
