"""The number of rounds of the threshold algorithm, and bounds on its access cost.

List the items by score and, independently, by noise. Let T be the first round after which both
lists have shown k common items; the threshold algorithm stops after at most T rounds. The order of
the noises is a uniform permutation, so the law of T depends on m and k alone: T > r says that the
first r items of one list contain fewer than k of the first r items of the other. Every bound here
is on the rounds or, at two accesses per round, on the cost on the score list. The algorithm as
printed makes three accesses per round, one and a half times as many.

Paper:    thm:access-cost, lem:cost-tail, lem:cost-tail-large, lem:cost-tail-real,
          cor:exponential-mechanism, cor:chernoff-without-replacement,
          fact:hoeffding-reduction, fact:gamma.
Deviates: erratum:cost-parity, erratum:claim-one, erratum:tail-proof, erratum:gamma-chain,
          erratum:high-probability.
Ours:     ours:theorem-u, ours:rounds-law.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from privtopk.spec.laws.hypergeometric import (
    hypergeometric_cdf,
    hypergeometric_cdf_float,
    hypergeometric_log_pmf,
)
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_between,
    require_k,
    require_number,
    require_probability,
    require_size,
)
from privtopk.spec.model.values import Number

INVISIBLE: Final = 1e-40
"""Less probable rounds are left out of the sum; for m <= 10^12 they change it by below 1e-15."""


def rounds_tail(m: int, k: int, r: int) -> Fraction:
    """Return P(T > r), the probability that r rounds do not suffice, for 0 <= r <= m.

    Ours: ours:rounds-law.
    """
    require_k(k, require_size(m))
    require_between("r", r, 0, m)
    return hypergeometric_cdf(m, r, r, k - 1)


def rounds_tail_float(m: int, k: int, r: int) -> float:
    """Return `rounds_tail` as a float, for m up to 10^12."""
    require_k(k, require_size(m))
    require_between("r", r, 0, m)
    return hypergeometric_cdf_float(m, r, r, k - 1)


def rounds_law(m: int, k: int) -> dict[int, Fraction]:
    """Return the law of T: each number of rounds that is possible, with its probability."""
    tails = [rounds_tail(m, k, r) for r in range(m + 1)]
    drops = {r: tails[r - 1] - tails[r] for r in range(1, m + 1)}
    return {r: probability for r, probability in drops.items() if probability > 0}


def expected_rounds_exact(m: int, k: int) -> Fraction:
    """Return E[T], the sum of P(T > r) over all r; the time is of order m^2 k."""
    return sum((rounds_tail(m, k, r) for r in range(m)), Fraction(0))


def expected_rounds(m: int, k: int) -> float:
    """Return E[T] with relative error below 1e-9, in time of order sqrt(mk)."""
    mean = 0.0
    for r, probability in visible_rounds(m, k):
        mean += r * probability
    return mean


def visible_rounds(m: int, k: int) -> Iterator[tuple[int, float]]:
    """Yield each r with P(T = r) in floats, except where this is below `INVISIBLE`.

    The box of the first r items of both lists grows by a row, then by a column. T is r if one of
    these two steps finds the k-th common item. `short` is the probability that exactly k - 1 have
    been found; each step multiplies it by an exact ratio.
    """
    require_k(k, require_size(m))
    r = _first_visible_round(m, k)
    short = math.exp(hypergeometric_log_pmf(m, r, r, k - 1))
    while short > INVISIBLE:
        growth = (r + 1) / (r + 2 - k) / (m - r)
        by_row = short * (r + 1 - k) / (m - r)
        short *= growth * (m - 2 * r + k - 1)
        by_column = short * (r + 2 - k) / (m - r)
        short *= growth * (m - 2 * r + k - 2)
        r += 1
        yield r, by_row + by_column


def _first_visible_round(m: int, k: int) -> int:
    """Return the first r at which k - 1 common items have a probability above `INVISIBLE`.

    That probability rises up to a mode and then falls; at sqrt(m(k-1)) it is large.
    """
    rounds = range(k - 1, math.isqrt(m * (k - 1)) + 1)
    level = math.log(INVISIBLE)
    return rounds[
        bisect_left(rounds, True, key=lambda r: hypergeometric_log_pmf(m, r, r, k - 1) > level)
    ]


def rounds_quantile(m: int, k: int, probability: Number) -> int:
    """Return the smallest r with P(T <= r) >= probability, decided in floats."""
    require_k(k, require_size(m))
    level = 1 - require_probability("probability", probability)
    rounds = range(k, m + 1)
    return rounds[bisect_left(rounds, True, key=lambda r: rounds_tail_float(m, k, r) <= level)]


def theorem_u_rounds(m: int, k: int) -> float:
    """Return 1/2 + sqrt(mk + 1/4); E[T] is at most this.

    Ours: ours:theorem-u.
    """
    require_k(k, require_size(m))
    return 0.5 + math.sqrt(m * k + 0.25)


def theorem_u_cost(m: int, k: int) -> float:
    """Return 1 + sqrt(4mk + 1), twice `theorem_u_rounds`, below 2 sqrt(mk) + 5/4."""
    require_k(k, require_size(m))
    return 1 + math.sqrt(4 * m * k + 1)


def paper_cost_bound(m: int, k: int) -> float:
    """Return 2 (sqrt(mk) + sqrt(m) / sqrt(2)), the paper's bound of the expected cost.

    Paper:    thm:access-cost, cor:exponential-mechanism.
    Deviates: erratum:high-probability.
    """
    require_k(k, require_size(m))
    return 2 * (math.sqrt(m * k) + math.sqrt(m) / math.sqrt(2))


def paper_tail_bound(m: int, k: int, r: Number) -> float:
    """Return (e mu / k)^k e^-mu with mu = r^2 / m, for real r with sqrt(mk) <= r <= m.

    The paper bounds by it the probability that the cost is at least 2r.

    Paper:    lem:cost-tail, lem:cost-tail-large, lem:cost-tail-real.
    Deviates: erratum:tail-proof.
    """
    require_k(k, require_size(m))
    require_number("r", r)
    if not (0 < r <= m and r * r >= m * k):
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE, f"r must be between sqrt({m * k}) and m={m}, got {r}"
        )
    mu = float(r * r) / m
    return math.exp(k * (1 + math.log(mu / k)) - mu)
