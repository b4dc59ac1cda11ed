"""Right noise: a list behind two doors, its order statistics, and single values.

Everything is done in E-space, where a noise Z stands as E = -log F(Z): the largest noise has
the smallest E, and the top of a list of 2^60 keeps its digits. The mutants of these three
kinds change one method of one of these classes.
"""

import functools
import math
import random
from bisect import bisect_left, insort
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, TypeAlias

import numpy as np

from privtopk.conformance.subjects.kinds import Kind
from privtopk.spec.model.errors import exhausted_error
from privtopk.spec.model.parameters import (
    require_at_least,
    require_between,
    require_item,
    require_size,
)
from privtopk.spec.model.tape import UniformTape
from privtopk.spec.model.values import Position
from privtopk.spec.noise.distributions import NoiseKind, noise_of
from privtopk.spec.noise.order_statistic import between
from privtopk.spec.noise.permutation import LazyPermutation, SparseArrangement

Uniform: TypeAlias = Callable[[], float]
"""A coin: each call returns a fresh uniform strictly between 0 and 1."""

Level: TypeAlias = Callable[[], float]
"""Each call returns a fresh standard exponential, the E of one noise."""

PROPOSED: Final = 2.0**30
"""From this shape on, a proposal for a Gamma variable is refused at most once in 10^9 times.

The test that refuses it subtracts nearly equal numbers, and would refuse at random.
"""


def coins_of(generator: random.Random) -> Uniform:
    """Return coins tossed by a generator: odd multiples of 2^-53."""
    return lambda: (2 * generator.getrandbits(52) + 1) / 2**53


def gamma_variable(shape: int, generator: np.random.Generator) -> float:
    """Return a Gamma variable for any whole shape, by the method of Marsaglia and Tsang."""
    if shape < PROPOSED:
        return float(generator.standard_gamma(shape))
    d = shape - 1 / 3
    return float(d * (1 + generator.standard_normal() / math.sqrt(9 * d)) ** 3)


class RankFreeList:
    """Both doors of m noises: the unseen ones are always i.i.d. beyond the frontier."""

    kind = Kind.NOISE_ORACLE
    noises = tuple(NoiseKind)
    largest = 2**60

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with the frontier at 0 and nothing seen."""
        self.size = require_size(m)
        self.law = noise_of(NoiseKind(noise), rate)
        self.generator = random.Random()
        self.uniform = coins_of(self.generator)
        self.items = SparseArrangement(m)
        self.levels: dict[int, float] = {}
        self.pending: list[tuple[float, int]] = []
        self.frontier = 0.0
        self.delivered = 0

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        known = require_item(item, self.size)
        if known not in self.levels:
            level = self.unseen_level()
            self.see(known, level)
            heappush(self.pending, (level, known))
        return self.value(self.levels[known])

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        if self.delivered == self.size:
            raise exhausted_error(self.size)
        self.delivered += 1
        level = self.smallest_unseen()
        if self.pending and self.pending[0][0] < level:
            level, item = heappop(self.pending)
            self.pass_pending(level)
        else:
            item = self.unseen_item()
            self.see(item, level)
            self.pass_unseen(level)
        return item, self.value(self.levels[item])

    def exponential(self) -> float:
        """Return a standard exponential."""
        return -math.log(self.uniform())

    def value(self, level: float) -> float:
        """Return the noise that a level stands for."""
        return self.law.from_exponential(level)

    def unseen_count(self) -> int:
        """Return the number of items that neither door has shown."""
        return self.size - len(self.levels)

    def unseen_level(self) -> float:
        """Return the level of one unseen item."""
        return self.frontier + self.exponential()

    def smallest_unseen(self) -> float:
        """Return the smallest level of the unseen items, infinity if there are none."""
        unseen = self.unseen_count()
        return self.frontier + self.exponential() / unseen if unseen else math.inf

    def unseen_item(self) -> int:
        """Return a uniform unseen item; the seen ones stand in the first places."""
        seen = len(self.levels)
        return self.items.at(seen + 1 + self.generator.randrange(self.size - seen))

    def see(self, item: int, level: float) -> None:
        """Note the level of an item that was unseen."""
        self.levels[item] = level
        self.items.exchange(len(self.levels), self.items.place_of(item))

    def pass_pending(self, level: float) -> None:
        """Move the frontier to an item that was known before it was delivered."""
        self.frontier = level

    def pass_unseen(self, level: float) -> None:
        """Move the frontier to an item that neither door had shown."""
        self.frontier = level


class LevelsByPosition:
    """The order statistics of m noises, each drawn given its revealed neighbours."""

    kind = Kind.ORDER_STATISTICS
    noises = tuple(NoiseKind)
    largest = 2**50

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with nothing revealed but the virtual ends 0 and m + 1."""
        self.size = require_size(m)
        self.law = noise_of(NoiseKind(noise), rate)
        self.generator = np.random.default_rng()
        self.levels: dict[int, float] = {0: 0.0, m + 1: math.inf}
        self.revealed = [0, m + 1]

    def value(self, position: int) -> float:
        """Return the noise at a position: position 1 is the largest."""
        j = require_between("position", position, 1, self.size)
        if j not in self.levels:
            level = self.level(j, *self.neighbours(j))
            insort(self.revealed, j)
            self.levels[j] = level
        return self.law.from_exponential(self.levels[j])

    def neighbours(self, j: int) -> tuple[int, int]:
        """Return the nearest revealed positions around j."""
        place = bisect_left(self.revealed, j)
        return self.revealed[place - 1], self.revealed[place]

    def level(self, j: int, left: int, right: int) -> float:
        """Return the level at j, given those of its neighbours."""
        return self.between(self.levels[left], self.levels[right], j - left, right - j)

    def between(self, above: float, below: float, a: int, b: int) -> float:
        """Return the level that splits the uniforms between two levels by a Beta(a, b) share."""
        return between(above, below, self.gamma(a), self.gamma(b))

    def gamma(self, shape: int) -> float:
        """Return a Gamma variable."""
        return gamma_variable(shape, self.generator)


class NoiseSampler:
    """Single noises: a function from a kind and fresh exponentials to a noise of scale 1."""

    kind = Kind.NOISE_SAMPLER
    noises = tuple(NoiseKind)

    def __init__(self, draw: Callable[[NoiseKind, Level], float]) -> None:
        """Take the function, with its name and its docstring."""
        functools.update_wrapper(self, draw)
        self._draw = draw

    def __call__(self, rate: float, noise: str, n: int) -> list[float]:
        """Return n fresh noises of scale 1/rate."""
        scale = 1 / float(noise_of(NoiseKind(noise), rate).epsilon)
        uniform = coins_of(random.Random())
        return [
            self._draw(NoiseKind(noise), lambda: -math.log(uniform())) * scale
            for _ in range(require_at_least("n", n, 0))
        ]


STANDARD_NOISES: Final = {noise: noise_of(noise, 1) for noise in NoiseKind}
"""The noises of scale 1."""


def noise_at_level(noise: NoiseKind, level: float) -> float:
    """Return the noise of scale 1 that a level stands for."""
    return STANDARD_NOISES[noise].from_exponential(level)


@NoiseSampler
def inverse_transform(noise: NoiseKind, level: Level) -> float:
    """Draw by inversion."""
    return noise_at_level(noise, level())


class OnlineList:
    """Algorithm 4: a uniform order of the items, and order statistics on demand."""

    kind = Kind.NOISE_ORACLE
    noises = tuple(NoiseKind)
    largest = 2**20
    """Beyond it, coins of 52 bits are too coarse to draw an item."""

    order_statistics: type[LevelsByPosition] = LevelsByPosition

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with nothing revealed."""
        # The sentinel never comes: no coin is 2.
        coins = iter(coins_of(random.Random()), 2.0)
        self.order = LazyPermutation(m, UniformTape(coins))
        self.ordered = self.order_statistics(m, rate, noise)
        self.size = m
        self.delivered = 0

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        if self.delivered == self.size:
            raise exhausted_error(self.size)
        self.delivered += 1
        item = self.order.item_at(Position(self.delivered))
        return item, self.ordered.value(self.delivered)

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        position = self.order.position_of(require_item(item, self.size))
        return self.ordered.value(position)
