"""Algorithm 2 in blocks: noise for every item, a running bar, the k best.

The fallback where a scan is cheaper than anything clever, and the yardstick for what is.
"""

from typing import Final

import numpy as np

from privtopk.impl.engines.best import Best
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.scores.reader import Reader

BLOCK: Final = 1 << 14
"""Items a block: scores and noise fit into the second-level cache."""


def one_shot(
    reader: Reader, k: int, epsilon: float, noise: StandardNoise, randomness: Randomness
) -> EngineRun:
    """Return the k items with the largest noisy scores, after reading all of them."""
    best = Best(k, epsilon, noise)
    for start in range(0, reader.size, BLOCK):
        stop = min(start + BLOCK, reader.size)
        scores = reader.block(start, stop)
        levels = randomness.exponentials(stop - start)
        best.admit(np.arange(start, stop), scores, levels, int(scores.max()))
    return EngineRun(best.ranked(), reader.size)
