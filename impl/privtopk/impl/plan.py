"""The costs and the guarantee of a selection, before anything is read.

Everything here depends on parameters only: size of the domain, number of items, budget,
relation and prices. The figures hold for every score list; easy ones cost less.

The engine draws its candidates from all m items. It reads again the few that sorted access has
already delivered, because looking them up would take longer. So the number of candidates is that
of the two-phase algorithm with m unseen items, not with m minus the prefix.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final, SupportsFloat, SupportsIndex

from privtopk.impl.engines.batched import WASTE, latest_prefix
from privtopk.impl.scores.protocols import LARGEST_DOMAIN, required_costs
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee
from privtopk.spec.accounting.rounding import digits_at_least, float_at_least
from privtopk.spec.lower_bounds.certificate_search import best_certificate
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.number_types import plain
from privtopk.spec.model.parameters import (
    require_between,
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

LARGEST_PLANNED: Final = 10**8
"""A plan for more items would take minutes: its time grows with the square root of k."""

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
            (
                "guarantee",
                f"epsilon {digits_at_least(promise.epsilon, 6)}, "
                f"delta {digits_at_least(promise.delta, 3)}",
            ),
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
    m: SupportsIndex,
    k: SupportsIndex,
    *,
    epsilon: SupportsFloat,
    delta: SupportsFloat = 0,
    noise: NoiseKind = NoiseKind.GUMBEL,
    neighbours: Relation = Relation.ADD_REMOVE,
    costs: tuple[SupportsFloat, SupportsFloat] = (1, 1),
) -> Plan:
    """Return the costs and the guarantee of selecting k of m items under a total budget."""
    size = require_between("m", require_size(plain(m)), 1, LARGEST_DOMAIN)
    count = require_k(plain(k), size)
    if count > LARGEST_PLANNED:
        raise SelectionError(
            Reason.K_OUT_OF_RANGE, f"a plan needs k of at most {LARGEST_PLANNED}, got {count}"
        )
    total, allowed = require_epsilon(plain(epsilon)), require_delta(plain(delta))
    prices = sorted_cost, random_cost = required_costs(costs)
    per_item = calibrate(noise, total, count, size, neighbours, allowed)
    prefix = latest_prefix(size, count, sorted_cost, random_cost)
    early = WASTE * prefix * float(sorted_cost) / float(random_cost)
    both = met_population(size, prefix)
    price = two_phase_price_bound(both, count, prefix, sorted_cost, random_cost)
    return Plan(
        m=size,
        k=count,
        noise=noise,
        guarantee=guarantee(noise, per_item, count, size, neighbours, allowed),
        noise_scale=float_at_least(1 / Fraction(per_item)),
        prefix=prefix,
        expected_accesses=float(two_phase_cost_bound(both, count, prefix)) + early,
        accesses_99=two_phase_cost_quantile(both, count, prefix, 0.99),
        expected_price=float(price) + float(random_cost) * early,
        error_95=error_quantile(noise, per_item, 1 - ACCURACY, count, size),
        least_accesses=_least_price(size, count, total, allowed, (1, 1)),
        least_price=_least_price(size, count, total, allowed, prices),
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
