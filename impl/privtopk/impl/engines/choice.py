"""The engines by name, and the choice among them.

The choice depends on parameters and on the kind of source only, never on scores.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.impl.engines.batched import batched, latest_prefix
from privtopk.impl.engines.exact.bits import bits_of
from privtopk.impl.engines.exact.engine import exact
from privtopk.impl.engines.exact.field import HiddenBits
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.engines.exact.scan import scan
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.engines.threshold import ThresholdRun, select_by_threshold
from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import FullNoiseList, NoiseOracle
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.scores.protocols import EVEN
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.values import Number

SMALLEST_INDEXED: Final = 10_000
"""Below this domain size a scan takes less time than the batched engine's set-up."""

SCANNED_SHARE: Final = 64
"""Above m/64 items to select, the two prefixes together come close to a scan."""


class Engine(StrEnum):
    """The ways to select; all have the same output law."""

    AUTO = "auto"
    """The fastest for the source, the size, k and the costs."""

    ONE_SHOT = "one-shot"
    """Noise for every item: reads everything."""

    THRESHOLD = "threshold"
    """The paper's Algorithm 3: the whole noise list is drawn and sorted."""

    ONLINE = "online"
    """The paper's Algorithm 4: the noise list is drawn on demand, by order statistics."""

    RANK_FREE = "rank-free"
    """The same without ranks: one access at a time, as few as the input allows."""

    BATCHED = "batched"
    """Few round trips: a prefix of the score list, then the noise that can still win."""

    EXACT = "exact"
    """The same without rounding: the law is exact on a real computer. Needs an extra."""


@dataclass(frozen=True, slots=True)
class Request:
    """The checked parameters of a call."""

    k: int
    epsilon: float
    noise: StandardNoise
    costs: tuple[Number, Number] | None
    """The caller's own prices of the two doors, for which it would rather wait than pay more."""

    engine: Engine
    is_ranked: bool

    rate: Fraction | None = None
    """The epsilon of the noise without rounding, for the engine that needs it."""


Runner: TypeAlias = Callable[[Reader, Request, Randomness], EngineRun]


def engine_for(reader: Reader, request: Request) -> tuple[Engine, str]:
    """Return the engine and why; the choice depends on parameters only, never on scores."""
    sorted_cost, random_cost = request.costs or EVEN
    if request.engine is not Engine.AUTO:
        return request.engine, "asked for"
    if not reader.is_indexed:
        return Engine.ONE_SHOT, "the source has no index, so a prefix would cost a scan"
    if latest_prefix(reader.size, request.k, sorted_cost, random_cost) == 0:
        return Engine.ONE_SHOT, "sorted access is so dear that a scan is cheaper"
    if random_cost > sorted_cost:
        return Engine.BATCHED, "fewest round trips"
    if reader.size < SMALLEST_INDEXED:
        return Engine.ONE_SHOT, f"a scan is faster below m={SMALLEST_INDEXED}"
    if request.k > reader.size // SCANNED_SHARE:
        return Engine.ONE_SHOT, f"a scan is faster above k = m/{SCANNED_SHARE}"
    return Engine.BATCHED, "fewest round trips"


def run_one_shot(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the scan."""
    return one_shot(reader, request.k, request.epsilon, request.noise, coins)


def run_batched(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the batched engine."""
    return batched(reader, request.k, request.epsilon, request.noise, coins, costs(reader, request))


def run_threshold(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on a whole noise list."""
    run = threshold_run(reader, request, FullNoiseList(reader.size, coins))
    return EngineRun(run.items, reader.size)


def run_online(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on the paper's oracle."""
    run = threshold_run(reader, request, OnlineLevelOracle(reader.size, coins))
    return EngineRun(run.items, run.seen)


def run_rank_free(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on the rank-free oracle."""
    run = threshold_run(reader, request, RankFreeLevelOracle(reader.size, coins))
    return EngineRun(run.items, run.seen)


def run_exact(reader: Reader, request: Request, coins: Randomness) -> EngineRun:
    """Run the exact engine, or its scan where the default engine would scan."""
    rate = Fraction(request.epsilon) if request.rate is None else request.rate
    noise, field = certified_noise(request.noise.kind), HiddenBits(reader.size, bits_of(coins))
    choice, reason = engine_for(reader, replace(request, engine=Engine.AUTO))
    if choice is Engine.ONE_SHOT:
        return replace(scan(reader, request.k, rate, noise, field), note=reason)
    return exact(reader, request.k, rate, noise, field, costs(reader, request))


def costs(reader: Reader, request: Request) -> tuple[Number, Number]:
    """Return the prices by which stages are sized: the caller's, or those that the source tells."""
    return request.costs or reader.costs


def threshold_run(reader: Reader, request: Request, oracle: NoiseOracle) -> ThresholdRun:
    """Run the threshold algorithm on an oracle."""
    return select_by_threshold(reader, oracle, request.k, request.epsilon, request.noise)


ENGINES: Final[dict[Engine, Runner]] = {
    Engine.ONE_SHOT: run_one_shot,
    Engine.THRESHOLD: run_threshold,
    Engine.ONLINE: run_online,
    Engine.RANK_FREE: run_rank_free,
    Engine.BATCHED: run_batched,
    Engine.EXACT: run_exact,
}
