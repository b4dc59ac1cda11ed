"""Cells that count: accesses, prices, noise draws and round trips of seeded selections."""

from dataclasses import dataclass
from typing import ClassVar

from privtopk.impl.measurement.inputs import study_input
from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.selections import (
    mean_counts,
    price_of,
    spread_of,
)
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.lower_bound import least_accesses, least_price
from privtopk.spec.upper_bounds.access import paper_cost_bound, theorem_u_cost
from privtopk.spec.upper_bounds.batched import cheapest_price_bound, default_cost_bound


@dataclass(frozen=True, slots=True)
class AccessCell(Cell):
    """What an engine reads, draws and asks for on one input."""

    topic: ClassVar[str] = "accesses"

    sweep: str
    """The parameter that varies in the figure of this cell."""

    engine: str
    family: str
    m: int
    k: int

    epsilon: float
    """The total budget, in votes."""

    runs: int

    def measure(self) -> list[Row]:
        """Select repeatedly, and count."""
        data = study_input(self.family, self.m, self.k)
        select = data.selector(self.k, self.epsilon, engine=self.engine, rng=self.generator)
        found = [select() for _ in range(self.runs)]
        return [
            {
                **spread_of([one.audit.accesses for one in found]),
                **mean_counts(
                    found,
                    sorted="sorted_accesses",
                    random="random_accesses",
                    noise_draws="noise_draws",
                    round_trips="round_trips",
                ),
                "theorem_u": theorem_u_cost(self.m, self.k),
                "paper": paper_cost_bound(self.m, self.k),
                "two_roots": default_cost_bound(self.m, self.k),
                "certificate": least_accesses(self.m, self.k, self.epsilon),
            }
        ]


@dataclass(frozen=True, slots=True)
class PriceCell(Cell):
    """What the default engine pays where one door is more expensive than the other."""

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
        """Select repeatedly at these prices, and add up what is paid."""
        prices = (self.sorted_cost, self.random_cost)
        data = study_input(self.family, self.m, self.k, prices)
        select = data.selector(
            self.k, self.epsilon, engine=self.engine, costs=prices, rng=self.generator
        )
        found = [select() for _ in range(self.runs)]
        return [
            {
                **spread_of([price_of(one.audit, prices) for one in found]),
                **mean_counts(found, sorted="sorted_accesses", random="random_accesses"),
                "optimum": float(cheapest_price_bound(self.m, self.k, *prices)),
                "lower_bound": least_price(self.m, self.k, self.epsilon, prices),
            }
        ]
