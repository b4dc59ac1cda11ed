"""Exact statistics of a proportion: tails of the binomial law, and intervals from them."""

import math
from collections.abc import Callable

BISECTION_STEPS = 60


def at_least(successes: int, runs: int, probability: float) -> float:
    """Return P(Bin(runs, probability) >= successes)."""
    if successes <= 0:
        return 1.0
    if probability <= 0:
        return 0.0
    return math.fsum(math.exp(log_chance(x, runs, probability)) for x in range(successes, runs + 1))


def at_most(successes: int, runs: int, probability: float) -> float:
    """Return P(Bin(runs, probability) <= successes)."""
    return at_least(runs - successes, runs, 1 - probability)


def two_sided(successes: int, runs: int, probability: float) -> float:
    """Return twice the smaller tail, at most 1."""
    tails = at_least(successes, runs, probability), at_most(successes, runs, probability)
    return min(1.0, 2 * min(tails))


def interval(successes: int, runs: int, level: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval, which misses the truth with at most this probability."""
    low = least_root(lambda p: at_least(successes, runs, p) > level / 2) if successes else 0.0
    high = least_root(lambda p: at_most(successes, runs, p) < level / 2)
    return low, high if successes < runs else 1.0


def log_chance(successes: int, runs: int, probability: float) -> float:
    """Return log P(Bin(runs, probability) = successes)."""
    if probability >= 1:
        return 0.0 if successes == runs else -math.inf
    ways = math.lgamma(runs + 1) - math.lgamma(successes + 1) - math.lgamma(runs - successes + 1)
    return ways + successes * math.log(probability) + (runs - successes) * math.log1p(-probability)


def least_root(is_beyond: Callable[[float], bool]) -> float:
    """Return the point of (0, 1) from which a statement is true, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return (low + high) / 2
