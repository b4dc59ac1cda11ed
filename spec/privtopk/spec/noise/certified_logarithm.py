"""A logarithm of IEEE doubles with a proved bound on its error.

The logarithm of a C library has no error bound that one could prove, and differs between
machines. This one uses only additions, multiplications and divisions, which IEEE 754 rounds
correctly: x = f 2^e with f between sqrt(1/2) and sqrt(2), s = (f - 1)/(f + 1), and

    log x = e log 2 + 2 s + 2 s q (1/3 + q/5 + q^2/7 + ... + q^8/19),   q = s^2.

`logarithm_error` and `level_error` return bounds on the relative error, computed in exact
rationals. The claim is that they are at most 2^-49 and 2^-48. An exact engine computes with
these functions first, and trusts them only up to these errors.

A level is E = -log(1 - V) for a uniform V. For a small V, rounding costs 1 - V its last digits
but not V, so `level` takes both.

Ours: ours:certified-logarithm.
"""

import math
from fractions import Fraction
from typing import Final

COEFFICIENTS: Final = tuple(1.0 / odd for odd in range(3, 21, 2))
"""1/3, 1/5, ..., 1/19: the series of the inverse hyperbolic tangent after its first term."""

LOG_2: Final = 0.6931471805599453
ROOT_HALF: Final = 0.7071067811865476
"""The doubles next to log 2 and to sqrt(1/2)."""

ROUNDING: Final = Fraction(1, 2**53)
"""The relative error of one operation."""

LOGARITHM_ERROR: Final = Fraction(1, 2**49)
LEVEL_ERROR: Final = Fraction(1, 2**48)
"""The proved bounds, relative to the true value."""

ARGUMENT_ERROR: Final = 3 * ROUNDING
"""The largest relative error of V and of 1 - V as given to `level`."""

LARGEST_RATIO: Final = Fraction(1717, 10_000)
"""A bound on |s|; (sqrt(2) - 1)/(sqrt(2) + 1) is 0.17157."""

LARGEST_EXCESS: Final = 1 + Fraction(1, 2**50)
"""|log f| is at most (log 2)/2 times this: ROOT_HALF is not quite sqrt(1/2)."""

LOG_2_LOW: Final = Fraction(6931471805599453094, 10**19)
LOG_2_HIGH: Final = Fraction(6931471805599453095, 10**19)
"""The true log 2 lies between them."""


def reduce_argument(x: float) -> tuple[float, int]:
    """Return f and e with x = f 2^e and ROOT_HALF <= f < 2 ROOT_HALF, for a positive x; exact."""
    fraction, exponent = math.frexp(x)
    return (fraction, exponent) if fraction >= ROOT_HALF else (2.0 * fraction, exponent - 1)


def from_ratio(numerator: float, denominator: float, exponent: int) -> float:
    """Return exponent log 2 + log((1 + s)/(1 - s)) for s = numerator/denominator."""
    s = numerator / denominator
    q = s * s
    series = COEFFICIENTS[-1]
    for coefficient in COEFFICIENTS[-2::-1]:
        series = series * q + coefficient
    twice = s + s
    return exponent * LOG_2 + (twice + twice * q * series)


def logarithm(x: float) -> float:
    """Return log x of a normal positive double."""
    f, exponent = reduce_argument(x)
    return from_ratio(f - 1.0, f + 1.0, exponent)


def level(v: float, complement: float) -> float:
    """Return -log(1 - V) from v close to V and a complement close to 1 - V, at least 2^-300."""
    f, exponent = reduce_argument(complement)
    return -from_ratio(-v if exponent == 0 else f - 1.0, f + 1.0, exponent)


def logarithm_error() -> Fraction:
    """Return a bound on the relative error of `logarithm`.

    f - 1 is exact (Sterbenz), f + 1 and the division are rounded, so s has two errors. With
    e = 0 that is all. Otherwise |log x| >= |e| log 2 - |log f|, and |log f| is at most about
    half of log 2: so |e| log 2 is at most about 2 |log x|, and |log f| about |log x|.

    Ours: ours:certified-logarithm.
    """
    fraction = ratio_error(_combined_error(ROUNDING, ROUNDING))
    whole = _combined_error(log_2_error(), ROUNDING)
    sum_of_both = (2 * whole + LARGEST_EXCESS * fraction) / (2 - LARGEST_EXCESS)
    return max(fraction, _combined_error(sum_of_both, ROUNDING))


def level_error() -> Fraction:
    """Return a bound on the relative error of `level`.

    With e = 0, the numerator carries the error of its argument, and the denominator half of
    that, because 1 - V is at most half of 2 - V. Otherwise the error of the complement moves
    a logarithm that is at least about (log 2)/2.

    Ours: ours:certified-logarithm.
    """
    denominator = _combined_error(ARGUMENT_ERROR / 2, ROUNDING)
    near = ratio_error(_combined_error(ARGUMENT_ERROR, denominator, ROUNDING))
    moved = ARGUMENT_ERROR / (1 - ARGUMENT_ERROR)
    smallest = LOG_2_LOW / 2 / LARGEST_EXCESS - moved
    return max(near, _combined_error(moved / smallest, logarithm_error()))


def ratio_error(error: Fraction) -> Fraction:
    """Return a bound on the relative error of 2 s + 2 s q P(q), given that of s.

    All terms have the sign of s, so the relative error of a sum is a weighted mean of those
    of its terms, and |log f| is at least 2 |s|. The weights of the smaller terms grow with q.
    """
    q = LARGEST_RATIO**2
    square = _combined_error(error, error, ROUNDING)
    series, value = ROUNDING, Fraction(1, 2 * len(COEFFICIENTS) + 1)
    for odd in range(2 * len(COEFFICIENTS) - 1, 1, -2):
        weight = value * q / (value * q + Fraction(1, odd))
        product = _combined_error(series, square, ROUNDING)
        series = _combined_error(weight * product + (1 - weight) * ROUNDING, ROUNDING)
        value = value * q + Fraction(1, odd)
    correction = _combined_error(error, square, series, ROUNDING, ROUNDING)
    return _combined_error(error + q * value * correction, ROUNDING) + truncation_error()


def truncation_error() -> Fraction:
    """Return a bound on the sum of the terms from q^10/21 on, relative to 2 s."""
    q = LARGEST_RATIO**2
    terms = len(COEFFICIENTS) + 1
    return q**terms / ((2 * terms + 1) * (1 - q))


def log_2_error() -> Fraction:
    """Return a bound on the relative error of LOG_2."""
    return max(abs(Fraction(LOG_2) / end - 1) for end in (LOG_2_LOW, LOG_2_HIGH))


def _combined_error(*errors: Fraction) -> Fraction:
    """Return a bound on the relative error of products and quotients of such factors.

    (1 + a)/(1 - b) - 1 = (a + b)/(1 - b) is the largest; (1 + a)(1 + b) - 1 is below it.
    """
    total = Fraction(0)
    for error in errors:
        total = (total + error) / (1 - error)
    return total
