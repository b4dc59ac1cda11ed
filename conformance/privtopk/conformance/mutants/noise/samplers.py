"""Noise samplers with a wrong law, dependent values, or too few bits."""

import functools
import math
import random
from collections.abc import Callable
from typing import Final

import numpy as np

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import (
    Level,
    NoiseSampler,
    coins_of,
    inverse_transform,
    noise_at_level,
)
from privtopk.spec.noise.distributions import NoiseKind


@NoiseSampler
def gaussian_values(noise: NoiseKind, level: Level) -> float:
    """Values are Gaussian, with the mean and variance of the noise."""
    mean = float(np.euler_gamma) if noise is NoiseKind.GUMBEL else 0.0
    deviation = math.pi / math.sqrt(6) if noise is NoiseKind.GUMBEL else math.sqrt(2)
    return mean + deviation * math.sqrt(2 * level()) * math.cos(2 * math.pi * math.exp(-level()))


@NoiseSampler
def logistic_values(noise: NoiseKind, level: Level) -> float:
    """Values are logistic: the difference of two Gumbel noises."""
    return math.log(level()) - math.log(level())


@NoiseSampler
def exponential_values(noise: NoiseKind, level: Level) -> float:
    """Values are exponential, never below 0."""
    return level()


@NoiseSampler
def gumbel_of_minima_values(noise: NoiseKind, level: Level) -> float:
    """Gumbel values are log E instead of -log E."""
    return math.log(level()) if noise is NoiseKind.GUMBEL else noise_at_level(noise, level())


@NoiseSampler
def centred_gumbel_values(noise: NoiseKind, level: Level) -> float:
    """Gumbel values are shifted to mean 0."""
    shift = float(np.euler_gamma) if noise is NoiseKind.GUMBEL else 0.0
    return noise_at_level(noise, level()) - shift


@NoiseSampler
def laplace_upper_half_values(noise: NoiseKind, level: Level) -> float:
    """Laplace values have lost their sign."""
    value = noise_at_level(noise, level())
    return abs(value) if noise is NoiseKind.LAPLACE else value


@NoiseSampler
def laplace_halved_tail_values(noise: NoiseKind, level: Level) -> float:
    """Laplace values above the median have half the scale."""
    value = noise_at_level(noise, level())
    return value / 2 if noise is NoiseKind.LAPLACE and value > 0 else value


@NoiseSampler
def laplace_with_zeros_values(noise: NoiseKind, level: Level) -> float:
    """One Laplace value in a hundred is exactly 0."""
    value = noise_at_level(noise, level())
    return 0.0 if noise is NoiseKind.LAPLACE and level() < 0.01 else value


@NoiseSampler
def doubled_values(noise: NoiseKind, level: Level) -> float:
    """Values have twice their scale."""
    return 2 * noise_at_level(noise, level())


@NoiseSampler
def five_percent_values(noise: NoiseKind, level: Level) -> float:
    """The scale of the values is five per cent too small."""
    return noise_at_level(noise, level()) / 1.05


@NoiseSampler
def base_two_values(noise: NoiseKind, level: Level) -> float:
    """The outer logarithm of a Gumbel value is taken to base 2."""
    return -math.log2(level()) if noise is NoiseKind.GUMBEL else noise_at_level(noise, level())


@NoiseSampler
def values_cut_at_ten_scales(noise: NoiseKind, level: Level) -> float:
    """Values beyond ten scales are drawn again."""
    while abs(value := noise_at_level(noise, level())) > 10:
        pass
    return value


@NoiseSampler
def values_cut_at_three_scales(noise: NoiseKind, level: Level) -> float:
    """Values beyond three scales are set to three scales."""
    return max(-3.0, min(3.0, noise_at_level(noise, level())))


@NoiseSampler
def float32_values(noise: NoiseKind, level: Level) -> float:
    """Values have the 24 bits of single precision."""
    return float(np.float32(noise_at_level(noise, level())))


@NoiseSampler
def grid_values(noise: NoiseKind, level: Level) -> float:
    """Values are multiples of a thousandth of the scale."""
    return math.floor(1000 * noise_at_level(noise, level())) / 1000


@NoiseSampler
def sixteen_bit_values(noise: NoiseKind, level: Level) -> float:
    """Values are made from uniforms of 16 bits."""
    u = (math.floor(math.exp(-level()) * 2**16) + 0.5) / 2**16
    return noise_at_level(noise, -math.log(u))


@NoiseSampler
def coin_values(noise: NoiseKind, level: Level) -> float:
    """The uniform behind a value is drawn from {0, 1}, as printed: every value is infinite."""
    return math.inf if level() < math.log(2) else -math.inf


@NoiseSampler
def sometimes_infinite_values(noise: NoiseKind, level: Level) -> float:
    """A uniform of 12 bits may be 0, whose quantile is minus infinity."""
    u = math.floor(math.exp(-level()) * 2**12) / 2**12
    return noise_at_level(noise, -math.log(u)) if u else -math.inf


class BatchSampler(NoiseSampler):
    """A sampler that spoils a whole batch of right values."""

    def __init__(self, spoil: Callable[[list[float], float, NoiseKind], list[float]]) -> None:
        """Take the function of the values, the rate and the noise."""
        functools.update_wrapper(self, spoil)
        self._spoil = spoil

    def __call__(self, rate: float, noise: str, n: int) -> list[float]:
        """Return spoiled values."""
        return self._spoil(inverse_transform(rate, noise, n), rate, NoiseKind(noise))


@BatchSampler
def rate_for_scale_values(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """Values are multiplied by the rate instead of divided by it."""
    return [value * rate * rate for value in values]


@BatchSampler
def second_half_repeated(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """The second half of a batch repeats the first."""
    half = (len(values) + 1) // 2
    return (values[:half] * 2)[: len(values)]


@BatchSampler
def sorted_batch(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """A batch is sorted."""
    return sorted(values)


@BatchSampler
def centred_batch(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """The mean of a batch is subtracted from it, so its values are dependent."""
    mean = sum(values) / max(1, len(values))
    return [value - mean for value in values]


@BatchSampler
def neighbours_alike(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """Every fifth value repeats the one before it."""
    return [values[i - 1] if i % 5 == 4 else value for i, value in enumerate(values)]


@BatchSampler
def one_value_too_few(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """A batch has one value too few."""
    return values[:-1]


@BatchSampler
def seeded_batch(values: list[float], rate: float, noise: NoiseKind) -> list[float]:
    """Every batch starts from the same seed."""
    uniform = coins_of(random.Random(2024))
    return [noise_at_level(noise, -math.log(uniform())) / rate for _ in values]


MUTANTS: Final = (
    mutant(gaussian_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(logistic_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(exponential_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(gumbel_of_minima_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(centred_gumbel_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(laplace_upper_half_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(laplace_halved_tail_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(laplace_with_zeros_values, PRIVACY_BUG, "noise-sampler.representation"),
    mutant(doubled_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(five_percent_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(base_two_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(values_cut_at_ten_scales, PRIVACY_BUG, "noise-sampler.law"),
    mutant(values_cut_at_three_scales, PRIVACY_BUG, "noise-sampler.law"),
    mutant(float32_values, PRIVACY_BUG, "noise-sampler.representation"),
    mutant(grid_values, PRIVACY_BUG, "noise-sampler.representation"),
    mutant(sixteen_bit_values, PRIVACY_BUG, "noise-sampler.representation"),
    mutant(coin_values, erratum(31), "noise-sampler.law"),
    mutant(sometimes_infinite_values, erratum(26), "noise-sampler.law"),
    mutant(rate_for_scale_values, USUAL_SLIP, "noise-sampler.law"),
    mutant(second_half_repeated, PRIVACY_BUG, "noise-sampler.independence"),
    mutant(sorted_batch, USUAL_SLIP, "noise-sampler.independence"),
    mutant(centred_batch, USUAL_SLIP, "noise-sampler.law"),
    mutant(neighbours_alike, PRIVACY_BUG, "noise-sampler.independence"),
    mutant(one_value_too_few, USUAL_SLIP, "noise-sampler.shape"),
    mutant(seeded_batch, PRIVACY_BUG, "noise-sampler.independence"),
)
