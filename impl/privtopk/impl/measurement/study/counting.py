"""Cells that count: accesses, prices, noise draws and round trips of seeded selections."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from privtopk.impl.measurement.results import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.inputs import StudyInput, study_input
from privtopk.impl.measurement.study.lower_bound import least_accesses, least_price
from privtopk.impl.selection import Audit
from privtopk.impl.top_k import top_k
from privtopk.spec.upper_bounds.access import paper_cost_bound, theorem_u_cost
from privtopk.spec.upper_bounds.batched import cheapest_price_bound, default_cost_bound


@dataclass(frozen=True, slots=True)
class AccessCell(Cell):
    """How much an engine reads, draws and asks on one input."""

    topic: ClassVar[str] = "accesses"

    sweep: str
    """The picture that the cell belongs to: what varies."""

    engine: str
    family: str
    m: int
    k: int

    epsilon: float
    """The total budget, in votes."""

    runs: int

    def measure(self) -> list[Row]:
        """Select so many times."""
        audits = audited(self, study_input(self.family, self.m, self.k))
        costs = [audit.accesses for audit in audits]
        return [
            {
                **spread(costs),
                "sorted": mean_of(audit.sorted_accesses for audit in audits),
                "random": mean_of(audit.random_accesses for audit in audits),
                "noise_draws": mean_of(audit.noise_draws for audit in audits),
                "round_trips": mean_of(audit.round_trips for audit in audits),
                "theorem_u": theorem_u_cost(self.m, self.k),
                "paper": paper_cost_bound(self.m, self.k),
                "two_roots": default_cost_bound(self.m, self.k),
                "certificate": least_accesses(self.m, self.k, self.epsilon),
            }
        ]


@dataclass(frozen=True, slots=True)
class PriceCell(Cell):
    """What the default engine pays where one door is dearer than the other."""

    topic: ClassVar[str] = "prices"

    engine: str
    family: str
    m: int
    k: int
    epsilon: float
    sorted_cost: int
    random_cost: int
    runs: int

    def measure(self) -> list[Row]:
        """Select so many times at these prices."""
        prices = (self.sorted_cost, self.random_cost)
        audits = audited(self, study_input(self.family, self.m, self.k, prices), prices)
        paid = [price_of(audit, prices) for audit in audits]
        optimum = float(cheapest_price_bound(self.m, self.k, *prices))
        return [
            {
                **spread(paid),
                "sorted": mean_of(audit.sorted_accesses for audit in audits),
                "random": mean_of(audit.random_accesses for audit in audits),
                "optimum": optimum,
                "lower_bound": least_price(self.m, self.k, self.epsilon, prices),
            }
        ]


def audited(
    cell: AccessCell | PriceCell, data: StudyInput, costs: tuple[int, int] = (1, 1)
) -> list[Audit]:
    """Return the audits of all selections of a cell."""
    generator, budget = cell.generator, data.budget(cell.epsilon)
    return [
        top_k(
            data.source, cell.k, epsilon=budget, engine=cell.engine, costs=costs, rng=generator
        ).audit
        for _ in range(cell.runs)
    ]


def price_of(audit: Audit, prices: tuple[int, int]) -> int:
    """Return what the accesses of a selection cost."""
    return prices[0] * audit.sorted_accesses + prices[1] * audit.random_accesses


def spread(costs: Sequence[int]) -> Row:
    """Return the mean with its standard error, and the largest."""
    deviation = statistics.stdev(costs) if len(costs) > 1 else 0.0
    return {
        "mean": mean_of(costs),
        "standard_error": deviation / math.sqrt(len(costs)),
        "largest": max(costs),
    }


def mean_of(numbers: Iterable[int]) -> float:
    """Return the mean of whole numbers."""
    return statistics.fmean(numbers)
