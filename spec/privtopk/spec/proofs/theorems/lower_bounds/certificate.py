"""Theorems about what a private algorithm must report, for all small sizes.

Paper: lem:report-low-items.
Ours:  ours:certificate.
"""

from fractions import Fraction

from privtopk.spec.lower_bounds.certificate import report_probability
from privtopk.spec.lower_bounds.theorems import miss_probability
from privtopk.spec.proofs.instruments.premises import concrete, is_between


def thm_delta_and_beta_are_taken_off(s: int, k: int, a: int) -> bool:
    """A low item is reported with probability e^-epsilon ((1 - beta) P(hit) - delta).

    Claim: lem:report-low-items, ours:certificate
    Seconds: 40
    pre: is_between(s, 1, 3)
    pre: is_between(k, 1, s)
    pre: is_between(a, 1, s)
    post: _
    """
    size, count, low = concrete(s, 1, 3), concrete(k, 1, 3), concrete(a, 1, 3)
    shrinkage, eighth = Fraction(1, 2), Fraction(1, 8)
    hit = 1 - miss_probability(size, count, low)
    reported = report_probability(count, size, low, shrinkage, eighth, eighth)
    return reported == shrinkage * (Fraction(7, 8) * hit - eighth)
