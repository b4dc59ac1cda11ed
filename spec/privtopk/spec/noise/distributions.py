"""Laplace and Gumbel noise, accurate in both tails.

Each distribution is written in three ways: by density and distribution function, by the
two inverses (from below and from above), and in E-space, where a noise value Z is
represented by its level E = -log F(Z). E is a standard exponential variable, and the largest
noise has the smallest level. Levels close to 0, where 1 - F would round to 0, keep all their
digits.

Paper:    def:noise, fact:inversion, fact:inversion-order-statistics.
Deviates: erratum:quantile (the inverse is inf {x : F(x) >= u} on (0, 1)),
          erratum:parameter-ranges (the scale 1/epsilon is positive and finite).
"""

import math
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_epsilon, require_member, require_probability
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Number

LARGEST_EXPONENT: Final = math.log(sys.float_info.max)
"""Above it, the exponential function exceeds every double."""


class NoiseKind(StrEnum):
    """The two distributions of the paper."""

    GUMBEL = "gumbel"
    LAPLACE = "laplace"


class Noise(Protocol):
    """A continuous distribution on the reals, with the maps between Z, U = F(Z) and E = -log U."""

    def density(self, z: float) -> float:
        """Return the density at z."""

    def cdf(self, z: float) -> float:
        """Return P(Z <= z)."""

    def survival(self, z: float) -> float:
        """Return P(Z > z), with full relative accuracy far above."""

    def quantile(self, u: float) -> float:
        """Return the z with P(Z <= z) = u.

        Paper:    fact:inversion, fact:inversion-order-statistics.
        Deviates: erratum:quantile.
        """

    def upper_quantile(self, q: float) -> float:
        """Return the z with P(Z > z) = q."""

    def from_exponential(self, e: float) -> float:
        """Return the noise of level e; it falls as e grows."""

    def to_exponential(self, z: float) -> float:
        """Return the level E = -log F(z)."""


def require_scale(epsilon: Number) -> Number:
    """Return epsilon if the scale 1/epsilon is positive and finite in doubles.

    Deviates: erratum:parameter-ranges.
    """
    rate = float(require_epsilon(epsilon))
    if 1 / rate == math.inf:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"the scale 1/epsilon must be positive and finite, got epsilon={epsilon}",
        )
    return epsilon


@dataclass(frozen=True, slots=True)
class Gumbel:
    """Gumbel noise of scale 1/epsilon: F(z) = exp(-exp(-epsilon z)).

    Paper: def:noise.
    """

    epsilon: Number

    def __post_init__(self) -> None:
        """Raise unless the scale is positive and finite."""
        require_scale(self.epsilon)

    def density(self, z: float) -> float:
        """Return epsilon exp(-(epsilon z + exp(-epsilon z)))."""
        e = self.to_exponential(z)
        return float(self.epsilon) * e * math.exp(-e) if e < math.inf else 0.0

    def cdf(self, z: float) -> float:
        """Return P(Z <= z)."""
        return math.exp(-self.to_exponential(z))

    def survival(self, z: float) -> float:
        """Return P(Z > z)."""
        return -math.expm1(-self.to_exponential(z))

    def quantile(self, u: float) -> float:
        """Return the z with P(Z <= z) = u."""
        require_probability("u", u)
        return self.from_exponential(-math.log(u))

    def upper_quantile(self, q: float) -> float:
        """Return the z with P(Z > z) = q."""
        require_probability("q", q)
        return self.from_exponential(-math.log1p(-q))

    def from_exponential(self, e: float) -> float:
        """Return -log(e) / epsilon."""
        return -math.log(e) / float(self.epsilon)

    def to_exponential(self, z: float) -> float:
        """Return exp(-epsilon z), infinite where that exceeds every double."""
        exponent = -float(self.epsilon) * z
        return math.exp(exponent) if exponent <= LARGEST_EXPONENT else math.inf


@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace noise of scale 1/epsilon: density epsilon/2 exp(-epsilon |z|).

    Paper: def:noise.
    """

    epsilon: Number

    def __post_init__(self) -> None:
        """Raise unless the scale is positive and finite."""
        require_scale(self.epsilon)

    def density(self, z: float) -> float:
        """Return epsilon/2 exp(-epsilon |z|)."""
        return float(self.epsilon) * math.exp(-float(self.epsilon) * abs(z)) / 2

    def _tail(self, z: float) -> float:
        """Return the mass beyond |z| on one side."""
        return math.exp(-float(self.epsilon) * abs(z)) / 2

    def cdf(self, z: float) -> float:
        """Return P(Z <= z)."""
        return self._tail(z) if z < 0 else 1 - self._tail(z)

    def survival(self, z: float) -> float:
        """Return P(Z > z)."""
        return 1 - self._tail(z) if z < 0 else self._tail(z)

    def quantile(self, u: float) -> float:
        """Return the z with P(Z <= z) = u."""
        require_probability("u", u)
        return math.log(2 * u) / float(self.epsilon) if u < 0.5 else self.upper_quantile(1 - u)

    def upper_quantile(self, q: float) -> float:
        """Return the z with P(Z > z) = q."""
        require_probability("q", q)
        return -self.quantile(q) if q < 0.5 else math.log1p(1 - 2 * q) / float(self.epsilon)

    def from_exponential(self, e: float) -> float:
        """Return (log 2 - e)/epsilon below the median, -log(2 (1 - exp(-e)))/epsilon above it."""
        if e >= math.log(2):
            return (math.log(2) - e) / float(self.epsilon)
        return -math.log(-2 * math.expm1(-e)) / float(self.epsilon)

    def to_exponential(self, z: float) -> float:
        """Return the level E = -log F(z)."""
        if z < 0:
            return math.log(2) - float(self.epsilon) * z
        return -math.log1p(-self._tail(z))


def noise_of(kind: NoiseKind, epsilon: Number) -> Gumbel | Laplace:
    """Return the named noise of scale 1/epsilon."""
    is_gumbel = require_member("kind", kind, NoiseKind) is NoiseKind.GUMBEL
    return Gumbel(epsilon) if is_gumbel else Laplace(epsilon)


def exponential(tape: Tape) -> float:
    """Return a standard exponential variable, -log of the next uniform."""
    return -math.log(tape.uniform())


def sample(noise: Noise, tape: Tape) -> float:
    """Return one noise value, from one uniform."""
    return noise.from_exponential(exponential(tape))
