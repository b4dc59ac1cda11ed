"""Many selections from one input, and what they cost on average."""

import math
import statistics
from collections.abc import Iterable, Sequence

import numpy as np

from privtopk.impl.measurement.inputs import Input
from privtopk.impl.measurement.rows import Row
from privtopk.impl.selection import Audit, Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.noise.distributions import NoiseKind


def select_repeatedly(
    data: Input,
    k: int,
    epsilon: float,
    engine: str,
    runs: int,
    generator: np.random.Generator,
    costs: tuple[int, int] = (1, 1),
    noise: NoiseKind = NoiseKind.GUMBEL,
) -> list[Selection]:
    """Return a number of seeded selections; epsilon is the total budget of each, in votes."""
    budget = data.budget(epsilon)
    return [
        top_k(
            data.source, k, epsilon=budget, noise=noise, engine=engine, costs=costs, rng=generator
        )
        for _ in range(runs)
    ]


def price_of(audit: Audit, prices: tuple[int, int]) -> int:
    """Return the price of all accesses of a selection."""
    return prices[0] * audit.sorted_accesses + prices[1] * audit.random_accesses


def mean_of(numbers: Iterable[int]) -> float:
    """Return the mean of whole numbers."""
    return statistics.fmean(numbers)


def mean_counts(found: Sequence[Selection], **columns: str) -> Row:
    """Return columns with the means of what the audits of selections count."""
    return {
        column: mean_of(getattr(one.audit, count) for one in found)
        for column, count in columns.items()
    }


def spread_of(costs: Sequence[int]) -> Row:
    """Return the mean with its standard error, and the largest cost."""
    deviation = statistics.stdev(costs) if len(costs) > 1 else 0.0
    return {
        "mean": mean_of(costs),
        "standard_error": deviation / math.sqrt(len(costs)),
        "largest": max(costs),
    }
