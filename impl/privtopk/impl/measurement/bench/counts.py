"""Mean numbers of accesses on every family, against their bounds."""

import math
from dataclasses import dataclass

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED, benchmark_input
from privtopk.impl.measurement.results import Findings, Row, Target
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName

STANDARD_ERRORS = 5.0
"""A mean may exceed its bound by so many standard errors: by chance it does so once in 3e6."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """What the mean cost of an engine must not exceed."""

    engine: Engine
    id: str
    formula: str
    value: float


def measure_accesses(sizes: Sizes) -> Findings:
    """Count accesses over many selections from every family."""
    m, k = sizes.access_m, sizes.k
    bounds = (
        _Bound(
            Engine.RANK_FREE,
            "accesses-threshold",
            "1 + sqrt(4mk + 1)",
            1 + math.sqrt(4 * m * k + 1),
        ),
        _Bound(Engine.BATCHED, "accesses-batched", "2 sqrt(mk)", 2 * math.sqrt(m * k)),
    )
    rows: list[Row] = []
    worst: dict[str, Target] = {}
    for name in FamilyName:
        data = benchmark_input(name, m, k)
        source, budget = IndexedScores(data.scores), data.budget(k)
        for bound in bounds:
            generator = np.random.default_rng(SEED)
            costs = [
                top_k(source, k, epsilon=budget, engine=bound.engine, rng=generator).audit.accesses
                for _ in range(sizes.access_runs)
            ]
            mean = float(np.mean(costs))
            error = float(np.std(costs, ddof=1)) / math.sqrt(len(costs))
            rows.append(
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
    return Findings(tuple(worst.values()), tuple(rows))


def _excess(target: Target) -> float:
    """Return by how much a mean exceeds its bound beyond chance; negative if it does not."""
    return target.value - target.margin
