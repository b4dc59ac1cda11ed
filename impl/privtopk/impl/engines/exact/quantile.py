"""Both noises from two words of bits, with the error of what is computed.

Two words are 126 bits: V lies between N/2^126 and (N + 1)/2^126. The noise of scale 1 is the
upper quantile of V, so that a small V is a large noise:

    Gumbel:   Z = -log E with E = -log(1 - V);
    Laplace:  Z = -log(2V) where V < 1/2, and log(2(1 - V)) elsewhere.

What is computed lies within `RADIUS` (1 + |Z|) of the quantile of *every* V with these bits.
That is proved up to a fourth of it, on the page docs/explanation/exact.md. Where V or 1 - V
is below 2^-71 the bits are too few: the value is 0 there and its radius infinite,
until the refinement.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from privtopk.impl.engines.exact.bits import WORD_BITS, WORDS
from privtopk.impl.engines.exact.logarithm import levels, logarithms
from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.impl.scores.membership import Booleans
from privtopk.spec.noise.distributions import NoiseKind

RADIUS: Final = 2.0**-46
"""The error of a noise, in units of 1 + |Z|; 2^-48 is proved."""

LEVEL_RADIUS: Final = 2.0**-46
"""The error of a level E, relative to it; 2^-48 is proved."""

HALF: Final = WORDS // 2
"""The first word from which on V is at least 1/2."""

LAST: Final = WORDS - 1
SCALE: Final = 2.0**-WORD_BITS
FEWEST: Final = 1 << 55
"""Smaller numbers of 126 bits have too few digits: the next bit would move them by 2^-55."""


@dataclass(frozen=True, slots=True)
class Uniforms:
    """Words of bits, doubles close to V and to 1 - V, and which of these are accurate."""

    words: Integers
    tails: Integers
    values: Floats
    complements: Floats

    is_sure: Booleans | None
    """Whether V and 1 - V both have enough digits, None if all have; the others stand at 1/2."""


def uniforms(words: Integers, tails: Integers) -> Uniforms:
    """Return V and 1 - V for first and second words, each with an error of 3 2^-53 at most.

    The conversions and the sum are rounded, the scaling is exact, and what further bits may
    add is at most 2^-55 of the whole.
    """
    usable, is_sure = words, None
    if len(words) and not (words.min() > 0 and words.max() < LAST):
        is_sure = ((words > 0) | (tails >= FEWEST)) & ((words < LAST) | (tails <= LAST - FEWEST))
        usable = np.where(is_sure, words, HALF)
    values = (usable + tails * SCALE) * SCALE
    complements = ((LAST - usable) + (LAST - tails) * SCALE) * SCALE
    return Uniforms(words, tails, values, complements, is_sure)


class CertifiedNoise(Protocol):
    """A noise of scale 1 as a function of bits."""

    @property
    def kind(self) -> NoiseKind:
        """Which of the two it is."""

    def values(self, words: Integers, tails: Integers) -> tuple[Floats, Floats]:
        """Return noises and the radii of their errors."""


class CertifiedGumbel:
    """Z = -log(-log(1 - V))."""

    kind = NoiseKind.GUMBEL

    def values(self, words: Integers, tails: Integers) -> tuple[Floats, Floats]:
        """Return noises and the radii of their errors."""
        given = uniforms(words, tails)
        noises = np.negative(logarithms(levels(given.values, given.complements)))
        return with_radii(noises, given.is_sure)


class CertifiedLaplace:
    """Z = -log(2V) above the median, log(2(1 - V)) below it."""

    kind = NoiseKind.LAPLACE

    def values(self, words: Integers, tails: Integers) -> tuple[Floats, Floats]:
        """Return noises and the radii of their errors."""
        given = uniforms(words, tails)
        is_upper = words < HALF
        magnitudes = logarithms(2.0 * np.where(is_upper, given.values, given.complements))
        return with_radii(np.where(is_upper, -magnitudes, magnitudes), given.is_sure)


def with_radii(noises: Floats, is_sure: Booleans | None) -> tuple[Floats, Floats]:
    """Return noises with their radii, infinite where nothing is known."""
    radii = RADIUS * (1.0 + np.abs(noises))
    if is_sure is not None:
        radii[~is_sure] = np.inf
    return noises, radii


def certified_noise(kind: NoiseKind) -> CertifiedNoise:
    """Return the certified noise of a kind."""
    return CertifiedGumbel() if kind is NoiseKind.GUMBEL else CertifiedLaplace()
