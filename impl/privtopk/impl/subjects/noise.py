"""Our noise lists, order statistics and samplers as subjects of the test oracle."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privtopk.impl.engines.exact.count_tree import CountTreeOracle
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import FullNoiseList, NoiseOracle
from privtopk.impl.noise.order_statistics import LevelOrderStatistics
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import Randomness, SystemRandomness
from privtopk.impl.subjects.selectors import HUGE
from privtopk.spec.model.parameters import require_at_least
from privtopk.spec.noise.distributions import NoiseKind, require_scale


class NoiseListSubject:
    """A noise oracle that returns noises instead of levels and numbers items from 1."""

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
    """Creates noise oracles with secure randomness."""

    oracle: Callable[[int, Randomness], NoiseOracle]
    largest: int
    kind: str = "noise-oracle"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> NoiseListSubject:
        """Return a fresh list."""
        require_scale(rate)
        return NoiseListSubject(self.oracle(m, SystemRandomness()), rate, NoiseKind(noise))


full_noise_list: Final = OracleSubject(FullNoiseList, 10_000)
online_oracle: Final = OracleSubject(OnlineLevelOracle, HUGE)
rank_free_oracle: Final = OracleSubject(RankFreeLevelOracle, HUGE)
count_tree_oracle: Final = OracleSubject(CountTreeOracle, HUGE)


def tree_oracle(m: int, randomness: Randomness) -> OnlineLevelOracle:
    """Return the paper's oracle with the paper's index."""
    return OnlineLevelOracle(m, randomness, VanEmdeBoasIndex(m + 1))


tree_online_oracle: Final = OracleSubject(tree_oracle, HUGE)


class OrderedNoiseSubject:
    """Order statistics that return noises instead of levels."""

    def __init__(self, levels: LevelOrderStatistics, rate: float, kind: NoiseKind) -> None:
        """Take fresh order statistics and the scale 1/rate."""
        self._levels = levels
        self._rate = rate
        self._noise = standard_noise(kind)

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self._noise.value(self._levels.at(position)) / self._rate


@dataclass(frozen=True, slots=True)
class OrderStatisticsSubject:
    """Creates order statistics with secure randomness."""

    kind: str = "order-statistics"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    largest: int = 2**50

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> OrderedNoiseSubject:
        """Return a fresh list."""
        require_scale(rate)
        return OrderedNoiseSubject(
            LevelOrderStatistics(m, SystemRandomness()), rate, NoiseKind(noise)
        )


order_statistics: Final = OrderStatisticsSubject()


@dataclass(frozen=True, slots=True)
class NoiseSamplerSubject:
    """Draws noise as the engines do."""

    kind: str = "noise-sampler"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def __call__(self, rate: float, noise: NoiseKind, n: int) -> list[float]:
        """Return n values."""
        require_scale(rate)
        levels = SystemRandomness().exponentials(require_at_least("n", n, 0))
        values: list[float] = (standard_noise(NoiseKind(noise)).values(levels) / rate).tolist()
        return values


noise_sampler: Final = NoiseSamplerSubject()
