"""The one-shot mechanism over everything, with the same bits and the same comparisons.

The fallback where a scan is cheaper than anything clever, and the twin of the engine: on the
same bits both return the same items.
"""

from fractions import Fraction
from typing import Final

import numpy as np

from privtopk.impl.engines.exact.balls import flint
from privtopk.impl.engines.exact.contest import Contest
from privtopk.impl.engines.exact.field import Field
from privtopk.impl.engines.exact.quantile import CertifiedNoise
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.reader import Reader

FIRST_BLOCK: Final = 1 << 9
BLOCK: Final = 1 << 14
"""Items a block: few until there is a bar, then as many as fit into the second-level cache."""


def scan(reader: Reader, k: int, rate: Fraction, noise: CertifiedNoise, field: Field) -> EngineRun:
    """Return the k items with the largest noisy scores, after reading all of them."""
    flint()
    contest = Contest(k, rate, noise, field)
    start = 0
    while start < reader.size:
        stop = min(start + (BLOCK if start else FIRST_BLOCK), reader.size)
        items, scores = np.arange(start, stop), reader.block(start, stop)
        _admit(contest, items, scores, field.words_of(items))
        start = stop
    return EngineRun(contest.ranked(), reader.size)


def _admit(contest: Contest, items: Integers, scores: Integers, words: Integers) -> None:
    """Admit those of a block that could enter."""
    # Not "below the threshold": 2^63 itself is no signed word.
    (could,) = (words <= contest.threshold(int(scores.max())) - 1).nonzero()
    if len(could):
        contest.admit(items[could], scores[could], words[could])
