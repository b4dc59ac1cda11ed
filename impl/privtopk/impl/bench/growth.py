"""How accesses, noise draws and time grow with m and with k: exponents with their intervals.

The input is plat1, the worst for all engines, and is not stored: so the time is the engine's
own and not that of a memory that becomes slower as tables outgrow its caches. Sizes take
turns. The points of the log-log regression are the mean numbers of each size, and for the
time the mean number of accesses at the price of one access in the fastest selection: the
former is random, and what disturbs the latter is not the engine's.
"""

import gc
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import statsmodels.api

from privtopk.impl.bench.implicit import ImplicitPlateau
from privtopk.impl.bench.inputs import SEED
from privtopk.impl.bench.measure import uncollected
from privtopk.impl.bench.result import Findings, Row, Target
from privtopk.impl.bench.sizes import Sizes
from privtopk.impl.engines import Engine
from privtopk.impl.selection import Audit
from privtopk.impl.top_k import top_k

TOLERANCE = 0.03
"""How far an exponent may lie from 1/2."""


@dataclass(frozen=True, slots=True)
class Exponent:
    """A slope in the log-log plane with its 95 % interval."""

    slope: float
    low: float
    high: float


def fitted(sizes: Sequence[float], costs: Sequence[float]) -> Exponent:
    """Return the exponent of the costs in the sizes, by ordinary least squares on logarithms."""
    design = statsmodels.api.add_constant(np.log(np.asarray(sizes, dtype=float)))
    fit = statsmodels.api.OLS(np.log(np.asarray(costs, dtype=float)), design).fit()
    low, high = fit.conf_int(alpha=0.05)[1]
    return Exponent(float(fit.params[1]), float(low), float(high))


@dataclass(frozen=True, slots=True)
class _Sweep:
    """An engine while one of m and k varies."""

    engine: Engine
    letter: str
    settings: tuple[tuple[int, int], ...]

    def size(self, m: int, k: int) -> int:
        """Return the parameter that varies."""
        return m if self.letter == "m" else k


def measure_growth(sizes: Sizes) -> Findings:
    """Fit every exponent of the engines with sublinear cost."""
    rows: list[Row] = []
    targets: list[Target] = []
    for sweep in _sweeps(sizes):
        audits = _audits(sweep, sizes.growth_runs)
        for quantity, typical in QUANTITIES.items():
            exponent = fitted(list(audits), [typical(group) for group in audits.values()])
            rows.append(
                {
                    "topic": "growth",
                    "engine": sweep.engine.value,
                    "in": sweep.letter,
                    "from": min(audits),
                    "to": max(audits),
                    "quantity": quantity,
                    "exponent": exponent.slope,
                    "low 95 %": exponent.low,
                    "high 95 %": exponent.high,
                }
            )
            targets.append(
                Target(
                    f"exponent-{quantity.replace(' ', '-')}-{sweep.letter}-{sweep.engine.value}",
                    f"{sweep.engine.value} on plat1: exponent of {quantity} in {sweep.letter}",
                    exponent.slope,
                    at_least=0.5 - TOLERANCE,
                    at_most=0.5 + TOLERANCE,
                )
            )
    return Findings(tuple(targets), tuple(rows))


def _sweeps(sizes: Sizes) -> Iterator[_Sweep]:
    """Yield a sweep over m and one over k for each engine with sublinear cost."""
    online = (sizes.online_m, sizes.online_k, sizes.online_fixed_m)
    for engine, (ms, ks, fixed) in {
        Engine.BATCHED: (sizes.batched_m, sizes.batched_k, sizes.batched_fixed_m),
        Engine.RANK_FREE: online,
        Engine.ONLINE: online,
    }.items():
        yield _Sweep(engine, "m", tuple((m, sizes.growth_k) for m in ms))
        yield _Sweep(engine, "k", tuple((fixed, k) for k in ks))


def _audits(sweep: _Sweep, repetitions: int) -> dict[int, list[Audit]]:
    """Return the audits of all selections by the size that varies."""
    sources = [ImplicitPlateau(m, k) for m, k in sweep.settings]
    generator = np.random.default_rng(SEED)
    audits: dict[int, list[Audit]] = {sweep.size(m, k): [] for m, k in sweep.settings}
    with uncollected():
        for turn in range(repetitions + 1):
            for (m, k), source in zip(sweep.settings, sources, strict=True):
                found = top_k(source, k, epsilon=k, engine=sweep.engine, rng=generator)
                if turn:  # the first turn warms up
                    audits[sweep.size(m, k)].append(found.audit)
            gc.collect()
    return audits


QUANTITIES: Final[dict[str, Callable[[list[Audit]], float]]] = {
    "accesses": lambda audits: statistics.fmean(audit.accesses for audit in audits),
    "noise draws": lambda audits: statistics.fmean(audit.noise_draws for audit in audits),
    "time": lambda audits: (
        statistics.fmean(audit.accesses for audit in audits)
        * min(audit.seconds / audit.accesses for audit in audits)
    ),
}
"""What grows, and the typical value of a group of selections."""
