"""Both noises in E-space, for whole arrays.

A noise value Z is represented by its level E = -log F(Z), a standard exponential variable; a small
level is a large noise. Values are in units of the noise scale: the functions return epsilon Z. They
agree with the specification's `noise` module at epsilon = 1.
"""

import math
from typing import Final, Protocol

import numpy as np

from privtopk.impl.randomness.generators import Floats
from privtopk.spec.noise.distributions import LARGEST_EXPONENT, NoiseKind

LOG_2: Final = math.log(2)


class StandardNoise(Protocol):
    """A noise of scale 1 in E-space."""

    @property
    def kind(self) -> NoiseKind:
        """Gumbel or Laplace."""

    def values(self, levels: Floats) -> Floats:
        """Return the noises at these E-levels."""

    def value(self, level: float) -> float:
        """Return the noise at one E-level."""

    def level(self, value: float) -> float:
        """Return the E-level of a noise; infinity for one too small for doubles."""


class StandardGumbel:
    """Z = -log E."""

    kind = NoiseKind.GUMBEL

    def values(self, levels: Floats) -> Floats:
        """Return the noises at these E-levels."""
        return -np.log(levels)

    def value(self, level: float) -> float:
        """Return the noise at one E-level."""
        return -math.log(level) if level < math.inf else -math.inf

    def level(self, value: float) -> float:
        """Return the E-level of a noise; infinity for one too small for doubles."""
        return math.exp(-value) if -value <= LARGEST_EXPONENT else math.inf


class StandardLaplace:
    """Z = log 2 - E below the median, -log(2 (1 - e^-E)) above it."""

    kind = NoiseKind.LAPLACE

    def values(self, levels: Floats) -> Floats:
        """Return the noises at these E-levels."""
        upper = levels < LOG_2
        noises = LOG_2 - levels
        noises[upper] = -np.log(-2.0 * np.expm1(-levels[upper]))
        return noises

    def value(self, level: float) -> float:
        """Return the noise at one E-level."""
        return LOG_2 - level if level >= LOG_2 else -math.log(-2 * math.expm1(-level))

    def level(self, value: float) -> float:
        """Return the E-level of a noise; infinity for one too small for doubles."""
        return LOG_2 - value if value < 0 else -math.log1p(-math.exp(-value) / 2)


def standard_noise(kind: NoiseKind) -> StandardNoise:
    """Return the noise of this kind with scale 1."""
    return StandardGumbel() if kind is NoiseKind.GUMBEL else StandardLaplace()
