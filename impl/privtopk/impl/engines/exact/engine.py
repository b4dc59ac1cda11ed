"""The exact engine: the one-shot mechanism of given bits, through few accesses.

Items own endless strings of fair bits, and the noisy score of an item is a function of its
score and its bits. The engine reads prefixes of the score list, reveals bits of what it has
met, and asks which of the others have bits that could still win. Every comparison is made from
intervals that contain the true numbers. So what it returns *is* the k items with the largest
noisy scores, for those very bits: docs/explanation/exact.md has the proof.

Stages and costs are those of `privtopk.impl.engines.batched`.
"""

import math
from fractions import Fraction

from privtopk.impl.engines.batched import FIRST, GROWTH, early_prefix, latest_prefix
from privtopk.impl.engines.exact.balls import flint
from privtopk.impl.engines.exact.bits import WORDS
from privtopk.impl.engines.exact.contest import Contest
from privtopk.impl.engines.exact.field import Field
from privtopk.impl.engines.exact.quantile import CertifiedNoise
from privtopk.impl.engines.exact.stages import ExactStages
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.values import Number


def exact(
    reader: Reader,
    k: int,
    rate: Fraction,
    noise: CertifiedNoise,
    field: Field,
    costs: tuple[Number, Number] = (1, 1),
) -> EngineRun:
    """Return the k items with the largest noisy scores, exactly; a score of 1 is worth `rate`."""
    flint()
    latest = max(k, latest_prefix(reader.size, k, *costs))
    stages = ExactStages(reader, k, Contest(k, rate, noise, field), field)
    early = early_prefix(reader.size, k, *costs)
    sorted_cost, random_cost = map(float, costs)
    length = min(latest, max(FIRST * k, math.ceil(reader.trip_price)))
    while True:
        stages.extend(length)
        threshold = stages.threshold()
        expected = random_cost * expected_between(reader.size, field.frontier, threshold)
        if length == latest or expected <= sorted_cost * (latest - length):
            stages.open_to(threshold)
        elif length <= early:
            share = length * sorted_cost / (random_cost * reader.size)
            stages.open_to(min(threshold, int(share * WORDS)))
        if stages.is_done:
            return stages.finish()
        length = min(latest, GROWTH * length)


def expected_between(size: int, frontier: int, threshold: int) -> float:
    """Return how many of so many hidden items have a word between the two, on average."""
    hidden = WORDS - frontier
    return size * max(0, threshold - frontier) / hidden if hidden else 0.0
