"""Facts about the two noises in E-space: they are the specification's, for whole arrays."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.noise.distributions import (
    StandardGumbel,
    StandardLaplace,
    StandardNoise,
    standard_noise,
)
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise, NoiseKind

PAIRS: tuple[tuple[StandardNoise, Noise], ...] = (
    (StandardGumbel(), Gumbel(1)),
    (StandardLaplace(), Laplace(1)),
)
LEVELS = st.floats(1e-300, 700.0)
WHOLE_RANGE = np.concatenate([np.geomspace(1e-300, 700.0, 4001), [math.log(2)]])

pairs = pytest.mark.parametrize(("noise", "specified"), PAIRS)


@pairs
def test_values_agree_with_the_specification(noise: StandardNoise, specified: Noise) -> None:
    """A whole array of levels has the specified noises, to 1e-14, from E = 1e-300 to 700."""
    expected = [specified.from_exponential(level) for level in WHOLE_RANGE.tolist()]
    np.testing.assert_allclose(noise.values(WHOLE_RANGE), expected, rtol=1e-14, atol=1e-15)


@pairs
@given(level=LEVELS)
def test_one_value_agrees_with_the_specification(
    noise: StandardNoise, specified: Noise, level: float
) -> None:
    """One level has the specified noise."""
    assert noise.value(level) == specified.from_exponential(level)


@pairs
@given(value=st.floats(-709.0, 700.0))
def test_a_level_agrees_with_the_specification(
    noise: StandardNoise, specified: Noise, value: float
) -> None:
    """One noise has the specified level."""
    assert noise.level(value) == specified.to_exponential(value)


@pairs
@given(level=LEVELS)
def test_level_inverts_value(noise: StandardNoise, specified: Noise, level: float) -> None:
    """The level of a noise is found again to a relative 1e-12: log and exp lose digits."""
    assert noise.level(noise.value(level)) == pytest.approx(level, rel=1e-12)


@pairs
def test_values_decrease(noise: StandardNoise, specified: Noise) -> None:
    """A larger level is a smaller noise."""
    assert bool(np.all(np.diff(noise.values(np.geomspace(1e-300, 700.0, 4001))) < 0))


@pairs
def test_levels_are_left_alone(noise: StandardNoise, specified: Noise) -> None:
    """Turning levels into noises does not change the levels."""
    levels = np.array([0.1, 1.0, 10.0])
    noise.values(levels)
    assert levels.tolist() == [0.1, 1.0, 10.0]


@pairs
def test_the_lowest_noise(noise: StandardNoise, specified: Noise) -> None:
    """The level infinity is the noise minus infinity, and the reverse."""
    assert (noise.value(math.inf), noise.level(-math.inf)) == (-math.inf, math.inf)


@pytest.mark.parametrize("value", [746.0, 1e300, math.inf])
@pairs
def test_a_noise_beyond_all_levels(noise: StandardNoise, specified: Noise, value: float) -> None:
    """A noise too large for any positive double level has the level 0."""
    assert noise.level(value) == 0


def test_gumbel_far_below() -> None:
    """A Gumbel noise whose level exceeds every double has the level infinity."""
    assert StandardGumbel().level(-710.0) == math.inf


@pytest.mark.parametrize("kind", NoiseKind)
def test_standard_noise_is_of_its_kind(kind: NoiseKind) -> None:
    """The noise of a kind has this kind."""
    assert standard_noise(kind).kind is kind
