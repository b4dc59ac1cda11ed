"""The default engine: growing prefixes of both lists, then the noise that can still win.

A stage reads 2k, 32k, 512k, ... items by sorted access, the first at least as many as a round
trip is worth, and opens the noise from the top until it has met about as many. The engine is
done as soon as k items are better than an unseen one can be: score at most the last score
read, noise beyond the frontier. If not, and if it would be cheaper than to read on, the last
stage opens the noise down to that bar at once. No stage goes beyond the prefix that is
cheapest on the worst input.

On that input noise that was opened too early is read in vain, so this ends in good time: as
soon as, by the claim ours:early-noise, it could cost more than 1/512 of the longest prefix.

The specification is `privtopk.spec.algorithms.batched.multi_stage`. Where the costs say that no
prefix pays, everything is read by random access instead.
"""

import math
from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privtopk.impl.engines.best import Best
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.engines.stages import Stages
from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.noise.hidden_noise import HiddenNoise
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.values import Number
from privtopk.spec.upper_bounds.batched import cheapest_prefix, early_candidates_bound

FIRST: Final = 2
"""The first prefix has so many items for each one to select."""

GROWTH: Final = 16
"""Each prefix is so many times longer than the one before."""

WASTE: Final = 1 / 512
"""What opening noise early may cost at most, as a share of the longest prefix."""


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
    hidden = HiddenNoise(reader.size, randomness)
    stages = Stages(reader, k, Best(k, epsilon, noise), hidden)
    early = early_prefix(reader.size, k, *costs)
    length = min(latest, max(FIRST * k, math.ceil(reader.trip_price)))
    while True:
        stages.extend(length)
        level = stages.level()
        expected = random_cost * hidden.expected_below(level)
        if length == latest or expected <= sorted_cost * (latest - length):
            stages.open_to(level)
        elif length <= early:
            stages.open_to(length * sorted_cost / (random_cost * reader.size))
        if stages.is_done:
            return stages.finish()
        length = min(latest, GROWTH * length)


@lru_cache(maxsize=256)
def latest_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the longest prefix worth reading, at least k, or 0 if none is.

    Where sorted access is not the dearer one, k items cost no more than reading none first.
    """
    cheapest = cheapest_prefix(m, k, sorted_cost, random_cost)
    return max(k, cheapest) if sorted_cost <= random_cost else cheapest


@lru_cache(maxsize=256)
def early_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the longest prefix at which noise is opened although the engine may read on."""
    latest = latest_prefix(m, k, sorted_cost, random_cost)
    price = Fraction(sorted_cost) / Fraction(random_cost)

    def is_wasteful(length: int) -> bool:
        opened = min(m, math.ceil(length * price))
        return early_candidates_bound(m, k, latest, opened) > WASTE * latest * price

    return bisect_left(range(latest), True, lo=1, key=is_wasteful) - 1
