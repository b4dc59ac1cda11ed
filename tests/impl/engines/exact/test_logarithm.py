"""Facts about the certified logarithm for arrays: bit for bit that of the specification."""

import math
import sys

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from privtopk.impl.engines.exact.logarithm import levels, logarithms, reduce_argument
from privtopk.impl.randomness.generators import Floats
from privtopk.spec.noise import certified_logarithm as specified

LOGARITHM_ERROR = arb(fmpq(1, 2**49))


def normal_doubles(count: int, seed: int) -> Floats:
    """Return doubles with random words: every exponent, every mantissa."""
    generator = np.random.default_rng(seed)
    words = generator.integers(0x0010000000000000, 0x7FF0000000000000, size=count)
    return words.view(np.float64)


def adversarial_doubles() -> Floats:
    """Return the neighbours of 1, of sqrt(1/2) and its powers of two, and all powers of two."""
    points = [
        math.ldexp(base, e) for e in range(-1021, 1023) for base in (1.0, specified.ROOT_HALF)
    ]
    near_1 = [1 + sign * 2.0**-e for e in range(1, 53) for sign in (1, -0.5)]
    centres = np.array(points + near_1)
    neighbours = [centres, np.nextafter(centres, 0), np.nextafter(centres, np.inf)]
    joined = np.concatenate(neighbours)
    return joined[(joined >= sys.float_info.min) & (joined < np.inf)]


def worst_error(x: Floats) -> arb:
    """Return the largest relative error of the logarithms of numbers other than 1."""
    ctx.prec = 160
    worst = arb(0)
    for argument, value in zip(x.tolist(), logarithms(x).tolist(), strict=True):
        if argument != 1.0:
            true = arb(argument).log()
            error = abs(arb(value) / true - 1)
            worst = error if error.upper() > worst.upper() else worst
    ctx.prec = 53
    return worst


def test_arrays_agree_with_the_specification() -> None:
    """Logarithms and reductions are bit for bit the specified ones, over all exponents."""
    x = np.concatenate([normal_doubles(20_000, 1), adversarial_doubles()])
    assert logarithms(x).tolist() == [specified.logarithm(one) for one in x.tolist()]
    f, exponents = reduce_argument(x)
    pairs = list(zip(f.tolist(), exponents.tolist(), strict=True))
    assert pairs == [specified.reduce_argument(one) for one in x.tolist()]


def test_levels_agree_with_the_specification() -> None:
    """Levels are bit for bit the specified ones, from 2^-71 to the last double below 1."""
    generator = np.random.default_rng(1)
    v = np.concatenate([generator.random(5_000), 2.0 ** -generator.uniform(0.1, 71, size=5_000)])
    complements = np.concatenate([1 - v, 2.0 ** -generator.uniform(0.1, 71, size=5_000)])
    v = np.concatenate([v, 1 - complements[len(v) :]])
    expected = [
        specified.level(*pair) for pair in zip(v.tolist(), complements.tolist(), strict=True)
    ]
    assert levels(v, complements).tolist() == expected


def test_adversarial_arguments_keep_to_the_error() -> None:
    """Next to 1, to every power of two and to every cut, the error is below 2^-49."""
    assert worst_error(adversarial_doubles()) < LOGARITHM_ERROR


def test_random_arguments_keep_to_the_error() -> None:
    """For 5,000 doubles with random words the error is below 2^-49."""
    assert worst_error(normal_doubles(5_000, 2)) < LOGARITHM_ERROR


@pytest.mark.slow
@pytest.mark.heavy
def test_many_arguments_keep_to_the_error() -> None:
    """For half a million doubles between 1/4 and 4, and as many random words, it is below 2^-49."""
    generator = np.random.default_rng(3)
    assert worst_error(2 ** generator.uniform(-2, 2, size=500_000)) < LOGARITHM_ERROR
    assert worst_error(normal_doubles(500_000, 4)) < LOGARITHM_ERROR
