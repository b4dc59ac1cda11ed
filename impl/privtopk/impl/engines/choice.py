"""The engines by name, and the choice among them.

The choice depends on the parameters and the kind of source, never on scores.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.impl.engines.batched import latest_prefix, select_in_stages
from privtopk.impl.engines.exact.balls import flint
from privtopk.impl.engines.exact.bits import bits_of
from privtopk.impl.engines.exact.contest import ExactContest
from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.engines.float_contest import FloatContest
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.engines.threshold import ThresholdStop, select_by_threshold
from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.noise.hidden_noise import HiddenLevels
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

NO_PREFIX: Final = "sorted access is so expensive that a scan is cheaper"


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
class SelectionRequest:
    """The checked parameters of a call."""

    k: int
    epsilon: float
    noise: StandardNoise
    costs: tuple[Number, Number] | None
    """The caller's own prices of the two doors; the engine then minimises price, not time."""

    engine: Engine
    is_ranked: bool

    rate: Fraction | None = None
    """The epsilon of the noise without rounding, for the engine that needs it."""


Runner: TypeAlias = Callable[[Reader, SelectionRequest, Randomness], EngineRun]


def engine_for(reader: Reader, request: SelectionRequest) -> tuple[Engine, str]:
    """Return the engine and why; the choice depends on parameters only, never on scores."""
    sorted_cost, random_cost = request.costs or EVEN
    if request.engine is not Engine.AUTO:
        return request.engine, "asked for"
    if not reader.is_indexed:
        return Engine.ONE_SHOT, "the source has no index, so a prefix would cost a scan"
    if latest_prefix(reader.size, request.k, sorted_cost, random_cost) == 0:
        return Engine.ONE_SHOT, NO_PREFIX
    if random_cost > sorted_cost:
        return Engine.BATCHED, "fewest round trips"
    if reader.size < SMALLEST_INDEXED:
        return Engine.ONE_SHOT, f"a scan is faster below m={SMALLEST_INDEXED}"
    if request.k > reader.size // SCANNED_SHARE:
        return Engine.ONE_SHOT, f"a scan is faster above k = m/{SCANNED_SHARE}"
    return Engine.BATCHED, "fewest round trips"


def run_one_shot(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the scan."""
    contest = FloatContest(request.k, request.epsilon, request.noise)
    return one_shot(reader, contest, HiddenLevels(reader.size, coins))


def run_batched(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the staged algorithm on doubles, or the scan where no prefix pays."""
    costs = costs_of(reader, request)
    if latest_prefix(reader.size, request.k, *costs) == 0:
        return replace(run_one_shot(reader, request, coins), note=NO_PREFIX)
    contest = FloatContest(request.k, request.epsilon, request.noise)
    return select_in_stages(reader, request.k, contest, HiddenLevels(reader.size, coins), costs)


def run_threshold(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on a whole noise list."""
    run = run_on_oracle(reader, request, FullNoiseList(reader.size, coins))
    return EngineRun(run.items, reader.size)


def run_online(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on the paper's oracle."""
    run = run_on_oracle(reader, request, OnlineLevelOracle(reader.size, coins))
    return EngineRun(run.items, run.seen)


def run_rank_free(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the threshold algorithm on the rank-free oracle."""
    run = run_on_oracle(reader, request, RankFreeLevelOracle(reader.size, coins))
    return EngineRun(run.items, run.seen)


def run_exact(reader: Reader, request: SelectionRequest, coins: Randomness) -> EngineRun:
    """Run the staged algorithm on exact bits, or a scan of them where the default engine scans."""
    flint()
    rate = Fraction(request.epsilon) if request.rate is None else request.rate
    bits = HiddenBits(reader.size, bits_of(coins))
    contest = ExactContest(request.k, rate, certified_noise(request.noise.kind), bits)
    choice, reason = engine_for(reader, replace(request, engine=Engine.AUTO))
    if choice is Engine.ONE_SHOT:
        return replace(one_shot(reader, contest, bits), note=reason)
    return select_in_stages(reader, request.k, contest, bits, costs_of(reader, request))


def costs_of(reader: Reader, request: SelectionRequest) -> tuple[Number, Number]:
    """Return the prices by which stages are sized: the caller's, or else the source's."""
    return request.costs or reader.costs


def run_on_oracle(reader: Reader, request: SelectionRequest, oracle: NoiseOracle) -> ThresholdStop:
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
