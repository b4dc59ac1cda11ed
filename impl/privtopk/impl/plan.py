"""The costs and the guarantee of a selection, before anything is read.

Everything here depends on parameters only: size of the domain, number of items, budget,
relation and prices. The figures hold for every score list; easy ones cost less.

The engine draws its candidates from all m items. It reads again the few that sorted access has
already delivered, because looking them up would take longer. So the number of candidates is that
of the two-phase algorithm with m unseen items, not with m minus the prefix.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final

from privtopk.impl.engines.batched import WASTE, latest_prefix
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee
from privtopk.spec.accounting.rounding import float_at_least
from privtopk.spec.lower_bounds.certificate_search import best_certificate
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import (
    require_cost,
    require_delta,
    require_epsilon,
    require_k,
    require_size,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.batched import (
    two_phase_cost_bound,
    two_phase_cost_quantile,
    two_phase_price_bound,
)
from privtopk.spec.upper_bounds.utility import error_quantile

ACCURACY: Final = 0.95
"""The probability that a selection is as accurate as planned."""

SCOPE: Final = "on average over hard inputs, for any private and accurate algorithm"
"""What the lower bounds are about."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The figures of a selection by the batched engine on the worst score list."""

    m: int
    k: int
    noise: NoiseKind
    guarantee: Guarantee

    noise_scale: float
    """The scale 1/epsilon of the noise of one item, in votes, rounded up."""

    prefix: int
    """The largest number of items that sorted access delivers."""

    expected_accesses: float
    """A bound on the mean number of accesses through both doors."""

    accesses_99: int
    """A number of accesses that is not exceeded in 99 % of all selections."""

    expected_price: float
    """A bound on the mean cost, with the prices of the two doors."""

    error_95: float
    """The 95 % quantile of the votes by which a selected item falls short of the k-th best."""

    least_accesses: float
    """A lower bound on the mean accesses of any private and accurate algorithm, on some input."""

    least_price: float
    """The same bound on its mean cost, with the prices of the two doors."""

    def as_json(self) -> dict[str, object]:
        """Return the plan as plain data."""
        return asdict(self)

    def as_text(self) -> str:
        """Return the plan as text, one figure per line."""
        promise = self.guarantee
        lines = (
            ("items", f"{self.k} of {self.m:,}"),
            ("guarantee", f"epsilon {float(promise.epsilon):.6g}, delta {promise.delta:.3g}"),
            ("neighbours", promise.relation.value),
            ("theorem", promise.theorem),
            ("noise", f"{self.noise.value}, scale {self.noise_scale:.4g} votes"),
            ("sorted accesses", f"at most {self.prefix:,}"),
            ("accesses, mean", f"at most {self.expected_accesses:,.0f}"),
            ("accesses, 99 %", f"at most {self.accesses_99:,}"),
            ("price, mean", f"at most {self.expected_price:,.6g}"),
            ("error, 95 %", f"at most {self.error_95:,.4g} votes below the k-th best"),
            ("lower bound", f"{self.least_accesses:,.0f} accesses, {SCOPE}"),
            ("least price", f"{self.least_price:,.6g}, {SCOPE}"),
        )
        return "\n".join(f"{name:<16} {value}" for name, value in lines)


def plan(
    m: int,
    k: int,
    *,
    epsilon: Number,
    delta: Number = 0,
    noise: NoiseKind = NoiseKind.GUMBEL,
    neighbours: Relation = Relation.ADD_REMOVE,
    costs: tuple[Number, Number] = (1, 1),
) -> Plan:
    """Return the costs and the guarantee of selecting k of m items under a total budget."""
    require_k(k, require_size(m))
    require_epsilon(epsilon)
    require_delta(delta)
    sorted_cost, random_cost = (
        require_cost("sorted_cost", costs[0]),
        require_cost("random_cost", costs[1]),
    )
    per_item = calibrate(noise, epsilon, k, m, neighbours, delta)
    prefix = latest_prefix(m, k, sorted_cost, random_cost)
    early = WASTE * prefix * float(sorted_cost) / float(random_cost)
    both = met_population(m, prefix)
    price = two_phase_price_bound(both, k, prefix, sorted_cost, random_cost)
    return Plan(
        m=m,
        k=k,
        noise=noise,
        guarantee=guarantee(noise, per_item, k, m, neighbours, delta),
        noise_scale=float_at_least(1 / Fraction(per_item)),
        prefix=prefix,
        expected_accesses=float(two_phase_cost_bound(both, k, prefix)) + early,
        accesses_99=two_phase_cost_quantile(both, k, prefix, 0.99),
        expected_price=float(price) + float(random_cost) * early,
        error_95=error_quantile(noise, per_item, 1 - ACCURACY, k, m),
        least_accesses=_least_price(m, k, epsilon, delta, (1, 1)),
        least_price=_least_price(m, k, epsilon, delta, costs),
    )


def _least_price(
    m: int, k: int, epsilon: Number, delta: Number, costs: tuple[Number, Number]
) -> float:
    """Return a lower bound on the cost of algorithms that are accurate with probability 0.95."""
    certified = best_certificate(m, k, epsilon, delta, 1 - ACCURACY, costs)
    return max(k * float(min(costs)), certified.bound)


def met_population(m: int, prefix: int) -> int:
    """Return the size of a domain with m items after the prefix; m if the prefix is everything."""
    return m + prefix if prefix < m else m
