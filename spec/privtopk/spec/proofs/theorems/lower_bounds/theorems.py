"""Theorems about the sizes and misses behind the lower bounds, for all small sizes.

Paper:    lem:report-low-items.
Deviates: erratum:integrality.
Ours:     ours:lower-sorted.
"""

from fractions import Fraction

from privtopk.spec.lower_bounds.theorems import miss_probability, sorted_low_size
from privtopk.spec.proofs.instruments.premises import concrete, is_between

ABOVE_ONE_OVER_E = Fraction(3, 8)
"""A fraction above 1/e = 0.3679."""


def thm_the_low_set_is_the_smallest_that_is_rarely_missed(m: int, k: int) -> bool:
    """S2's low set is the smallest that k independent draws miss with probability at most 1/2.

    Claim: ours:lower-sorted
    Seconds: 40
    pre: is_between(m, 1, 5)
    pre: is_between(k, 1, m)
    post: _
    """
    size, count = concrete(m, 1, 5), concrete(k, 1, 5)
    a = sorted_low_size(size, count, 0)
    missed = [Fraction(size - n, size) ** count for n in (a, a - 1)]
    return missed[0] <= Fraction(1, 2) < missed[1]


def thm_a_larger_low_set_is_missed_less(size: int, k: int, low: int) -> bool:
    """The chance to miss the low set falls with its size, from 1 to 0.

    Claim: lem:report-low-items
    Seconds: 40
    pre: is_between(size, 1, 4)
    pre: is_between(k, 1, size)
    pre: is_between(low, 1, size)
    post: _
    """
    items, count, lows = concrete(size, 1, 4), concrete(k, 1, 4), concrete(low, 1, 4)
    before, after = (miss_probability(items, count, n) for n in (lows - 1, lows))
    return after <= before and (after == 0) == (count + lows > items)


def refuted_a_low_set_rounded_down_is_missed_rarely(size: int, k: int) -> bool:
    """A low set of floor(|S|/k) items is missed with probability at most 1/e.

    Claim: erratum:integrality
    Seconds: 40
    pre: is_between(size, 1, 6)
    pre: is_between(k, 1, size)
    post: _
    """
    items, count = concrete(size, 1, 6), concrete(k, 1, 6)
    return miss_probability(items, count, items // count) <= ABOVE_ONE_OVER_E
