"""Confidence limits of a mean that hold however often one looks.

A value p of the mean is ruled out when the e-process against "the mean is at most p" reaches
1/alpha. The true mean is ever ruled out with probability at most alpha, so the limit is valid
whenever one stops. The only assumptions are that observations lie in [0, 1] and that each has
the same mean, given what came before.

Student's interval is narrower, but an approximation: it is shown and decides nothing.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats

from privtopk.conformance.evidence.e_process import MeanAtMost, Observations

STEPS: Final = 40
"""The number of halvings of the unit interval: a limit is exact to 1e-12."""

SHOWN_CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimated mean with a lower and an upper limit."""

    mean: float
    low: float
    high: float

    def times(self, unit: float) -> "Interval":
        """Return the interval in another unit."""
        return Interval(self.mean * unit, self.low * unit, self.high * unit)


def lower_limit(values: Observations, alpha: float) -> float:
    """Return the largest mean that the bets rule out as too small, or 0."""
    if not values.any():
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _is_ruled_out(middle, values, alpha):
            low = middle
        else:
            high = middle
    return low


def _is_ruled_out(bound: float, values: Observations, alpha: float) -> bool:
    process = MeanAtMost(bound).process()
    process.update(values)
    return process.log_e >= -math.log(alpha)


def upper_limit(values: Observations, alpha: float) -> float:
    """Return the smallest mean that the bets rule out as too large, or 1."""
    return 1.0 - lower_limit(1.0 - values, alpha)


def mean_interval(values: Observations, alpha: float) -> Interval:
    """Return the mean of numbers in [0, 1]; each limit is wrong with probability at most alpha."""
    return Interval(float(values.mean()), lower_limit(values, alpha), upper_limit(values, alpha))


def student_interval(values: Observations) -> Interval:
    """Return the mean with Student's interval of 95 % confidence."""
    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    quantile = float(stats.t.ppf((1 + SHOWN_CONFIDENCE) / 2, len(values) - 1))
    half = quantile * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)
