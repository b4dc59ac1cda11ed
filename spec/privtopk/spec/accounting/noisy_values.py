"""Theorem N: the loss of a ranked list together with its noisy values.

Let a value v fall from infinity; item i arrives at v = h[i] + Z_i. If it has not arrived above v,
it arrives at v with the rate f/F at v - h[i], where f and F are the density and the distribution
function of the noise: the *reversed hazard rate*. Suppose that over a distance of D the logarithm
of this rate changes by at most c, and let G = e^c - 1 be the *growth* of the rates. If no score
moves by more than D, the k items that arrive first, in order and with their values, satisfy

    ln E[e^(a L)] <= -a k c - k ln(1 - a G)  for 0 < a < 1/G,

which is the moment of k variables Exp(1) against Exp(e^c). So they are (epsilon, delta)-private
with

    epsilon = k (G (1 + z) - c),  k (z - ln(1 + z)) = ln(1/delta),

and every larger z is valid, too. Under Gumbel(1/epsilon) noise G = e^(epsilon D) - 1, and under
Laplace(1/epsilon) noise G = 2 (e^(epsilon D) - 1). D is 1 under swap and l-infinity. If only the
items are released, all scores may move by the same constant, so that D is 1/2 under add/remove.
All numbers are rounded up, as `rounding` says.

Paper:    fact:laplace-approximate.
Deviates: erratum:laplace-hypothesis (0 < delta <= 0.05, natural logarithm).
Ours:     ours:noisy-values.
"""

import math
from fractions import Fraction
from typing import Final

from privtopk.spec.accounting.conversion import log_inverse
from privtopk.spec.accounting.rounding import (
    float_at_least,
    float_at_most,
    lowered_until,
    raised_until,
    round_down,
    round_up,
)
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import (
    require_at_least,
    require_delta,
    require_epsilon,
    require_k,
    require_member,
    require_size,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import LARGEST_EXPONENT, NoiseKind

SERIES_LIMIT: Final = 0.1
SERIES_TERMS: Final = 18
"""Up to this argument z - ln(1 + z) is the sum of this many terms of its series."""

ERROR: Final = 96
"""A bound on the error of z - ln(1 + z), in units as in `rounding`.

The worst case is next to the limit of the series, where 0.0047 is what remains of 0.1 and 0.095.
"""

NEWTON_STEPS: Final = 60
"""More than the iterations need: each at least halves the distance to the root."""

LARGEST_PRINTED_DELTA: Final = 0.05
LARGEST_PRINTED_EPSILON: Final = 0.2
"""The hypotheses of the paper's approximate Laplace bound."""


def distance_of(relation: Relation) -> Fraction:
    """Return D, by how much a score moves, up to a constant for all scores."""
    one_sided = require_member("relation", relation, Relation) is Relation.ADD_REMOVE
    return Fraction(1, 2) if one_sided else Fraction(1)


def growth_of_rates(noise: NoiseKind, epsilon: Number, distance: Number) -> float:
    """Return G for noise of scale 1/epsilon, rounded up; it is infinite beyond all doubles.

    Ours: ours:noisy-values.
    """
    exponent = float_at_least(Fraction(require_epsilon(epsilon)) * Fraction(distance))
    if exponent >= LARGEST_EXPONENT - 1:
        return math.inf
    return round_up(_sides_of(noise) * math.expm1(exponent), 5)


def noisy_values_composition(growth: Number, k: int, delta: Number) -> float:
    """Return the epsilon of a ranked list of k items with their noisy values, rounded up.

    Ours: ours:noisy-values.
    """
    steps = require_at_least("k", k, 1)
    if growth == math.inf:
        return math.inf
    rise = float_at_least(require_epsilon(growth, "growth"))
    curve = round_up(log_defect(rise), ERROR)
    return round_up(steps * (curve + rise * stretch_of(steps, delta)), 3)


def largest_rate(
    noise: NoiseKind, total_epsilon: Number, k: int, distance: Number, delta: Number
) -> float:
    """Return the largest epsilon of the noise, or little less, that keeps to the total; maybe 0.

    With q = total/k the Newton iteration falls to the root of G - ln(1 + G) + G z = q, because the
    left side is convex. It starts at q/z, which is above the root.
    """
    total, z = float_at_most(require_epsilon(total_epsilon)), stretch_of(k, delta)
    share = total / k
    growth = share / z
    for _ in range(NEWTON_STEPS):
        slope = growth / (1 + growth) + z
        lower = growth - (log_defect(growth) + growth * z - share) / slope
        if not 0 < lower < growth:
            break
        growth = lower
    rate = math.log1p(growth / _sides_of(noise)) / float(distance)

    def is_within(epsilon: float) -> bool:
        """Return whether noise of scale 1/epsilon keeps to the total."""
        return (
            noisy_values_composition(growth_of_rates(noise, epsilon, distance), k, delta) <= total
        )

    return lowered_until(is_within, rate)


def stretch_of(k: int, delta: Number) -> float:
    """Return the z with k (z - ln(1 + z)) = ln(1/delta), rounded up; infinite for delta = 0.

    The Newton iteration falls to the root, because z - ln(1 + z) is convex. It starts above the
    root: with s = sqrt(2 ln(1/delta) / k), ln(1 + s + s^2/2) is at most s.
    """
    share = round_up(log_inverse(delta) / require_at_least("k", k, 1), 1)
    if share == math.inf:
        return math.inf
    z = math.sqrt(2 * share) + share
    for _ in range(NEWTON_STEPS):
        lower = z - (log_defect(z) - share) * (1 + 1 / z)
        if not lower < z:
            break
        z = lower
    return raised_until(lambda higher: round_down(log_defect(higher), ERROR) >= share, z)


def log_defect(z: float) -> float:
    """Return z - ln(1 + z) for z >= 0, with an error of at most `ERROR` units."""
    if z > SERIES_LIMIT:
        return z - math.log1p(z)
    inner = 0.0
    for n in range(SERIES_TERMS + 1, 1, -1):
        inner = 1 / n - z * inner
    return z * z * inner


def printed_laplace_composition(epsilon: Number, k: int, m: int, delta: Number) -> float | None:
    """Return 8 epsilon sqrt(k ln(m/delta)), rounded up, or None where its hypotheses fail.

    It holds for l-infinity neighbours, and so for the other relations. It is never below both
    k times 2 epsilon and the bound of Theorem N, so no guarantee uses it.

    Paper:    fact:laplace-approximate.
    Deviates: erratum:laplace-hypothesis.
    """
    scale = float_at_least(require_epsilon(epsilon))
    count = require_k(k, require_size(m))
    allowed = float_at_most(require_delta(delta))
    if m < 2 or not 0 < allowed <= LARGEST_PRINTED_DELTA:
        return None
    value = round_up(8 * scale * math.sqrt(count * (math.log(m) - math.log(allowed))), 10)
    return value if value <= LARGEST_PRINTED_EPSILON else None


def _sides_of(noise: NoiseKind) -> int:
    """Return 2 for Laplace noise, whose rate is constant on one side, and else 1."""
    return 2 if require_member("noise", noise, NoiseKind) is NoiseKind.LAPLACE else 1
