"""The k best of a stream of items, by intervals that contain their noisy scores.

Doubles give every item an interval. The bar is the k-th largest lower end: no true noisy score
of the k best is below it, and an item whose upper end is below it is out. In the end the
intervals of those that are left part, or more bits of them are revealed until they do.

Scores count from a reference, the k-th largest of them, so that intervals near the bar are
narrow. An interval may be wider than need be and never does harm.
"""

import math
from fractions import Fraction
from functools import cmp_to_key
from typing import Final

import numpy as np

from privtopk.impl.engines.exact.balls import chance_above
from privtopk.impl.engines.exact.bits import NO_WORDS, WORDS
from privtopk.impl.engines.exact.enclosure import Contender, compared
from privtopk.impl.engines.exact.field import Field
from privtopk.impl.engines.exact.quantile import CertifiedNoise
from privtopk.impl.randomness.generators import Floats, Integers

SCORE_RADIUS: Final = 2.0**-50
"""The error of a score in noise scales and of the sums, relative to the score; 5/8 is proved."""

BAR_RADIUS: Final = 2.0**-48
"""The error of the distance from a bar to a score, in units of 1 + |bar| + |score|."""

FINE: Final = 2.0**20
"""Bars beyond it, in noise scales, call for another reference."""

NO_FLOATS: Final[Floats] = np.empty(0)


class Contest:
    """The items that may still be among the k with the largest noisy scores."""

    def __init__(self, k: int, rate: Fraction, noise: CertifiedNoise, field: Field) -> None:
        """Start with nothing seen; a score of 1 is worth `rate` noise scales."""
        self._k = k
        self._rate = rate
        self._factor = float(rate)
        self._noise = noise
        self._field = field
        self._items = self._scores = self._words = self._tails = NO_WORDS
        self._noises = self._radii = self._values = self._lower = self._upper = NO_FLOATS
        self._reference = 0
        self._bar = -math.inf
        # Of the bar as it stands: stages ask for the same ones again.
        self._thresholds: dict[int, int] = {}

    def threshold(self, score: int) -> int:
        """Return a word from which on no item with at most this score can enter."""
        if self._bar == -math.inf:
            return WORDS
        if score not in self._thresholds:
            height = (score - self._reference) * self._factor
            slack = BAR_RADIUS * (1.0 + abs(self._bar) + abs(height))
            needed = self._bar - height - slack
            self._thresholds[score] = chance_above(self._noise.kind, needed)
        return self._thresholds[score]

    def admit(self, items: Integers, scores: Integers, words: Integers) -> None:
        """Take in more items with their first words, each of them once."""
        tails = self._field.further_words(items, 1)
        noises, radii = self._noise.values(words, tails)
        if len(self._items):
            items = np.concatenate([self._items, items])
            scores = np.concatenate([self._scores, scores])
            words = np.concatenate([self._words, words])
            tails = np.concatenate([self._tails, tails])
            noises = np.concatenate([self._noises, noises])
            radii = np.concatenate([self._radii, radii])
        self._items, self._scores, self._words = items, scores, words
        self._tails, self._noises, self._radii = tails, noises, radii
        if len(self._items) >= self._k:
            self._keep()

    def ranked(self) -> tuple[int, ...]:
        """Return the k items with the largest noisy scores, best first.

        Where every interval before a place lies above every one after it, the order is cut.
        What lies between two cuts is ranked by more bits.
        """
        order = np.argsort(-self._values, kind="stable")
        weakest = np.minimum.accumulate(self._lower[order])
        strongest = np.maximum.accumulate(self._upper[order][::-1])[::-1]
        cuts = (weakest[:-1] > strongest[1:]).nonzero()[0] + 1
        ranked: list[int] = []
        for places in np.split(order, cuts[: self._k]):
            if len(ranked) < self._k:
                ranked += self._ranked_finely(places)
        return tuple(ranked[: self._k])

    def _ranked_finely(self, places: Integers) -> list[int]:
        """Return the items at some places, ranked with as many bits as it takes."""
        if len(places) == 1:
            return [int(self._items[places[0]])]
        contenders = [self._contender(place) for place in places.tolist()]
        contenders.sort(key=cmp_to_key(compared), reverse=True)
        return [contender.item for contender in contenders]

    def _keep(self) -> None:
        """Set the bar to the k-th largest lower end, and drop what lies below it."""
        place = len(self._items) - self._k
        self._enclose()
        bar = np.partition(self._lower, place)[place]
        if FINE < abs(bar) < math.inf:
            self._reference = int(np.partition(self._scores, place)[place])
            self._thresholds.clear()
            self._enclose()
            bar = np.partition(self._lower, place)[place]
        if bar != self._bar:
            self._bar = float(bar)
            self._thresholds.clear()
        (kept,) = (self._upper >= bar).nonzero()
        if len(kept) < len(self._items):
            self._items, self._scores = self._items[kept], self._scores[kept]
            self._words, self._tails = self._words[kept], self._tails[kept]
            self._noises, self._radii = self._noises[kept], self._radii[kept]
            self._values = self._values[kept]
            self._lower, self._upper = self._lower[kept], self._upper[kept]

    def _enclose(self) -> None:
        """Compute the intervals of the noisy scores, relative to the reference."""
        heights = (self._scores - self._reference) * self._factor
        self._values = heights + self._noises
        radii = self._radii + SCORE_RADIUS * np.abs(heights)
        self._lower, self._upper = self._values - radii, self._values + radii

    def _contender(self, place: int) -> Contender:
        """Return an item that is left, for comparisons with more bits."""
        score = (int(self._scores[place]) - self._reference) * self._rate
        words = int(self._words[place]), int(self._tails[place])
        return Contender(int(self._items[place]), score, words, self._noise.kind, self._field)
