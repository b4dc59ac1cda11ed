"""The guarantee of a selection of k items, and the noise that a given guarantee needs.

All statements are about one run that selects k of m items with noise of scale 1/epsilon. Each names
its neighbour relation, and covers the ranked list, and so the set.

- Gumbel: k times the range of a step, or one of the (epsilon, delta) bounds of `composition`.
- Laplace: fix the noise of all items outside the set S. Their largest noisy score rises by at most
  1, and each of the k scores in S falls by at most 1; under add/remove only one of the two
  happens. So each item of S contributes a factor e^(2 epsilon), or e^epsilon under add/remove.
- Laplace, approximate: Theorem N, which is in `noisy_values`.

Every epsilon and rho is rounded up, and the noise of a budget too, so that nothing is promised
that does not hold in real numbers; `rounding` says on which assumption. A pure epsilon is the exact
product if the epsilon of the noise is an integer or a fraction, and else the next double. The
others exceed their formulas by less than 10^-12 of their terms.

Paper:    fact:laplace-pure, fact:gumbel-pure, fact:gumbel-approximate, rem:ranked-release.
Deviates: erratum:neighbour-relation (every guarantee names its relation),
          erratum:gumbel-approximate, erratum:laplace-tight, erratum:parameter-ranges.
Ours:     ours:accounting-pure, ours:accounting-laplace, ours:noisy-values,
          ours:bounded-range-zcdp, ours:bounded-range-renyi.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.accounting.assumptions import Arithmetic, DomainAssumption, NoiseSource
from privtopk.spec.accounting.bounded_range import range_of_step
from privtopk.spec.accounting.composition import (
    printed_composition,
    pure_composition,
    renyi_composition,
    zcdp_composition,
    zcdp_of_steps,
)
from privtopk.spec.accounting.noisy_values import (
    distance_of,
    growth_of_rates,
    largest_rate,
    noisy_values_composition,
)
from privtopk.spec.accounting.rounding import digits_at_least, float_at_most
from privtopk.spec.accounting.widest_steps import widest_pure_steps, widest_renyi_steps
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.number_types import text_of
from privtopk.spec.model.parameters import (
    require_delta,
    require_epsilon,
    require_k,
    require_member,
    require_size,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind


@dataclass(frozen=True, slots=True)
class Guarantee:
    """(epsilon, delta)-DP of the whole selection under one neighbour relation."""

    epsilon: Number
    """Rounded up: the selection loses at most this in exact arithmetic."""

    delta: float
    relation: Relation

    theorem: str
    """The key of the claim from which it follows."""

    rho: float | None
    """The rho of zCDP of the whole selection, rounded up, or None if it is not known."""

    arithmetic: Arithmetic = Arithmetic.FLOATING_POINT
    """Whether the noise is exact or rounded to doubles."""

    noise_source: NoiseSource = NoiseSource.CRYPTOGRAPHIC
    """Whether the noise protects, or can be reproduced by everybody who knows a seed."""

    domain: DomainAssumption = DomainAssumption.DECLARED
    """Whether the items are known without the votes, or are assumed to be public."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """What must hold besides the theorem, one sentence each; empty in the usual case."""
        sentences = {
            NoiseSource.SEEDED: "NOT PRIVATE: the noise was seeded, so others can reproduce it",
            DomainAssumption.PUBLIC: "it is assumed that everybody may know which items there are",
        }
        return tuple(sentences[one] for one in (self.noise_source, self.domain) if one in sentences)

    @property
    def statement(self) -> str:
        """What is guaranteed and by which theorem, in one line for people."""
        approximate = f", delta {digits_at_least(self.delta, 3)}" if self.delta else ""
        relation = f"{self.relation.value} neighbours ({self.theorem})"
        return f"epsilon {digits_at_least(self.epsilon, 6)}{approximate}, {relation}"

    def __str__(self) -> str:
        """Return the statement with its conditions."""
        return "; ".join((self.statement, *self.conditions))


def guarantees(
    noise: NoiseKind, epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> tuple[Guarantee, ...]:
    """Return every guarantee that holds for this delta; the first one is pure.

    Paper:    fact:laplace-pure.
    Deviates: erratum:laplace-tight.
    Ours:     ours:accounting-laplace.
    """
    kind = require_member("noise", noise, NoiseKind)
    step_range = range_of_step(epsilon, relation)
    count = require_k(k, require_size(m))
    allowed = float_at_most(require_delta(delta))
    if kind == NoiseKind.LAPLACE:
        return _laplace_guarantees(step_range, epsilon, count, relation, allowed)
    return _gumbel_guarantees(step_range, count, relation, allowed)


def guarantee(
    noise: NoiseKind, epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> Guarantee:
    """Return the guarantee with the smallest epsilon, and of equal ones the pure one.

    Its delta is 0 or the given delta.
    """
    return min(guarantees(noise, epsilon, k, m, relation, delta), key=lambda one: one.epsilon)


def calibrate(
    noise: NoiseKind, total_epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> float:
    """Return the largest epsilon of the noise for which the guarantee is at most total_epsilon.

    It is rounded down, so that the guarantee keeps to total_epsilon in exact arithmetic. A total
    that needs noise of an infinite scale is refused.
    """
    kind = require_member("noise", noise, NoiseKind)
    total = require_epsilon(total_epsilon, "total_epsilon")
    item_range = int(range_of_step(1, relation))
    count = require_k(k, require_size(m))
    allowed = float_at_most(require_delta(delta))
    largest = widest_pure_steps(total, count * item_range)
    if kind == NoiseKind.GUMBEL and allowed > 0:
        steps = widest_renyi_steps(total, count, allowed)
        largest = max(largest, float_at_most(Fraction(steps) / item_range))
    if kind == NoiseKind.LAPLACE and allowed > 0:
        by_values = largest_rate(kind, total, count, distance_of(relation), allowed)
        largest = max(largest, by_values)
    if largest == 0 or 1 / largest == math.inf:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"total_epsilon={float(total)} is too small to be shared by k={text_of(k)} items",
        )
    return largest


def _laplace_guarantees(
    item_epsilon: Number, epsilon: Number, k: int, relation: Relation, delta: float
) -> tuple[Guarantee, ...]:
    """Return the guarantees under Laplace noise, where each item of the set costs item_epsilon."""
    pure = Guarantee(
        pure_composition(item_epsilon, k), 0.0, relation, "ours:accounting-laplace", None
    )
    if delta == 0:
        return (pure,)
    growth = growth_of_rates(NoiseKind.LAPLACE, epsilon, distance_of(relation))
    approximate = noisy_values_composition(growth, k, delta)
    return pure, Guarantee(approximate, delta, relation, "ours:noisy-values", None)


def _gumbel_guarantees(
    step_range: Number, k: int, relation: Relation, delta: float
) -> tuple[Guarantee, ...]:
    """Return the guarantees under Gumbel noise."""
    rho = zcdp_of_steps(step_range, k)
    pure = Guarantee(pure_composition(step_range, k), 0.0, relation, "ours:accounting-pure", rho)
    if delta == 0:
        return (pure,)
    approximate = (
        ("fact:gumbel-approximate", printed_composition(step_range, k, delta)),
        ("ours:bounded-range-zcdp", zcdp_composition(step_range, k, delta)),
        ("ours:bounded-range-renyi", renyi_composition(step_range, k, delta)),
    )
    return pure, *(
        Guarantee(epsilon, delta, relation, theorem, rho) for theorem, epsilon in approximate
    )
