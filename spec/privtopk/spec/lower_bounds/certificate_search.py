"""A search for the sizes of the hard input that give the best lower bound.

Given the low size a and the number c of hits that count, a hit should have the same price through
both doors; this fixes s. The search over the two integers a and c goes from coarse to fine. Every
certificate that it computes is valid, so the answer is valid even if a better one exists. The
search is in floats and takes milliseconds for every m up to 2^60. Each bound is rounded down by
more than its error.

Paper: thm:lower-both.
Ours:  ours:hit-certificate.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf_float, hypergeometric_log_pmf
from privtopk.spec.lower_bounds.hit_certificate import EQUAL_COSTS, require_hits
from privtopk.spec.model.parameters import (
    require_cost,
    require_delta,
    require_failure,
    require_k,
    require_loss,
    require_size,
)
from privtopk.spec.model.values import Number

FIRST_ZOOM: Final = 16.0
"""The search starts with values up to 16 times smaller or larger than the first guess."""

LAST_ZOOM: Final = 1.01
"""The search ends when its values differ by at most 1 percent."""

GRID: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""The values that it tries at each zoom, as exponents of the zoom."""

ROUNDED_DOWN: Final = 1 - 1e-12
ROUNDED_UP: Final = 1 + 1e-12
"""Products and quotients of a few floats have a relative error below 10^-12."""

TAIL_ERROR: Final = 1e-11
"""An upper bound on the float error of a tail of at most 4,000 terms; epsilon may magnify it."""

NEGLIGIBLE_DEVIATIONS: Final = 10
"""Fewer hits than 10 deviations below the mean have a negligible probability."""

LONGEST_SUM: Final = 4000
"""Longer sums are replaced by a lower bound that is computed by blocks."""

BLOCKS: Final = 400


@dataclass(frozen=True, slots=True)
class Terms:
    """What the algorithm promises, and the prices of its accesses."""

    shrinkage: float
    """e^-epsilon; it may be 0 as a double."""

    delta: float
    beta: float
    sorted_cost: float
    random_cost: float

    def kept_probability(self, tail: float) -> float:
        """Return the least probability that privacy leaves, given the one that accuracy demands."""
        chance = (1 - self.beta) * tail - TAIL_ERROR
        shrunk = self.shrinkage * (chance - self.delta)
        lost = (1 - chance) / self.shrinkage if self.shrinkage else math.inf
        return max(0.0, shrunk, 1 - self.delta - lost)


@dataclass(frozen=True, slots=True)
class HitCertificate:
    """A choice of sizes with the bound that it proves."""

    size: int
    """The number s of items in S."""

    low_size: int
    """The number a of items in the low set."""

    hits: int
    """The number c of low items that count."""

    bound: float
    """No algorithm has a smaller expected price; 0 is trivial."""


def terms_of(epsilon: Number, delta: Number, beta: Number, costs: tuple[Number, Number]) -> Terms:
    """Return checked parameters as floats."""
    return Terms(
        math.exp(-require_loss(epsilon)),
        float(require_delta(delta)),
        float(require_failure("beta", beta)),
        float(require_cost("sorted_cost", costs[0])),
        float(require_cost("random_cost", costs[1])),
    )


def hit_certificate(
    m: int,
    k: int,
    s: int,
    a: int,
    hits: int,
    epsilon: Number,
    delta: Number,
    beta: Number,
    costs: tuple[Number, Number] = EQUAL_COSTS,
) -> HitCertificate:
    """Return the certified bound in floats, at most `hit_certificate_exact`."""
    require_hits(m, k, s, a, hits)
    return _certificate_of(m, k, s, a, hits, terms_of(epsilon, delta, beta, costs))


def best_certificate(
    m: int,
    k: int,
    epsilon: Number,
    delta: Number,
    beta: Number,
    costs: tuple[Number, Number] = EQUAL_COSTS,
) -> HitCertificate:
    """Return the best certificate that the search finds."""
    require_k(k, require_size(m))
    terms = terms_of(epsilon, delta, beta, costs)
    best = max(
        (_balanced_certificate(m, k, a, hits, terms) for a, hits in _guesses(m, k, terms)),
        key=lambda found: found.bound,
    )
    zoom = FIRST_ZOOM
    while zoom > LAST_ZOOM:
        looks = (
            _balanced_certificate(m, k, a, hits, terms) for a, hits in _nearby(m, k, best, zoom)
        )
        best = max((best, *looks), key=lambda found: found.bound)
        zoom = math.sqrt(zoom)
    return best


def _guesses(m: int, k: int, terms: Terms) -> Iterator[tuple[int, int]]:
    """Yield pairs of a low size and a number of hits from which the search starts."""
    ratio = terms.random_cost / terms.sorted_cost
    for hits in {1, math.ceil(math.sqrt(k)), math.ceil(k / 2)}:
        share = min(0.5, 1.2 * hits / k)
        size = math.sqrt(hits * m * ratio / (share * (1 - share)))
        low = max(hits, round(share * min(max(size, k), m)))
        yield low, hits


def _nearby(m: int, k: int, centre: HitCertificate, zoom: float) -> Iterator[tuple[int, int]]:
    """Yield low sizes and hits that are up to `zoom` times those of a certificate, or its parts."""
    low_sizes = {min(max(round(centre.low_size * zoom**x), 1), m) for x in GRID}
    counts = {min(max(round(centre.hits * zoom**x), 1), k) for x in GRID}
    yield from ((a, c) for a in sorted(low_sizes) for c in sorted(counts) if c <= a)


def _balanced_certificate(m: int, k: int, a: int, hits: int, terms: Terms) -> HitCertificate:
    """Return the better of the two certificates with nearly equal prices of a hit at both doors."""
    cheaper = min(terms.sorted_cost, terms.random_cost)
    surplus = hits * (terms.random_cost * (m + 1) - cheaper * (a + 1))
    balance = surplus / (terms.sorted_cost * (a + 1) + terms.random_cost * hits)
    highs = {min(max(math.floor(balance) + x, 0, k - a), m - a) for x in (0, 1)}
    looks = (_certificate_of(m, k, high + a, a, hits, terms) for high in sorted(highs))
    return max(looks, key=lambda found: found.bound)


def _certificate_of(m: int, k: int, s: int, a: int, hits: int, terms: Terms) -> HitCertificate:
    """Return the certificate for parameters that have been checked."""
    hidden = m - s + a
    cheaper = min(terms.sorted_cost, terms.random_cost)
    rate = max(
        (a + 1) / (hidden + 1) / terms.random_cost,
        hits / (terms.sorted_cost * (s - a) + cheaper * hits),
    )
    spread = hits / (2 * (a + 2 - hits)) * ((hidden - a) / (hidden + 1)) / (a + 2)
    luck = (hits - 1) * math.sqrt(spread) / 2
    bound = ROUNDED_DOWN * (_demanded_hits(k, s, a, hits, terms) - ROUNDED_UP * luck) / rate
    return HitCertificate(s, a, hits, max(0.0, bound))


def _demanded_hits(k: int, s: int, a: int, hits: int, terms: Terms) -> float:
    """Return the hits that must be returned on average, or slightly less.

    Fewer than `start` hits have a negligible probability, so the first terms are equal.
    """
    mean = float(Fraction(k * a, s))
    start = math.floor(mean - NEGLIGIBLE_DEVIATIONS * (1 + math.sqrt(mean)))
    start = min(max(start, 0, k - (s - a)), hits)
    if hits - start > LONGEST_SUM:
        return _demanded_hits_by_blocks(mean, hits, terms)
    tail = 1 - hypergeometric_cdf_float(s, a, k, start - 1) if start else 1.0
    total = start * terms.kept_probability(tail)
    weight = math.exp(hypergeometric_log_pmf(s, a, k, start))
    for j in range(start, hits):
        tail -= weight
        kept = terms.kept_probability(tail)
        if kept == 0:
            break
        total += kept
        weight *= (a - j) * (k - j) / ((j + 1) * (s - a - k + j + 1))
    return total


def _demanded_hits_by_blocks(mean: float, hits: int, terms: Terms) -> float:
    """Return a lower bound on a long sum: each term of a block is replaced by its last term.

    By Chernoff's bound, which also holds without replacement, fewer than j hits have a probability
    of at most exp(-(mean - j + 1)^2 / (2 mean)).
    """
    ends = [hits * block // BLOCKS for block in range(BLOCKS + 1)]
    total = 0.0
    for before, end in pairwise(ends):
        distance = max(0.0, mean - end + 1)
        total += (end - before) * terms.kept_probability(
            -math.expm1(-distance * distance / (2 * mean))
        )
    return total
