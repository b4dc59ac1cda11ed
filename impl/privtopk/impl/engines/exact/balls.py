"""What doubles cannot decide, in Arb: balls that are proved to contain the true number.

The package `python-flint` is needed. Its precision is one for all threads, and another thread may
change it at any time. That does no harm: a comparison of balls that says True is a proof whatever
the precision, bounds are rounded outwards, and where a double is made from a ball its accuracy
is looked at.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeAlias

from privtopk.impl.engines.exact.bits import WORD_BITS, WORDS
from privtopk.impl.extras import import_extra
from privtopk.spec.noise.distributions import NoiseKind

Ball: TypeAlias = Any
"""A number of the type `flint.arb`."""

GUARD_BITS: Final = 64
"""Bits of precision beyond those that are known of V."""

ACCURATE: Final = 60
"""Bits of a ball that are known when a double is made from it."""

FARTHEST: Final = 44.0
"""P(Z > 44) is below 2^-63 for both noises, because e^-44 is."""


@lru_cache(maxsize=1)
def flint() -> Any:
    """Return the package, or raise an error that names the extra that installs it."""
    return import_extra("flint", "exact")


def ball(value: Fraction) -> Ball:
    """Return a ball around an exact number, at the current precision."""
    return flint().arb(flint().fmpq(value.numerator, value.denominator))


def double_of(compute: Callable[[], Ball], bits: int) -> float:
    """Return a number as a double, with a relative error below 2^-51.

    It is computed at a precision of so many bits, and again if another thread has lowered that.
    """
    while True:
        with flint().ctx.workprec(bits):
            value = compute()
        if value.rel_accuracy_bits() >= ACCURATE:
            return float(value.mid())


def level_ball(v: Fraction) -> Ball:
    """Return -log(1 - v), infinite for v = 1."""
    return flint().arb.pos_inf() if v == 1 else -(-ball(v)).log1p()


def quantile_ball(kind: NoiseKind, v: Fraction) -> Ball:
    """Return the noise of scale 1 that is exceeded with probability v; infinite at 0 and 1."""
    if v == 0:
        return flint().arb.pos_inf()
    if v == 1:
        return flint().arb.neg_inf()
    if kind is NoiseKind.GUMBEL:
        return -level_ball(v).log()
    return -ball(2 * v).log() if 2 * v < 1 else ball(2 * (1 - v)).log()


def noise_interval(kind: NoiseKind, number: int, bits: int) -> tuple[Ball, Ball]:
    """Return balls around the least and the largest noise of a V with these leading bits."""
    unit = Fraction(1, 1 << bits)
    return quantile_ball(kind, (number + 1) * unit), quantile_ball(kind, number * unit)


def chance_above(kind: NoiseKind, noise: float) -> int:
    """Return a whole number c, not 0, with P(Z > noise) <= c/2^63, and no larger than needed.

    It may be larger by 1, or by the rounding of a high precision.
    """
    if noise >= FARTHEST:
        return 1
    if noise <= -FARTHEST:
        return WORDS
    with flint().ctx.workprec(WORD_BITS + GUARD_BITS):
        chance = _survival(kind, flint().arb(noise)) * WORDS
        return min(WORDS, ceiling(chance.upper()))


def _survival(kind: NoiseKind, noise: Ball) -> Ball:
    """Return P(Z > noise)."""
    if kind is NoiseKind.GUMBEL:
        return -(-((-noise).exp())).expm1()
    tail = (-abs(noise)).exp()
    return 1 - tail / 2 if noise < 0 else tail / 2


def ceiling(exact: Ball) -> int:
    """Return the least whole number that is not below a ball of radius 0."""
    mantissa, exponent = map(int, exact.man_exp())
    return mantissa << exponent if exponent >= 0 else -(-mantissa >> -exponent)
