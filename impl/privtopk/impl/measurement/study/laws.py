"""Laws that bound the cost of an engine, and tails of the mean of several selections.

Each law bounds the moments E[e^(lambda C)] of the cost C of one selection, for all scores.
By Chernoff's inequality the mean of n independent selections then exceeds x with probability
at most inf over lambda of (E[e^(lambda C)] e^(-lambda x))^n. Nothing is estimated from the sample,
and no normal law is assumed.

- Threshold algorithm: C is at most 2T, whose law is known exactly (ours:rounds-law).
- Stages: the engine reads at most r items by sorted access, and then each of m items with
  probability P, the share of noises above the k-th best of r: P ~ Beta(k, r-k+1). Noise that was
  opened early counts even if P is smaller, and some delivered items are read twice. The engine may
  also stop at a shorter prefix t if the reads that it then expects cost at most as much as the
  r - t items that it saves. A number of candidates with mean at most x has a moment of at most
  e^(x (e^lambda - 1)); x sorted accesses have e^(x lambda). So this adds a factor of at most
  e^(x (e^lambda - 1 - lambda)), with x <= r.
- Scan: C is m.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

import numpy as np

from privtopk.impl.engines.batched import FIRST, GROWTH, early_prefix, latest_prefix
from privtopk.impl.engines.choice import Engine, SelectionRequest, engine_for
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.randomness.generators import Floats
from privtopk.impl.scores.memory import SparseScores
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.access import visible_rounds

STEEPEST: Final = 35.0
"""The largest lambda times the largest cost: what is cut off weighs less than 1e-10."""

SLOPES: Final = np.geomspace(1e-4, 1.0, 120)
"""The lambdas that are tried, as shares of the largest; any choice gives a valid bound."""

SHARES: Final = 4001
"""Points at which the law of P is summed."""

DEVIATIONS: Final = 60.0
"""Standard deviations of P around its mean that are summed."""


class CostLaw(Protocol):
    """An upper bound of the law of the cost of one selection."""

    @property
    def mean(self) -> float:
        """An upper bound of the mean."""

    @property
    def largest(self) -> float:
        """The largest cost that matters."""

    def log_moment(self, slope: float) -> float:
        """Return the logarithm of an upper bound of E[e^(slope C)]."""


@dataclass(frozen=True, slots=True)
class ScanLaw:
    """A constant cost."""

    mean: float

    @property
    def largest(self) -> float:
        """The cost."""
        return self.mean

    def log_moment(self, slope: float) -> float:
        """Return slope C."""
        return slope * self.mean


class ThresholdLaw:
    """Twice the round T in which both lists have delivered k common items."""

    def __init__(self, m: int, k: int) -> None:
        """Compute the law of T."""
        law = np.array(list(visible_rounds(m, k)))
        self._costs, self._chances = 2 * law[:, 0], law[:, 1]
        self.mean = float(self._costs @ self._chances)
        self.largest = float(self._costs[-1])

    def log_moment(self, slope: float) -> float:
        """Return log E[e^(2 slope T)]."""
        return log_mean(slope * self._costs, self._chances)


class StagedLaw:
    """The price of the longest prefix and of its candidates."""

    def __init__(self, m: int, k: int, sorted_cost: Number, random_cost: Number) -> None:
        """Compute the law of the number of random accesses, given the share P."""
        prefix = latest_prefix(m, k, sorted_cost, random_cost)
        self._price = float(random_cost)
        self._sorted_price = float(sorted_cost) * prefix
        ratio = float(sorted_cost) / float(random_cost)
        stage = early_stage(m, k, sorted_cost, random_cost)
        early = -math.expm1(-stage * ratio / m)
        if prefix < m:
            shares, self._chances = share_law(k, prefix)
            self._candidates = candidates_of(shares, stage, early, m, k, prefix)
        else:
            self._candidates, self._chances = np.array([m * early]), np.ones(1)
        self._spared = prefix * ratio
        self.mean = self._sorted_price + self._price * float(self._candidates @ self._chances)
        self.largest = self._sorted_price + self._price * float(self._candidates.max())

    def log_moment(self, slope: float) -> float:
        """Return the logarithm of the bound for prefix, candidates and stopping early."""
        lift = math.expm1(slope * self._price)
        candidates = log_mean(lift * self._candidates, self._chances)
        spared = self._spared * (lift - slope * self._price)
        return slope * self._sorted_price + candidates + spared


def early_stage(m: int, k: int, sorted_cost: Number, random_cost: Number) -> int:
    """Return the longest prefix at which the engine opens noise early, 0 if there is none."""
    longest, length = early_prefix(m, k, sorted_cost, random_cost), FIRST * k
    if length > longest:
        return 0
    while GROWTH * length <= longest:
        length *= GROWTH
    return length


def candidates_of(shares: Floats, stage: int, early: float, m: int, k: int, prefix: int) -> Floats:
    """Return the largest expected number of random accesses, for each share P.

    An item outside the prefix is read if its noise is among the share P, or was opened early. An
    item of the prefix may be read twice: at the early stage, and again at the end, because the
    engine forgets that it was opened once it is delivered. The first items are delivered before
    the early stage and then read by chance. Of the others those with an early noise are read, and
    k - 1 of the prefix have a noise above that of P. Each stage before the early one is 16 times
    shorter, and so is the share of items that are read twice there.
    """
    beside = (m - prefix) * np.maximum(shares, early)
    again = prefix * np.maximum(shares - early, 0.0) / (1 - early)
    with_early_noise = np.where(
        shares > early,
        (k - 1) * early / np.maximum(shares, early or 1.0),
        k + (prefix - k) * (early - shares) / (1 - shares),
    )
    early_reads = stage * early + (1 - stage / prefix) * with_early_noise
    floats: Floats = beside + again + early_reads / (1 - early / GROWTH)
    return floats


def share_law(k: int, prefix: int) -> tuple[Floats, Floats]:
    """Return points and probabilities that approximate Beta(k, prefix - k + 1)."""
    mean = k / (prefix + 1)
    deviation = math.sqrt(mean * (1 - mean) / (prefix + 2))
    low = max(0.0, mean - DEVIATIONS * deviation)
    edges = np.linspace(low, min(1.0, mean + DEVIATIONS * deviation), SHARES)
    middles = (edges[1:] + edges[:-1]) / 2
    logs = (k - 1) * np.log(middles) + (prefix - k) * np.log1p(-middles)
    weights = np.exp(logs - logs.max())
    return middles, weights / weights.sum()


def log_mean(exponents: Floats, chances: Floats) -> float:
    """Return the logarithm of the mean of e^x, without overflow."""
    top = float(exponents.max())
    return top + math.log(float(np.exp(exponents - top) @ chances))


@lru_cache(maxsize=512)
def law_of(engine: Engine, m: int, k: int, sorted_cost: Number, random_cost: Number) -> CostLaw:
    """Return the law of an engine's price on the worst input."""
    if engine in (Engine.THRESHOLD, Engine.ONLINE, Engine.RANK_FREE):
        return ThresholdLaw(m, k)
    if is_scanned(engine, m, k, sorted_cost, random_cost):
        return ScanLaw(float(m * random_cost))
    return StagedLaw(m, k, sorted_cost, random_cost)


def is_scanned(engine: Engine, m: int, k: int, sorted_cost: Number, random_cost: Number) -> bool:
    """Return whether an engine reads everything; the one with stages does if no prefix pays."""
    if engine is not Engine.EXACT:
        return engine is Engine.ONE_SHOT or latest_prefix(m, k, sorted_cost, random_cost) == 0
    noise, costs = standard_noise(NoiseKind.GUMBEL), (sorted_cost, random_cost)
    request = SelectionRequest(k, 1.0, noise, costs, Engine.AUTO, is_ranked=True)
    return engine_for(Reader(SparseScores(m, {})), request)[0] is Engine.ONE_SHOT


def log_tail(law: CostLaw, runs: int, mean: float) -> float:
    """Return the logarithm of an upper bound of P(mean of `runs` costs >= mean)."""
    if isinstance(law, ScanLaw):
        return 0.0 if mean <= law.mean else -math.inf
    return min(0.0, *(runs * (law.log_moment(slope) - slope * mean) for slope in slopes(law)))


def largest_mean(law: CostLaw, runs: int, log_level: float) -> float:
    """Return the mean that `runs` costs exceed with at most this probability."""
    if isinstance(law, ScanLaw):
        return law.mean
    return min((law.log_moment(slope) - log_level / runs) / slope for slope in slopes(law))


def slopes(law: CostLaw) -> list[float]:
    """Return the lambdas to try."""
    scaled: list[float] = (SLOPES * (STEEPEST / law.largest)).tolist()
    return scaled
