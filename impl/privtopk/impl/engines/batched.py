"""The staged algorithm: growing prefixes of both lists, then the noise that can still win.

The prefix is 2k, 32k, 512k, ... items long, one length per stage. The first is longer if more
items come in the time of one round trip. Each stage opens noise from the top until it has met
about as many items as its prefix has.

The engine is done as soon as k items are better than an unseen one can be: its score is at most
the last score read, its noise lies beyond the frontier. Otherwise, if that is cheaper than to
read on, the last stage opens the noise down to the bar at once. No stage reads beyond the prefix
that is cheapest on the worst input.

On that input, noise that was opened early is wasted. So early opening ends as soon as, by the
claim ours:early-noise, it could cost more than 1/512 of the longest prefix.

The default engine runs it on doubles, the exact engine on bits. The specification is
`privtopk.spec.algorithms.batched.multi_stage`.
"""

import math
from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privtopk.impl.engines.contest import Contest
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.engines.stages import Stages
from privtopk.impl.noise.hidden_noise import HiddenNoise, Level
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.values import Number
from privtopk.spec.upper_bounds.batched import cheapest_prefix, early_candidates_bound

FIRST: Final = 2
"""The first prefix has two items for each one to select."""

GROWTH: Final = 16
"""Each prefix is 16 times as long as the one before."""

WASTE: Final = 1 / 512
"""What opening noise early may cost at most, as a share of the longest prefix."""


def select_in_stages(
    reader: Reader,
    k: int,
    contest: Contest[Level],
    noise: HiddenNoise[Level],
    costs: tuple[Number, Number] = (1, 1),
) -> EngineRun:
    """Return the k items with the largest noisy scores through few accesses and round trips."""
    latest = max(k, latest_prefix(reader.size, k, *costs))
    early = early_prefix(reader.size, k, *costs)
    sorted_cost, random_cost = map(float, costs)
    stages = Stages(reader, k, contest, noise)
    length = min(latest, max(FIRST * k, math.ceil(reader.trip_price)))
    while True:
        stages.extend(length)
        level = stages.level()
        expected = random_cost * noise.expected_below(level)
        if length == latest or expected <= sorted_cost * (latest - length):
            stages.open_to(level)
        elif length <= early:
            share = length * sorted_cost / (random_cost * reader.size)
            stages.open_to(min(level, noise.level_of_share(share)))
        if stages.is_done:
            return stages.finish()
        length = min(latest, GROWTH * length)


@lru_cache(maxsize=256)
def latest_prefix(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the longest prefix worth reading, at least k, or 0 if none is.

    Where sorted access is not the more expensive one, reading k items first costs nothing extra.
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
