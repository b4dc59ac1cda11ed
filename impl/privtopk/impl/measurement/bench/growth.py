"""How accesses, noise draws and time grow with m and with k: exponents with their intervals.

The input is plat1, the worst for all engines, and is not stored: the time is that of the engine,
not of a memory that becomes slower as tables outgrow its caches. The exponents of accesses and
noise draws are fitted to the mean of each size.

Time is processor time. It is the mean number of accesses times the time per access. A machine may
be slow for seconds, which changes the time per access and is not the engine's fault. So the sizes
take turns, each turn gives an exponent, and the median of these counts.
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import statsmodels.api

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.implicit import ImplicitPlateau
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.proportions import at_most
from privtopk.impl.measurement.race import garbage_collector_paused
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k

TOLERANCE = 0.03
"""The largest allowed distance of an exponent from 1/2."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The sums over the selections of one size in one turn."""

    selections: int
    accesses: int
    noise_draws: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Exponent:
    """A slope in the log-log plane with its 95 % interval."""

    slope: float
    low: float
    high: float


def fit_exponent(sizes: Sequence[float], costs: Sequence[float]) -> Exponent:
    """Return the exponent of the costs in the sizes, by ordinary least squares on logarithms."""
    design = statsmodels.api.add_constant(np.log(np.asarray(sizes, dtype=float)))
    fit = statsmodels.api.OLS(np.log(np.asarray(costs, dtype=float)), design).fit()
    low, high = fit.conf_int(alpha=0.05)[1]
    return Exponent(float(fit.params[1]), float(low), float(high))


def mean_exponent(visits: Mapping[int, Sequence[Visit]], quantity: str) -> Exponent:
    """Return the exponent of the mean number of accesses or noise draws per selection."""
    return fit_exponent(
        list(visits),
        [
            sum(getattr(seen, quantity) for seen in group) / sum(seen.selections for seen in group)
            for group in visits.values()
        ],
    )


def time_exponent(visits: Mapping[int, Sequence[Visit]]) -> Exponent:
    """Return the exponent of the time: that of the accesses plus that of the time per access.

    The second is the median over the turns. Its interval is that of a median, which holds for any
    disturbance of a turn. It does not include the variance of the accesses, which have their own.
    """
    accesses = mean_exponent(visits, "accesses").slope
    turns = zip(*visits.values(), strict=True)
    slopes = [
        fit_exponent(list(visits), [seen.seconds / seen.accesses for seen in turn]).slope
        for turn in turns
    ]
    low, high = median_interval(slopes)
    return Exponent(accesses + statistics.median(slopes), accesses + low, accesses + high)


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return two values that enclose the median with probability 95 %, or the two extremes.

    Each value is above the median with probability 1/2, so the number of those is binomial.
    """
    ascending, n = sorted(values), len(values)
    place = max((p for p in range((n - 1) // 2) if at_most(p, n, 0.5) <= 0.025), default=0)
    return ascending[place], ascending[n - 1 - place]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The sizes on which an engine is measured: either m or k varies."""

    engine: Engine
    letter: str
    settings: tuple[tuple[int, int], ...]

    def size(self, m: int, k: int) -> int:
        """Return the one of m and k that varies."""
        return m if self.letter == "m" else k

    def calls(self, m: int, k: int) -> int:
        """Return the selections of a size per turn: small ones vary more, and take less time."""
        largest = max(m * k for m, k in self.settings)
        return math.ceil(math.sqrt(math.sqrt(largest / (m * k))))


def measure_growth(sizes: Sizes) -> Findings:
    """Fit all exponents of the engines with sublinear cost."""
    findings = Findings()
    for sweep in _sweeps(sizes):
        visits = _visits(sweep, sizes.growth_runs)
        for quantity, exponent in {
            "accesses": mean_exponent(visits, "accesses"),
            "noise draws": mean_exponent(visits, "noise_draws"),
            "time": time_exponent(visits),
        }.items():
            findings.rows.append(
                {
                    "topic": "growth",
                    "engine": sweep.engine.value,
                    "in": sweep.letter,
                    "from": min(visits),
                    "to": max(visits),
                    "quantity": quantity,
                    "exponent": exponent.slope,
                    "low 95 %": exponent.low,
                    "high 95 %": exponent.high,
                }
            )
            findings.targets.append(
                Target(
                    f"exponent-{quantity.replace(' ', '-')}-{sweep.letter}-{sweep.engine.value}",
                    f"{sweep.engine.value} on plat1: exponent of {quantity} in {sweep.letter}",
                    exponent.slope,
                    at_least=0.5 - TOLERANCE,
                    at_most=0.5 + TOLERANCE,
                )
            )
    return findings


def _sweeps(sizes: Sizes) -> Iterator[Sweep]:
    """Yield a sweep over m and one over k for each engine with sublinear cost."""
    online = (sizes.online_m, sizes.online_k, sizes.online_fixed_m)
    for engine, (ms, ks, fixed) in {
        Engine.BATCHED: (sizes.batched_m, sizes.batched_k, sizes.batched_fixed_m),
        Engine.RANK_FREE: online,
        Engine.ONLINE: online,
    }.items():
        yield Sweep(engine, "m", tuple((m, sizes.growth_k) for m in ms))
        yield Sweep(engine, "k", tuple((fixed, k) for k in ks))


def _visits(sweep: Sweep, turns: int) -> dict[int, list[Visit]]:
    """Return the visits of every size, turn by turn."""
    sources = [ImplicitPlateau(m, k) for m, k in sweep.settings]
    generator = np.random.default_rng(SEED)
    visits: dict[int, list[Visit]] = {sweep.size(m, k): [] for m, k in sweep.settings}
    with garbage_collector_paused():
        for turn in range(turns + 1):
            for (m, k), source in zip(sweep.settings, sources, strict=True):
                select = partial(top_k, source, k, epsilon=k, engine=sweep.engine, rng=generator)
                seen = visit(select, sweep.calls(m, k))
                if turn:  # the first turn warms up
                    visits[sweep.size(m, k)].append(seen)
            gc.collect()
    return visits


def visit(select: Callable[[], Selection], calls: int) -> Visit:
    """Select a number of times, and add up the costs."""
    start = time.process_time()
    audits = [select().audit for _ in range(calls)]
    seconds = time.process_time() - start
    accesses = sum(audit.accesses for audit in audits)
    return Visit(calls, accesses, sum(audit.noise_draws for audit in audits), seconds)
