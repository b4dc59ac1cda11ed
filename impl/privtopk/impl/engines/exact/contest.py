"""The k best of a stream of items, by intervals that contain their noisy scores.

Doubles give every item an interval. The bar is the k-th largest lower end: no true noisy score
of the k best is below it, and an item whose upper end is below it is out. In the end the
intervals of the remaining items are disjoint, or more bits are revealed until they are.

Scores count from a reference, the k-th largest of them, so that intervals near the bar are
narrow. An interval that is wider than necessary costs time and never changes the answer.
"""

import math
from fractions import Fraction
from functools import cmp_to_key
from typing import Final

import numpy as np

from privtopk.impl.engines.exact.balls import chance_above
from privtopk.impl.engines.exact.bits import NO_WORDS, WORDS
from privtopk.impl.engines.exact.enclosure import Contender, compare
from privtopk.impl.engines.exact.hidden_bits import BitStrings
from privtopk.impl.engines.exact.quantile import CertifiedNoise
from privtopk.impl.randomness.generators import Floats, Integers

SCORE_RADIUS: Final = 2.0**-50
"""The error of a score in noise scales and of the sums, relative to the score; 5/8 is proved."""

BAR_RADIUS: Final = 2.0**-48
"""The error of the distance from a bar to a score, in units of 1 + |bar| + |score|."""

FINE: Final = 2.0**20
"""Bars beyond it, in noise scales, call for another reference."""

NO_FLOATS: Final[Floats] = np.empty(0)


class ExactContest:
    """The items that may still be among the k with the largest noisy scores, in intervals."""

    def __init__(self, k: int, rate: Fraction, noise: CertifiedNoise, bits: BitStrings) -> None:
        """Start with nothing seen; a score of 1 is worth `rate` noise scales."""
        self._k = k
        self._rate = rate
        self._factor = float(rate)
        self._noise = noise
        self._bits = bits
        self._items = self._scores = self._words = self._tails = NO_WORDS
        self._noises = self._radii = self._values = self._lower = self._upper = NO_FLOATS
        self._reference = 0
        self._bar = -math.inf
        # For the present bar: stages ask for the same scores again.
        self._levels: dict[int, int] = {}

    def level(self, score: int) -> int:
        """Return a word from which on no item with at most this score can enter."""
        if self._bar == -math.inf:
            return WORDS
        if score not in self._levels:
            height = (score - self._reference) * self._factor
            slack = BAR_RADIUS * (1.0 + abs(self._bar) + abs(height))
            needed = self._bar - height - slack
            self._levels[score] = chance_above(self._noise.kind, needed)
        return self._levels[score]

    def least_score(self, level: int) -> int:
        """Return 0: no scores are ruled out by words alone."""
        return 0

    def admit(self, items: Integers, scores: Integers, levels: Integers, ceiling: int) -> None:
        """Take in more items with their first words, each of them once, if they could enter."""
        # Not "below the level": 2^63 itself is no signed word.
        (could_enter,) = (levels <= self.level(ceiling) - 1).nonzero()
        if len(could_enter) == 0:
            return
        items, scores, words = items[could_enter], scores[could_enter], levels[could_enter]
        tails = self._bits.further_words(items, 1)
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

    def ranking(self) -> tuple[int, ...]:
        """Return the k items with the largest noisy scores, best first.

        The order is cut where every interval before lies above every one after. Items between
        two cuts are ranked by more bits.
        """
        order = np.argsort(-self._values, kind="stable")
        weakest = np.minimum.accumulate(self._lower[order])
        strongest = np.maximum.accumulate(self._upper[order][::-1])[::-1]
        cuts = (weakest[:-1] > strongest[1:]).nonzero()[0] + 1
        ranked: list[int] = []
        for places in np.split(order, cuts[: self._k]):
            if len(ranked) < self._k:
                ranked += self._fine_ranking(places)
        return tuple(ranked[: self._k])

    def _fine_ranking(self, places: Integers) -> list[int]:
        """Return the items at some places, ranked with as many bits as necessary."""
        if len(places) == 1:
            return [int(self._items[places[0]])]
        contenders = [self._contender(place) for place in places.tolist()]
        contenders.sort(key=cmp_to_key(compare), reverse=True)
        return [contender.item for contender in contenders]

    def _keep(self) -> None:
        """Set the bar to the k-th largest lower end, and drop what lies below it."""
        place = len(self._items) - self._k
        self._enclose()
        bar = np.partition(self._lower, place)[place]
        if FINE < abs(bar) < math.inf:
            self._reference = int(np.partition(self._scores, place)[place])
            self._levels.clear()
            self._enclose()
            bar = np.partition(self._lower, place)[place]
        if bar != self._bar:
            self._bar = float(bar)
            self._levels.clear()
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
        return Contender(int(self._items[place]), score, words, self._noise.kind, self._bits)
