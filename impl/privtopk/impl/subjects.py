"""Our engines as a test oracle calls them: any oracle that serves lists behind two doors.

Nothing here knows the oracle. It hands a selector a list with `size`, `top(count)` and
`values(items)`, and a question with k, epsilon, delta, noise, relation and is_ranked; items
count from 1 there and from 0 here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from privtopk.impl.engines import Engine
from privtopk.impl.exact.count_tree import CountTreeOracle
from privtopk.impl.noise import standard_noise
from privtopk.impl.noise_oracle import FullNoiseList, NoiseOracle
from privtopk.impl.online_oracle import OnlineOracle
from privtopk.impl.order_statistics import OrderStatistics
from privtopk.impl.randomness import Integers, Randomness, SystemRandomness
from privtopk.impl.rank_free import RankFreeOracle
from privtopk.impl.reader import Reader
from privtopk.impl.sorted_blocks import SortedBlocksIndex
from privtopk.impl.source import Page
from privtopk.impl.source_subjects import memory, sparse_memory, sqlite
from privtopk.impl.threshold_engine import select_by_threshold
from privtopk.impl.top_k import top_k
from privtopk.impl.van_emde_boas import VanEmdeBoasIndex
from privtopk.spec.neighbours import Relation
from privtopk.spec.noise import NoiseKind, require_scale
from privtopk.spec.parameters import require_at_least

__all__ = [
    "automatic",
    "batched",
    "count_tree_oracle",
    "exact",
    "full_noise_list",
    "memory",
    "noise_sampler",
    "one_shot",
    "online",
    "online_oracle",
    "order_statistics",
    "rank_free",
    "rank_free_oracle",
    "sorted_blocks",
    "sparse_memory",
    "sqlite",
    "threshold",
    "tree_online_oracle",
    "van_emde_boas",
]

HUGE: Final = 2**60
"""A domain as large as the oracle tries."""


class ServedList(Protocol):
    """A list behind two doors, in batches; items count from 1."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def top(self, count: int) -> list[tuple[int, float]]:
        """Return the next entries by descending value."""

    def values(self, items: Sequence[int]) -> list[float]:
        """Return the values of items."""


class Asked(Protocol):
    """The parameters of one selection."""

    @property
    def k(self) -> int:
        """How many items."""

    @property
    def epsilon(self) -> float:
        """The total budget."""

    @property
    def delta(self) -> float:
        """The other half of the budget."""

    @property
    def noise(self) -> NoiseKind:
        """Which noise."""

    @property
    def relation(self) -> Relation:
        """Which neighbours."""

    @property
    def is_ranked(self) -> bool:
        """Whether best first."""


class ServedSource:
    """A served list as a source of the engines."""

    def __init__(self, served: ServedList) -> None:
        """Start at the top."""
        self._served = served
        self.size = served.size

    def top(self, start: int, count: int) -> Page:
        """Return the next entries; engines read a list in order and once."""
        entries = self._served.top(count)
        items = np.array([item - 1 for item, _ in entries], dtype=np.int64)
        return Page(items, np.array([score for _, score in entries]))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return np.array(self._served.values([item + 1 for item in items.tolist()]))

    def name(self, item: int) -> object:
        """Return the item as the oracle counts."""
        return item + 1


@dataclass(frozen=True, slots=True)
class EngineSubject:
    """The public call with one engine."""

    engine: Engine
    cost: str
    largest: int
    kind: str = "selector"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    ranked: bool = True

    def select(self, scores: ServedList, question: Asked) -> Sequence[object]:
        """Select with secure randomness."""
        return top_k(
            ServedSource(scores),
            question.k,
            epsilon=question.epsilon,
            delta=question.delta,
            noise=question.noise,
            neighbours=question.relation,
            engine=self.engine,
            ranked=question.is_ranked,
        ).items


class ServedLevels:
    """A served noise list as an oracle: the level of a noise is its negative."""

    def __init__(self, served: ServedList) -> None:
        """Start at the top."""
        self._served = served
        self.size = served.size

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise."""
        ((item, noise),) = self._served.top(1)
        return item - 1, -noise

    def random_access(self, item: int) -> float:
        """Return the level of an item."""
        (noise,) = self._served.values([item + 1])
        return -noise


class NegatedLevels:
    """The noise that `ServedLevels` stand for."""

    kind = NoiseKind.GUMBEL

    def values(self, levels: np.ndarray) -> np.ndarray:
        """Return the noises that levels stand for."""
        return -levels

    def value(self, level: float) -> float:
        """Return the noise that one level stands for."""
        return -level

    def level(self, value: float) -> float:
        """Return the level of a noise."""
        return -value


class ThresholdSubject(EngineSubject):
    """An engine that can also run on served noise."""

    def select_with_noise(
        self, scores: ServedList, noises: ServedList, question: Asked
    ) -> Sequence[int]:
        """Select by the threshold algorithm with both lists served."""
        reader = Reader(ServedSource(scores))
        run = select_by_threshold(reader, ServedLevels(noises), question.k, 1.0, NegatedLevels())
        return [item + 1 for item in run.items]


batched: Final = EngineSubject(Engine.BATCHED, "batched", HUGE)
one_shot: Final = EngineSubject(Engine.ONE_SHOT, "scan", 10_000)
exact: Final = EngineSubject(Engine.EXACT, "batched", HUGE)
automatic: Final = EngineSubject(Engine.AUTO, "batched", HUGE)
threshold: Final = ThresholdSubject(Engine.THRESHOLD, "threshold", 10_000)
online: Final = ThresholdSubject(Engine.ONLINE, "threshold", HUGE)
rank_free: Final = ThresholdSubject(Engine.RANK_FREE, "threshold", HUGE)


class NoiseListSubject:
    """A noise oracle in noises instead of levels, and counting from 1."""

    def __init__(self, oracle: NoiseOracle, rate: float, kind: NoiseKind) -> None:
        """Take a fresh oracle and the scale 1/rate."""
        self._oracle = oracle
        self._rate = rate
        self._noise = standard_noise(kind)

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        item, level = self._oracle.sorted_access()
        return item + 1, self._noise.value(level) / self._rate

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return self._noise.value(self._oracle.random_access(item - 1)) / self._rate


@dataclass(frozen=True, slots=True)
class OracleSubject:
    """A noise oracle with secure randomness."""

    oracle: Callable[[int, Randomness], NoiseOracle]
    largest: int
    kind: str = "noise-oracle"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> NoiseListSubject:
        """Return a fresh list."""
        require_scale(rate)
        return NoiseListSubject(self.oracle(m, SystemRandomness()), rate, NoiseKind(noise))


full_noise_list: Final = OracleSubject(FullNoiseList, 10_000)
online_oracle: Final = OracleSubject(OnlineOracle, HUGE)
rank_free_oracle: Final = OracleSubject(RankFreeOracle, HUGE)
count_tree_oracle: Final = OracleSubject(CountTreeOracle, HUGE)


def tree_oracle(m: int, randomness: Randomness) -> OnlineOracle:
    """Return the paper's oracle with the paper's index."""
    return OnlineOracle(m, randomness, VanEmdeBoasIndex(m + 1))


tree_online_oracle: Final = OracleSubject(tree_oracle, HUGE)


class OrderedNoiseSubject:
    """Order statistics in noises instead of levels."""

    def __init__(self, levels: OrderStatistics, rate: float, kind: NoiseKind) -> None:
        """Take fresh order statistics and the scale 1/rate."""
        self._levels = levels
        self._rate = rate
        self._noise = standard_noise(kind)

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self._noise.value(self._levels.at(position)) / self._rate


@dataclass(frozen=True, slots=True)
class OrderStatisticsSubject:
    """The order statistics with secure randomness."""

    kind: str = "order-statistics"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    largest: int = 2**50

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> OrderedNoiseSubject:
        """Return a fresh list."""
        require_scale(rate)
        return OrderedNoiseSubject(OrderStatistics(m, SystemRandomness()), rate, NoiseKind(noise))


order_statistics: Final = OrderStatisticsSubject()


@dataclass(frozen=True, slots=True)
class NoiseSamplerSubject:
    """Noise as the engines draw it."""

    kind: str = "noise-sampler"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def __call__(self, rate: float, noise: NoiseKind, n: int) -> list[float]:
        """Return n values."""
        require_scale(rate)
        levels = SystemRandomness().exponentials(require_at_least("n", n, 0))
        values: list[float] = (standard_noise(NoiseKind(noise)).values(levels) / rate).tolist()
        return values


noise_sampler: Final = NoiseSamplerSubject()


@dataclass(frozen=True, slots=True)
class IndexSubject:
    """A predecessor index for a universe."""

    index: Callable[[int], VanEmdeBoasIndex | SortedBlocksIndex]
    kind: str = "predecessor-index"

    def __call__(self, universe: int) -> VanEmdeBoasIndex | SortedBlocksIndex:
        """Return an empty index."""
        return self.index(universe)


van_emde_boas: Final = IndexSubject(VanEmdeBoasIndex)
sorted_blocks: Final = IndexSubject(lambda universe: SortedBlocksIndex())
