"""Algorithm 2 in blocks: noise for every item, a running bar, the k best.

The engines use it where a scan is cheaper, and tests and benchmarks compare them with it.
"""

from itertools import pairwise
from typing import Final

import numpy as np

from privtopk.impl.engines.contest import Contest
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.noise.hidden_noise import HiddenNoise, Level
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.errors import Reason, SelectionError

BLOCK: Final = 1 << 14
"""Items per block: scores and noise fit into the second-level cache."""

FIRST: Final = 1 << 9
"""The first items are admitted alone: they set a bar that most of the first block is below."""

LARGEST_SCAN: Final = 1 << 36
"""A scan of this number of items takes hours; reading a prefix takes seconds."""


def one_shot(reader: Reader, contest: Contest[Level], noise: HiddenNoise[Level]) -> EngineRun:
    """Return the k items with the largest noisy scores, after reading all of them."""
    if reader.size > LARGEST_SCAN:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"a scan reads at most m={LARGEST_SCAN} items, got m={reader.size}; "
            "use an indexed source and the engine batched",
        )
    for start in range(0, reader.size, BLOCK):
        stop = min(start + BLOCK, reader.size)
        scores = reader.block(start, stop)
        for first, last in pairwise(sorted({start, min(start or FIRST, stop), stop})):
            items, part = np.arange(first, last), scores[first - start : last - start]
            contest.admit(items, part, noise.levels_of(items), int(part.max()))
    return EngineRun(contest.ranking(), reader.size)
