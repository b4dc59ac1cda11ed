"""The certified logarithm of the specification for whole arrays, bit for bit the same.

Only operations that IEEE 754 rounds correctly touch a double; numpy's own logarithm is not
trusted, and no two ufuncs are ever contracted into one. Exponents are split off by integer
arithmetic on the words of the doubles.

The specification is `privtopk.spec.noise.certified_logarithm`: it has the proof of the errors.
"""

from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.spec.noise.certified_logarithm import COEFFICIENTS, LOG_2, ROOT_HALF

MANTISSA_BITS: Final = 52
ROOT_HALF_WORD: Final = int(np.float64(ROOT_HALF).view(np.int64))


def reduce_argument(x: Floats) -> tuple[Floats, Integers]:
    """Return f and e with x = f 2^e and ROOT_HALF <= f < 2 ROOT_HALF, for normal positive x."""
    words = x.view(np.int64)
    exponents = (words - ROOT_HALF_WORD) >> MANTISSA_BITS
    return (words - (exponents << MANTISSA_BITS)).view(np.float64), exponents


def from_ratios(numerators: Floats, denominators: Floats, exponents: Integers) -> Floats:
    """Return e log 2 + log((1 + s)/(1 - s)) for s = numerator/denominator."""
    s = numerators / denominators
    q = s * s
    series = q * COEFFICIENTS[-1]
    series += COEFFICIENTS[-2]
    for coefficient in COEFFICIENTS[-3::-1]:
        series *= q
        series += coefficient
    s += s
    q *= s
    q *= series
    q += s
    q += exponents * LOG_2
    return q


def logarithms(x: Floats) -> Floats:
    """Return log x of normal positive doubles."""
    f, exponents = reduce_argument(x)
    return from_ratios(f - 1.0, f + 1.0, exponents)


def levels(v: Floats, complements: Floats) -> Floats:
    """Return -log(1 - V) from doubles close to V and to 1 - V."""
    f, exponents = reduce_argument(complements)
    numerators = np.where(exponents == 0, -v, f - 1.0)
    return np.negative(from_ratios(numerators, f + 1.0, exponents))
