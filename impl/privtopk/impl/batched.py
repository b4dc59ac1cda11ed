"""The default engine: a growing prefix of the score list, then the noise that can still win.

Phase one reads 2k, 8k, 32k, ... items by sorted access and stops as soon as the candidates
expected now cost less than reading on to the best fixed prefix would; it never goes beyond
that prefix. Phase two opens the noise above the bar: each item lies there independently,
so the candidates are found by skipping geometric gaps over the whole domain, in time
proportional to their number. A candidate that phase one has already seen is recognised by
its score; only from the score of the last item read upwards must it be looked up.

The specification is `privtopk.spec.batched.two_phase` with a stopping rule that looks at the
bar. Where the costs say that no prefix pays, everything is read by random access instead.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from privtopk.impl.best import Best
from privtopk.impl.noise import StandardNoise
from privtopk.impl.one_shot import one_shot
from privtopk.impl.randomness import Floats, Integers, Randomness
from privtopk.impl.run import EngineRun
from privtopk.impl.source import Booleans, Reader, faulty
from privtopk.impl.subset import bernoulli_subset
from privtopk.spec.batched_bounds import cheapest_prefix
from privtopk.spec.values import Number

FIRST: Final = 2
"""The first prefix has so many items for each one to select."""

GROWTH: Final = 4
"""Each prefix is so many times longer than the one before."""


def batched(
    reader: Reader,
    k: int,
    epsilon: float,
    noise: StandardNoise,
    randomness: Randomness,
    costs: tuple[Number, Number] = (1, 1),
) -> EngineRun:
    """Return the k items with the largest noisy scores through few accesses and round trips."""
    latest = latest_prefix(reader.size, k, *costs)
    if latest == 0:
        run = one_shot(reader, k, epsilon, noise, randomness)
        return replace(run, note="sorted access is so dear that a scan is cheaper")
    sorted_cost, random_cost = map(float, costs)
    prefix = _Prefix(reader, k, epsilon, noise, randomness)
    prefix.extend(min(latest, FIRST * k))
    while True:
        level = prefix.level()
        expected = random_cost * reader.size * -math.expm1(-level)
        if prefix.length == latest or expected <= sorted_cost * (latest - prefix.length):
            return prefix.open_to(level)
        prefix.extend(min(latest, GROWTH * prefix.length))


@lru_cache(maxsize=256)
def latest_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the longest prefix worth reading, at least k, or 0 if none is.

    Where sorted access is not the dearer one, k items cost no more than reading none first.
    """
    cheapest = cheapest_prefix(m, k, sorted_cost, random_cost)
    return max(k, cheapest) if sorted_cost <= random_cost else cheapest


class _Prefix:
    """The items read by sorted access, and the best of them."""

    def __init__(
        self,
        reader: Reader,
        k: int,
        epsilon: float,
        noise: StandardNoise,
        randomness: Randomness,
    ) -> None:
        self._reader = reader
        self._randomness = randomness
        self._k = k
        self._best = Best(k, epsilon, noise)
        self._last = 0
        self.length = 0

    def extend(self, length: int) -> None:
        """Read on by sorted access and add the noise of what comes."""
        page = self._reader.top(length - self.length)
        levels = self._randomness.exponentials(len(page.items))
        self._best.admit(page.items, page.scores, levels, int(page.scores[0]))
        self._last = int(page.scores[-1])
        self.length = length

    def level(self) -> float:
        """Return the E-level below which an unseen item could still enter."""
        return self._best.level(self._last) if self.length < self._reader.size else 0.0

    def open_to(self, level: float) -> EngineRun:
        """Read every unseen item whose noise lies above the bar, and finish."""
        self._reader.require_distinct()
        candidates = bernoulli_subset(self._reader.size, level, self._randomness)
        unseen = self._read(candidates, level) if len(candidates) else 0
        return EngineRun(self._best.ranked(), self.length + len(candidates) + unseen)

    def _read(self, candidates: Integers, level: float) -> int:
        """Read candidates and let in those not seen before; return how many these were."""
        scores = self._reader.scores(candidates)
        unseen = self._unseen(candidates, scores)
        if len(unseen):
            chances = -math.expm1(-level) * self._randomness.uniforms(len(unseen))
            self._admit(candidates[unseen], scores[unseen], chances)
        return len(unseen)

    def _unseen(self, candidates: Integers, scores: Integers) -> Integers:
        """Return the places of the candidates that sorted access has not delivered."""
        is_unseen = scores < self._last
        (doubtful,) = (~is_unseen).nonzero()
        if len(doubtful):
            fresh = doubtful[~self._reader.was_delivered(candidates[doubtful])]
            if bool((scores[fresh] > self._last).any()):
                raise faulty("an item that was not delivered scores above those that were")
            is_unseen[fresh] = True
        return is_unseen.nonzero()[0]

    def _admit(self, candidates: Integers, scores: Integers, chances: Floats) -> None:
        """Let in candidates whose noise is as large as their chances are small.

        The largest go first and raise the bar, so that few of the others need be looked at.
        """
        first = 2 * self._k * chances.max() / len(chances)
        self._let_in(candidates, scores, chances, chances <= first)
        bar = -math.expm1(-self._best.level(self._last))
        self._let_in(candidates, scores, chances, (chances > first) & (chances < bar))

    def _let_in(
        self, candidates: Integers, scores: Integers, chances: Floats, group: Booleans
    ) -> None:
        (chosen,) = group.nonzero()
        if len(chosen) == 0:
            return
        if bool(self._reader.is_on_page(candidates[chosen]).any()):
            raise faulty("the source contradicts itself about an item that it delivered")
        levels = -np.log1p(-chances[chosen])
        self._best.admit(candidates[chosen], scores[chosen], levels, self._last)
