"""The guarantee of a selection of k items, and the noise that a given guarantee needs.

All statements are about one run that selects k of m items with noise of scale 1/epsilon. Each names
its neighbour relation. Under Gumbel noise they cover the ranked list, and so the set; under Laplace
noise they cover the set only.

- Gumbel: k times the range of a step, or one of the (epsilon, delta) bounds of `composition`.
- Laplace: fix the noise of all items outside the set S. Their largest noisy score rises by at most
  1, and each of the k scores in S falls by at most 1; under add/remove only one of the two
  happens. So each item of S contributes a factor e^(2 epsilon), or e^epsilon under add/remove.
- Laplace, approximate: cited from Qiao, Su and Zhang (2021), not proved here. It is chosen only if
  the caller allows it.

Numbers are doubles with a relative error of about 10^-14. The pure ones are exact if epsilon is an
integer or a fraction.

Paper:    fact:laplace-pure, fact:laplace-approximate, fact:gumbel-pure,
          fact:gumbel-approximate, rem:ranked-release.
Deviates: erratum:neighbour-relation (every guarantee names its relation),
          erratum:gumbel-approximate, erratum:laplace-tight, erratum:laplace-hypothesis
          (delta > 0, natural logarithm), erratum:parameter-ranges.
Ours:     ours:accounting-pure, ours:accounting-laplace, ours:bounded-range-zcdp,
          ours:bounded-range-renyi.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privtopk.spec.accounting.assumptions import Arithmetic, DomainAssumption, NoiseSource
from privtopk.spec.accounting.bounded_range import range_of_step
from privtopk.spec.accounting.composition import (
    printed_composition,
    pure_composition,
    renyi_composition,
    zcdp_composition,
    zcdp_of_steps,
)
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import (
    require_delta,
    require_epsilon,
    require_k,
    require_member,
    require_size,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

LARGEST_CITED_DELTA: Final = 0.05
LARGEST_CITED_EPSILON: Final = 0.2
"""The hypotheses of the approximate Laplace bound, as its authors state them."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """(epsilon, delta)-DP of the whole selection under one neighbour relation."""

    epsilon: Number
    delta: float
    relation: Relation

    theorem: str
    """The key of the claim from which it follows."""

    rho: float | None
    """The rho of zCDP of the whole selection, or None if it is not known."""

    is_proved: bool
    """False if the claim is only cited from the literature."""

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
        approximate = f", delta {self.delta:.3g}" if self.delta else ""
        relation = f"{self.relation.value} neighbours ({self.theorem})"
        return f"epsilon {float(self.epsilon):.6g}{approximate}, {relation}"

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
    allowed = float(require_delta(delta))
    if kind == NoiseKind.LAPLACE:
        return _laplace_guarantees(step_range, epsilon, count, m, relation, allowed)
    return _gumbel_guarantees(step_range, count, relation, allowed)


def guarantee(
    noise: NoiseKind,
    epsilon: Number,
    k: int,
    m: int,
    relation: Relation,
    delta: Number,
    *,
    allow_cited: bool = False,
) -> Guarantee:
    """Return the guarantee with the smallest epsilon, and of equal ones the pure one.

    Its delta is 0 or the given delta. Cited guarantees are considered only if allow_cited is set.
    """
    known = guarantees(noise, epsilon, k, m, relation, delta)
    return min((one for one in known if one.is_proved or allow_cited), key=lambda one: one.epsilon)


def calibrate(
    noise: NoiseKind,
    total_epsilon: Number,
    k: int,
    m: int,
    relation: Relation,
    delta: Number,
    *,
    allow_cited: bool = False,
) -> float:
    """Return the largest epsilon of the noise for which the guarantee is at most total_epsilon.

    It is rounded down, so that `guarantee`, as computed for it, is at most total_epsilon.
    """
    kind = require_member("noise", noise, NoiseKind)
    total = require_epsilon(total_epsilon, "total_epsilon")
    item_range = range_of_step(1, relation)
    pure_share = float(total) / (require_k(k, require_size(m)) * item_range)
    require_delta(delta)

    def is_within(epsilon: float) -> bool:
        """Return whether the guarantee for noise of scale 1/epsilon is at most the total."""
        known = guarantee(kind, epsilon, k, m, relation, delta, allow_cited=allow_cited)
        return known.epsilon <= total

    largest = _largest(is_within, pure_share)
    if largest == 0:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE,
            f"total_epsilon={total_epsilon} is too small to be shared by k={k} items",
        )
    return largest


def laplace_cited_epsilon(epsilon: Number, k: int, m: int, delta: Number) -> float | None:
    """Return 8 epsilon sqrt(k ln(m/delta)), or None where its hypotheses fail.

    It holds for l-infinity neighbours, and so for the other relations. It holds for the set only:
    its proof assumes that the order is not released.

    Paper:    fact:laplace-approximate.
    Deviates: erratum:laplace-hypothesis.
    """
    scale = float(require_epsilon(epsilon))
    count = require_k(k, require_size(m))
    allowed = float(require_delta(delta))
    if m < 2 or not 0 < allowed <= LARGEST_CITED_DELTA:
        return None
    value = 8 * scale * math.sqrt(count * (math.log(m) - math.log(allowed)))
    return value if value <= LARGEST_CITED_EPSILON else None


def _largest(is_within: Callable[[float], bool], start: float) -> float:
    """Return the largest float that is within, searched upwards from about start, or 0."""
    low = start
    while low > 0 and not is_within(low):
        low = math.nextafter(low, 0.0)
    high = 2 * low
    while 0 < high < math.inf and is_within(high):
        low, high = high, 2 * high
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (middle, high) if is_within(middle) else (low, middle)
    return low


def _laplace_guarantees(
    item_epsilon: Number, epsilon: Number, k: int, m: int, relation: Relation, delta: float
) -> tuple[Guarantee, ...]:
    """Return the guarantees under Laplace noise, where each item of the set costs item_epsilon."""
    pure = Guarantee(
        pure_composition(item_epsilon, k), 0.0, relation, "ours:accounting-laplace", None, True
    )
    cited = laplace_cited_epsilon(epsilon, k, m, delta)
    if cited is None:
        return (pure,)
    return pure, Guarantee(cited, delta, relation, "fact:laplace-approximate", None, False)


def _gumbel_guarantees(
    step_range: Number, k: int, relation: Relation, delta: float
) -> tuple[Guarantee, ...]:
    """Return the guarantees under Gumbel noise."""
    rho = zcdp_of_steps(step_range, k)
    pure = Guarantee(
        pure_composition(step_range, k), 0.0, relation, "ours:accounting-pure", rho, True
    )
    if delta == 0:
        return (pure,)
    approximate = (
        ("fact:gumbel-approximate", printed_composition(step_range, k, delta)),
        ("ours:bounded-range-zcdp", zcdp_composition(step_range, k, delta)),
        ("ours:bounded-range-renyi", renyi_composition(step_range, k, delta)),
    )
    return pure, *(
        Guarantee(epsilon, delta, relation, theorem, rho, True) for theorem, epsilon in approximate
    )
