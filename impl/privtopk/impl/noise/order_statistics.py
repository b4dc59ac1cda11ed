"""The order statistics of m uniforms in E-space, drawn in any order of positions.

E = -log U, so that position 1, the largest uniform, has the smallest E. Given the nearest
revealed positions ell < j < r, U_(j) = u_l - (u_l - u_r) W with W ~ Beta(j - ell, r - j), and
W is a ratio of Gamma variables of integer shape. Written in E this cancels nowhere:

    E_j = E_l + log(1 + (1 - e^-D) G_l / (e^-D G_l + G_r)),  D = E_r - E_l.

The virtual ends E_0 = 0 and E_(m+1) = infinity turn the four cases into one formula, and
lists of 2^50 positions keep their digits.

Paper:    lem:sampling-zj, thm:conditional-order-statistics, thm:beta-form, def:beta.
Deviates: erratum:beta-shift, erratum:no-predecessor, erratum:feasible.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from math import exp, expm1, inf, log, log1p, sqrt
from typing import Final, Protocol

import numpy as np

from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.randomness.stream import block_sizes, float_stream, normals
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_size

SUMMED_SHAPE: Final = 4
"""Up to this shape a sum of exponentials is faster than the rejection method."""

SURE: Final = -inf
"""The margin of a candidate that is accepted for every shape."""

SQUEEZE: Final = 0.0331
"""Marsaglia and Tsang: u < 1 - 0.0331 x^4 implies acceptance for every shape >= 1."""


class NeighbourIndex(Protocol):
    """A growing set of integers that finds the neighbours of a new one."""

    def place(self, key: int) -> tuple[int | None, int | None]:
        """Add a key and return the nearest members below and above."""


def candidates(randomness: Randomness, n: int) -> Iterator[tuple[float, float]]:
    """Return n candidates (x, margin) of the rejection method, for normal x and uniform u.

    The margin is log u - x^2/2, or SURE where the squeeze accepts for every shape.
    """
    x = normals(randomness, n)
    u = randomness.uniforms(n)
    margins = np.where(u < 1.0 - SQUEEZE * x**4, SURE, np.log(u) - 0.5 * x * x)
    return zip(x.tolist(), margins.tolist(), strict=True)


class GammaCoins:
    """Gamma variables of integer shape, one at a time, from random numbers drawn in blocks.

    Small shapes are sums of exponentials. For the others Marsaglia and Tsang's rejection
    method proposes d v with v = (1 + x / (3 sqrt d))^3 for a normal x, where d is the shape
    minus 1/3.
    """

    __slots__ = ("_candidate", "_exponential")

    def __init__(self, randomness: Randomness) -> None:
        """Draw from this randomness."""
        self._exponential = float_stream(randomness.exponentials)
        self._candidate: Callable[[], tuple[float, float]] = chain.from_iterable(
            candidates(randomness, size) for size in block_sizes()
        ).__next__

    def gamma(self, shape: int) -> float:
        """Return a Gamma(shape) variable for an integer shape >= 1."""
        if shape == 1:
            return self._exponential()
        if shape <= SUMMED_SHAPE:
            return self._sum(shape)
        d = shape - 1 / 3
        c = 1 / (3 * sqrt(d))
        while True:
            x, margin = self._candidate()
            root = 1 + c * x
            if root > 0:
                v = root * root * root
                if margin == SURE or margin < d * (1 - v + log(v)):
                    return d * v

    def _sum(self, shape: int) -> float:
        """Return the sum of `shape` exponentials."""
        draw = self._exponential
        total = draw()
        for _ in range(shape - 1):
            total += draw()
        return total


def between(e_l: float, e_r: float, gamma_left: float, gamma_right: float) -> float:
    """Return E_j between its neighbours, from G_l ~ Gamma(j - ell) and G_r ~ Gamma(r - j)."""
    if not e_l < e_r:
        # Neighbours are tied by rounding only; the level between them is theirs.
        return e_r
    gap = e_l - e_r
    share = -expm1(gap) * gamma_left / (exp(gap) * gamma_left + gamma_right)
    level = e_l + log1p(share)
    return level if level < e_r else e_r


class LevelOrderStatistics:
    """The m order statistics, each drawn given its nearest revealed neighbours."""

    __slots__ = ("_end", "_gamma", "_levels", "_place")

    def __init__(self, m: int, randomness: Randomness, index: NeighbourIndex | None = None) -> None:
        """Start with only the virtual ends revealed; the index must be empty."""
        self._end = require_size(m) + 1
        self._gamma = GammaCoins(randomness).gamma
        self._place = (SortedBlocksIndex() if index is None else index).place
        self._levels: dict[int, float] = {0: 0.0, self._end: inf}

    def at(self, j: int) -> float:
        """Return E_(j); the same position always gives the same level."""
        if not 1 <= j < self._end:
            raise SelectionError(
                Reason.INFEASIBLE_POSITIONS,
                f"position must be between 1 and m={self._end - 1}, got {j}",
            )
        levels = self._levels
        level = levels.get(j)
        if level is None:
            before, after = self._place(j)
            left, right = before or 0, after or self._end
            gamma = self._gamma
            levels[j] = level = between(
                levels[left], levels[right], gamma(j - left), gamma(right - j)
            )
        return level
