"""A lower bound on the expected access cost that can be computed for given parameters.

The hard input has a set S of s items on top. A random low set of a of them is one vote below the
others. Privacy and accuracy force the algorithm to return a low item with some probability. Within
the first s - a accesses only random access can find one, among M = m - s + a items; after t
accesses all are still hidden with probability C(M-t, a) / C(M, a). So the cost exceeds t with
probability at least

    [e^-epsilon ((1-beta) (1 - C(s-k, a) / C(s, a)) - delta) - 1 + C(M-t, a) / C(M, a)]_+

and the sum over t is a lower bound on its mean. Every choice of s and a gives a valid bound.
`hit_certificate` counts the low items that are returned; its bound is never smaller.

Paper:    thm:lower-both, lem:report-low-items, lem:lower-e1.
Deviates: erratum:low-set-size, erratum:nine-eta, erratum:three-eightieths,
          erratum:integrality.
Ours:     ours:certificate.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.laws.hypergeometric import hypergeometric_log_pmf, hypergeometric_pmf
from privtopk.spec.lower_bounds.theorems import miss_probability
from privtopk.spec.model.parameters import (
    require_between,
    require_delta,
    require_failure,
    require_k,
    require_loss,
    require_shrinkage,
    require_size,
)
from privtopk.spec.model.values import Number


@dataclass(frozen=True, slots=True)
class Certificate:
    """A choice of sizes with the bound that it proves."""

    size: int
    """The number s of items in S."""

    low_size: int
    """The number a of items in the low set."""

    bound: float
    """No algorithm has a smaller expected access cost; 0 is trivial."""


def require_sizes(m: int, k: int, s: int, a: int) -> None:
    """Refuse sizes other than k <= s <= m and 1 <= a <= s."""
    require_k(k, require_size(m))
    require_between("s", s, k, m)
    require_between("a", a, 1, s)


def report_probability(
    k: int, s: int, a: int, shrinkage: Fraction, delta: Number, beta: Number
) -> Fraction:
    """Return a lower bound on the probability of returning a low item, at least 0.

    On the neighbour without the last vote the low items have the same score as the rest of S.

    Paper: lem:report-low-items.
    """
    accurate = 1 - Fraction(require_failure("beta", beta))
    hit = accurate * (1 - miss_probability(s, k, a)) - Fraction(require_delta(delta))
    return max(Fraction(0), require_shrinkage(shrinkage) * hit)


def hidden_probability(m: int, s: int, a: int, t: int) -> Fraction:
    """Return C(M-t, a) / C(M, a), M = m - s + a: P(t random accesses find no low item).

    Paper: lem:lower-e1.
    """
    require_between("s", s, 1, require_size(m))
    require_between("a", a, 1, s)
    return hypergeometric_pmf(m - s + a, a, t, 0)


def certificate_exact(
    m: int, k: int, s: int, a: int, shrinkage: Fraction, delta: Number, beta: Number
) -> Fraction:
    """Return the certified bound as a fraction, given shrinkage = e^-epsilon exactly.

    The terms fall with t, so the positive ones come first; their binomials sum to
    (C(M+1, a+1) - C(M+1-terms, a+1)) / C(M, a).

    Ours: ours:certificate.
    """
    require_sizes(m, k, s, a)
    hidden = m - s + a
    silence = 1 - report_probability(k, s, a, shrinkage, delta, beta)
    terms = bisect_left(
        range(min(s - a, hidden) + 1),
        True,
        key=lambda t: hidden_probability(m, s, a, t) <= silence,
    )
    met = math.comb(hidden + 1, a + 1) - math.comb(hidden + 1 - terms, a + 1)
    return Fraction(met, math.comb(hidden, a)) - terms * silence


def certificate(
    m: int, k: int, s: int, a: int, epsilon: Number, delta: Number, beta: Number
) -> Certificate:
    """Return the certified bound in floats, with an error below 1e-13 (m / a + s)."""
    require_sizes(m, k, s, a)
    shrinkage = math.exp(-require_loss(epsilon))
    hit = 1 - math.exp(hypergeometric_log_pmf(s, k, a, 0))
    reported = (1 - float(require_failure("beta", beta))) * hit - float(require_delta(delta))
    hidden, silence = m - s + a, 1 - max(0.0, shrinkage * reported)
    log_silence = math.log(silence) if silence > 0 else -math.inf
    terms = bisect_left(
        range(min(s - a, hidden) + 1),
        True,
        key=lambda t: hypergeometric_log_pmf(hidden, a, t, 0) <= log_silence,
    )
    if terms == 0:
        return Certificate(s, a, 0.0)
    last = math.exp(hypergeometric_log_pmf(hidden, a, terms - 1, 0))
    met = (hidden + 1 - last * (hidden + 1 - terms - a)) / (a + 1)
    return Certificate(s, a, max(0.0, met - terms * silence))
