"""Cells that compare promises with measurements: accuracy, plans, and lower bounds."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.inputs import Input, study_input, two_levels
from privtopk.impl.measurement.proportions import at_least, interval, two_sided
from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.selections import mean_of, price_of
from privtopk.impl.measurement.study.cell import Cell
from privtopk.impl.measurement.study.lower_bound import least_accesses
from privtopk.impl.plan import Plan, plan
from privtopk.impl.selection import Selection
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.batched import default_cost_bound
from privtopk.spec.upper_bounds.utility import error_bound, error_quantile, failure_probability

GAP = 1000
"""The difference of the two levels, in votes."""

TWO_LEVELS = "two levels"
"""The worst input for accuracy: k items, above the others by the promised error."""

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class AccuracyCell(Cell):
    """How often a selection fails its exact quantile on the worst input."""

    topic: ClassVar[str] = "accuracy"

    engine: str
    noise: str
    m: int
    k: int

    beta: float
    """The probability with which it should fail."""

    runs: int

    def measure(self) -> list[Row]:
        """Choose the noise so that a gap of 1000 votes is the quantile, and count failures."""
        kind = NoiseKind(self.noise)
        per_item = error_quantile(kind, 1, self.beta, self.k, self.m) / GAP
        data = two_levels(self.m, self.k, GAP)
        select = data.selector(
            self.k, self.k * per_item, noise=kind, engine=self.engine, rng=self.generator
        )
        failures = sum(is_missed(data, select(), GAP - 1) for _ in range(self.runs))
        low, high = interval(failures, self.runs, 1 - CONFIDENCE)
        return [
            {
                "failures": failures,
                "share": failures / self.runs,
                "low": low,
                "high": high,
                "expected": failure_probability(kind, per_item, GAP, self.k, self.m),
                "chance": two_sided(failures, self.runs, self.beta),
                "quantile_scales": GAP * per_item,
                "closed_bound_scales": error_bound(kind, 1, self.beta, self.k, self.m),
            }
        ]


@dataclass(frozen=True, slots=True)
class PlanCell(Cell):
    """The prediction of `privtopk plan`, and what was measured."""

    topic: ClassVar[str] = "plans"

    family: str
    m: int
    k: int
    epsilon: float
    sorted_cost: int
    random_cost: int
    runs: int

    def measure(self) -> list[Row]:
        """Select repeatedly by the default engine, as the plan assumes."""
        prices = (self.sorted_cost, self.random_cost)
        figures = plan(self.m, self.k, epsilon=self.epsilon, costs=prices)
        data = self._input(figures)
        select = data.selector(
            self.k, self.epsilon, engine=Engine.BATCHED, costs=prices, rng=self.generator
        )
        found = [select() for _ in range(self.runs)]
        mean = mean_of(one.audit.accesses for one in found)
        paid = mean_of(price_of(one.audit, prices) for one in found)
        above = sum(one.audit.accesses > figures.accesses_99 for one in found)
        missed = sum(is_missed(data, one, figures.error_95 / float(data.unit)) for one in found)
        return [
            {
                "predicted": figures.expected_accesses,
                "measured": mean,
                "error": relative_error(mean, figures.expected_accesses),
                "predicted_price": figures.expected_price,
                "measured_price": paid,
                "price_error": relative_error(paid, figures.expected_price),
                "predicted_99": figures.accesses_99,
                "share_above_99": above / self.runs,
                "chance_above_99": at_least(above, self.runs, 0.01),
                "predicted_error_95": figures.error_95,
                "share_missed": missed / self.runs,
                "chance_missed": at_least(missed, self.runs, 0.05),
            }
        ]

    def _input(self, figures: Plan) -> Input:
        if self.family == TWO_LEVELS:
            return two_levels(self.m, self.k, int(figures.error_95) + 1)
        return study_input(self.family, self.m, self.k, (self.sorted_cost, self.random_cost))


@dataclass(frozen=True, slots=True)
class CertificateCell(Cell):
    """The ratio of the upper bound to the lower one."""

    topic: ClassVar[str] = "certificates"

    m: int
    k: int
    epsilon: float

    def measure(self) -> list[Row]:
        """Compute both bounds."""
        certified = least_accesses(self.m, self.k, self.epsilon)
        upper = default_cost_bound(self.m, self.k)
        return [{"certificate": certified, "two_roots": upper, "gap": upper / certified}]


def is_missed(data: Input, found: Selection, error: float) -> bool:
    """Return whether a selected item scores more than `error` below the k-th best."""
    scores = data.source.scores(np.array(found.items, dtype=np.int64))
    bar = int(data.source.top(len(found.items) - 1, 1).scores[0])
    return bar - int(scores.min()) > error


def relative_error(measured: float, predicted: float) -> float:
    """Return (measured - predicted) / predicted."""
    return measured / predicted - 1
