"""Baselines of the engines: scans that a careful user would write today.

All draw Gumbel noise from a numpy generator, which is the fastest available.
"""

from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Floats, Integers

BLOCK: Final = 1 << 14
"""Items per block: scores and noise fit into the second-level cache."""


def naive_scan(
    scores: Integers, k: int, epsilon: float, generator: np.random.Generator
) -> Integers:
    """Return the k best of scores plus noise, in the two lines that everybody writes."""
    noisy = epsilon * scores + generator.gumbel(size=len(scores))
    return np.argpartition(noisy, len(noisy) - k)[len(noisy) - k :]


def block_scan(
    scores: Integers, k: int, epsilon: float, generator: np.random.Generator
) -> Integers:
    """Return the same in blocks, with a running bar: the fastest linear scan in numpy alone."""
    values: Floats = np.full(k, -np.inf)
    items: Integers = np.zeros(k, dtype=np.int64)
    noises, noisy = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, len(scores), BLOCK):
        part = scores[start : start + BLOCK]
        noise, sums = noises[: len(part)], noisy[: len(part)]
        generator.standard_exponential(out=noise)
        np.log(noise, out=noise)
        np.multiply(part, epsilon, out=sums)
        sums -= noise
        (over,) = (sums > values.min()).nonzero()
        if len(over):
            values = np.concatenate([values, sums[over]])
            items = np.concatenate([items, over + start])
            best = np.argpartition(values, len(values) - k)[len(values) - k :]
            values, items = values[best], items[best]
    return items


class PrefixSums:
    """A table of cumulated weights e^(epsilon h): Gumbel selections for one fixed epsilon.

    It is outside the access model, because building it reads everything. The weights are doubles:
    an item whose weight vanishes in the sum of those before it can never be selected.
    `reachable` is the number of the others, and k must not exceed it.
    """

    def __init__(self, scores: Integers, epsilon: float) -> None:
        """Build the table for these scores and this epsilon."""
        weights = np.exp(epsilon * (scores - scores.max()))
        self._sums = np.cumsum(weights)
        self.reachable = int(np.count_nonzero(np.diff(self._sums, prepend=0.0)))

    def select(self, k: int, generator: np.random.Generator) -> list[int]:
        """Return k items, each drawn by weight among those not drawn yet."""
        total = float(self._sums[-1])
        taken: list[tuple[float, float, int]] = []
        for uniform in generator.random(k).tolist():
            free = total - sum(weight for _, weight, _ in taken)
            place = uniform * free
            for start, weight, _ in taken:
                if place >= start:
                    place += weight
            item = int(np.searchsorted(self._sums, place, side="right"))
            start = float(self._sums[item - 1]) if item else 0.0
            taken.append((start, float(self._sums[item]) - start, item))
            taken.sort()
        return [item for _, _, item in taken]
