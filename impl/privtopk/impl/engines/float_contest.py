"""The k best of a stream of items, compared at the resolution of the noise.

A sum of a large score and a small noise would round the noise away: next to a leader with
2^53 votes, all others would differ by whole votes only. So score and noise are kept apart,
and sums are taken relative to a reference, the k-th largest score. A sum close to the bar is
close to the reference and keeps all its digits. A sum far from it is in or out for certain.

Noise comes as E-levels, and only those that could clear the bar are turned into values.
"""

import math
from typing import Final

import numpy as np

from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.randomness.generators import Floats, Integers

LARGEST_RATE: Final = 2.0**900
"""A larger epsilon changes no comparison of whole scores, and 2^53 times it would overflow."""

FINE: Final = 2.0**20
"""Sums up to here, in noise scales, keep 32 bits of the noise behind the point."""

DOUBT: Final = 2.0**-48
"""Sums that differ by less than this share of the largest may stand in the wrong order."""

NO_INTEGERS: Final[Integers] = np.empty(0, dtype=np.int64)
NO_FLOATS: Final[Floats] = np.empty(0)

FARTHEST: Final = 2.0**54
"""Farther apart than any two scores."""

FIXED_POINT: Final = 60
"""Bits behind the point where sums are too large for doubles."""


class FloatContest:
    """The k items with the largest noisy scores so far, in doubles."""

    def __init__(self, k: int, epsilon: float, noise: StandardNoise) -> None:
        """Start with nothing seen."""
        self._k = k
        self._epsilon = min(epsilon, LARGEST_RATE)
        self._noise = noise
        self._items = self._scores = NO_INTEGERS
        self._noises = self._values = NO_FLOATS
        self._reference = 0
        self._bar = -math.inf

    def level(self, score: int) -> float:
        """Return the E-level below which an item of a score would enter."""
        return self._noise.level(self._bar - (score - self._reference) * self._epsilon)

    def least_score(self, level: float) -> int:
        """Return a score below which no item could enter with a noise at an E-level."""
        if level <= 0 or self._bar == -math.inf:
            return 0
        distance = (self._bar - self._noise.value(level)) / self._epsilon
        # Rounding may move the distance by a few votes; a score too small does no harm.
        bounded = min(max(distance, -FARTHEST), FARTHEST)
        return self._reference + math.floor(bounded - abs(bounded) * DOUBT) - 1

    def admit(self, items: Integers, scores: Integers, levels: Floats, ceiling: int) -> None:
        """Take in more items, each of them once; none of the scores exceeds the ceiling."""
        if self._bar > -math.inf:
            (could_enter,) = (levels < self.level(ceiling)).nonzero()
            if len(could_enter) == 0:
                return
            items, scores, levels = items[could_enter], scores[could_enter], levels[could_enter]
        noises = self._noise.values(levels)
        if len(self._items):
            items = np.concatenate([self._items, items])
            scores = np.concatenate([self._scores, scores])
            noises = np.concatenate([self._noises, noises])
        self._items, self._scores, self._noises = items, scores, noises
        if len(items) >= self._k:
            self._keep()

    def ranking(self) -> tuple[int, ...]:
        """Return the items kept, best first, ties to the smaller item."""
        order = np.lexsort((self._items, -self._values))[: self._k]
        ranked = self._values[order]
        if ranked[0] > FINE and bool((ranked[:-1] - ranked[1:] < ranked[0] * DOUBT).any()):
            return self._fine_ranking()
        return tuple(self._items[order].tolist())

    def _sums(self) -> Floats:
        """Return the noisy scores in noise scales, relative to the reference."""
        return (self._scores - self._reference) * self._epsilon + self._noises

    def _keep(self) -> None:
        """Set the bar to the k-th best value, and drop what lies below it."""
        surplus = len(self._items) - self._k
        values = self._sums()
        bar = np.partition(values, surplus)[surplus]
        if abs(bar) > FINE:
            self._reference = int(np.partition(self._scores, surplus)[surplus])
            values = self._sums()
            bar = np.partition(values, surplus)[surplus]
        self._bar = float(bar)
        if surplus:
            (kept,) = (values >= bar).nonzero()
            self._items, self._scores = self._items[kept], self._scores[kept]
            self._noises, values = self._noises[kept], values[kept]
        self._values = values

    def _fine_ranking(self) -> tuple[int, ...]:
        """Return the same from sums in fixed point."""
        numerator, denominator = self._epsilon.as_integer_ratio()
        noises = (self._noises * 2.0**FIXED_POINT).tolist()
        sums = [
            ((score - self._reference) * numerator << FIXED_POINT) // denominator + int(noise)
            for score, noise in zip(self._scores.tolist(), noises, strict=True)
        ]
        order = sorted(zip((-value for value in sums), self._items.tolist(), strict=True))
        return tuple(item for _, item in order[: self._k])
