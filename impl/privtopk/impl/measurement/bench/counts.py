"""The mean number of accesses on every family, against its bound."""

import math
from dataclasses import dataclass

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED, make_input
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import number
from privtopk.impl.measurement.selections import spread_of
from privtopk.spec.inputs.families import FamilyName
from privtopk.spec.upper_bounds.access import theorem_u_cost
from privtopk.spec.upper_bounds.batched import default_cost_bound

STANDARD_ERRORS = 5.0
"""Standard errors by which a mean may exceed its bound; chance exceeds that once in 3e6."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """The bound of an engine's mean cost."""

    engine: Engine
    id: str
    formula: str
    value: float


def measure_accesses(sizes: Sizes) -> Findings:
    """Count accesses over many selections from every family."""
    m, k = sizes.access_m, sizes.k
    bounds = (
        _Bound(Engine.RANK_FREE, "accesses-threshold", "1 + sqrt(4mk + 1)", theorem_u_cost(m, k)),
        _Bound(Engine.BATCHED, "accesses-batched", "2 sqrt(mk)", default_cost_bound(m, k)),
    )
    findings = Findings()
    worst: dict[str, Target] = {}
    for name in FamilyName:
        data = make_input(name, m, k)
        for bound in bounds:
            generator = np.random.default_rng(SEED)
            select = data.selector(k, k, engine=bound.engine, rng=generator)
            spread = spread_of([select().audit.accesses for _ in range(sizes.access_runs)])
            mean, error = number(spread, "mean"), number(spread, "standard_error")
            findings.rows.append(
                {
                    "topic": f"mean accesses, m={m:,}, k={k}",
                    "engine": bound.engine.value,
                    "family": name.value,
                    "mean": mean,
                    "standard error": error,
                    "mean / sqrt(mk)": mean / math.sqrt(m * k),
                    "mean / bound": mean / bound.value,
                }
            )
            target = Target(
                bound.id,
                f"{bound.engine.value}: mean accesses over {bound.formula}, worst: {name.value}",
                mean / bound.value,
                at_most=1.0,
                margin=STANDARD_ERRORS * error / bound.value,
            )
            worst[bound.id] = max(worst.get(bound.id, target), target, key=_excess)
    findings.targets += worst.values()
    return findings


def _excess(target: Target) -> float:
    """Return how far a mean is above its margin of chance; the largest is the worst."""
    return target.value - target.margin
