"""Laws of noisy scores by integrals in Arb balls, straight from the density of the noise.

A value v falls from infinity, and an item arrives at its noisy score. Between two places where a
density has a corner, its logarithm and that of the distribution function are analytic, so every
integral is a ball that contains the true value. What lies beyond the ends is added to its radius.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import TypeAlias

from flint import acb, arb

from privtopk.spec.model.values import Item

LogFunction: TypeAlias = Callable[[acb, bool], acb]
"""A logarithm; the flag asks for a result that is not finite where it is not analytic."""

UPWARDS = 62
"""How far above the scores the integrals go, in units of 1/epsilon."""

BEYOND = arb(0, arb(-50).exp())
"""More than what lies beyond the ends."""


@dataclass(frozen=True, slots=True)
class AnalyticNoise:
    """Noise of scale 1/epsilon as pieces that are analytic."""

    epsilon: arb
    downwards: int
    """How far below the scores the integrals go, in units of 1/epsilon."""

    log_density: Callable[[arb], LogFunction]
    log_cdf: Callable[[arb], LogFunction]
    """Given a place that is no corner, the function that holds around it."""


def gumbel_noise(epsilon: arb) -> AnalyticNoise:
    """Return Gumbel(1/epsilon) noise, which has no corner."""
    return AnalyticNoise(
        epsilon,
        downwards=5,
        log_density=lambda _: lambda z, _: epsilon.log() - epsilon * z - (-epsilon * z).exp(),
        log_cdf=lambda _: lambda z, _: -(-epsilon * z).exp(),
    )


def laplace_noise(epsilon: arb) -> AnalyticNoise:
    """Return Laplace(1/epsilon) noise, which has a corner at 0."""

    def log_density(place: arb) -> LogFunction:
        slope = epsilon if place < 0 else -epsilon
        return lambda z, _: (epsilon / 2).log() + slope * z

    def log_cdf(place: arb) -> LogFunction:
        if place < 0:
            return lambda z, _: epsilon * z - arb(2).log()
        return lambda z, is_checked: (1 - (-epsilon * z).exp() / 2).log(analytic=is_checked)

    return AnalyticNoise(epsilon, UPWARDS, log_density, log_cdf)


def arrival_moment(
    noise: AnalyticNoise, scores: Sequence[int], other_scores: Sequence[int], order: arb
) -> arb:
    """Return E_P[(P/Q)^order] of the best item with its noisy score."""

    def integrand(v: acb, is_checked: bool, place: arb) -> acb:
        total = acb(0)
        for best in range(len(scores)):
            p, q = (
                _log_first_arrival(noise, each, best, v, is_checked, place)
                for each in (scores, other_scores)
            )
            total += (p + order * (p - q)).exp()
        return total

    return _integral(noise, (*scores, *other_scores), integrand)


def ranking_law(noise: AnalyticNoise, scores: Sequence[int]) -> dict[tuple[Item, ...], arb]:
    """Return the law of the two best of three items, in order."""
    return {
        (Item(first + 1), Item(second + 1)): _ranking_chance(
            noise, scores[first], scores[second], scores[third]
        )
        for first, second, third in permutations(range(3))
    }


def _ranking_chance(noise: AnalyticNoise, best: int, second: int, worst: int) -> arb:
    """Return the probability that three items arrive in this order, given their scores."""

    def integrand(v: acb, is_checked: bool, place: arb) -> acb:
        at = noise.log_density(place - second)(v - second, is_checked)
        below = noise.log_cdf(place - worst)(v - worst, is_checked)
        not_above = noise.log_cdf(place - best)(v - best, is_checked)
        return (at + below).exp() * (1 - not_above.exp())

    return _integral(noise, (best, second, worst), integrand)


def _log_first_arrival(
    noise: AnalyticNoise, scores: Sequence[int], best: int, v: acb, is_checked: bool, place: arb
) -> acb:
    """Return the logarithm of the density that this item arrives first, at v."""
    total = acb(0)
    for index, score in enumerate(scores):
        function = noise.log_density if index == best else noise.log_cdf
        total += function(place - score)(v - score, is_checked)
    return total


def _integral(
    noise: AnalyticNoise,
    corners: Sequence[int],
    integrand: Callable[[acb, bool, arb], acb],
) -> arb:
    """Return the integral over all v, given an integrand that is told a place in its piece."""
    total = arb(0)
    for low, high in _intervals(noise, corners):
        middle = (low + high) / 2
        piece = acb.integral(lambda v, flag, place=middle: integrand(v, flag, place), low, high)
        total += piece.real
    return total + BEYOND


def _intervals(noise: AnalyticNoise, corners: Sequence[int]) -> Iterator[tuple[arb, arb]]:
    """Yield the intervals between corners, and those to both ends."""
    places = [arb(corner) for corner in sorted(set(corners))]
    low = places[0] - noise.downwards / noise.epsilon
    high = places[-1] + UPWARDS / noise.epsilon
    return pairwise([low, *places, high])
