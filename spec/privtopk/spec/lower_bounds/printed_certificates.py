"""Lower bounds from the paper's own random inputs, computed for given parameters.

The theorems of the paper say Omega(m); these are the numbers behind it. Against random access each
item has score n with probability 2k/m. After q accesses, in any order, the number of items found
with score n is Bin(q, 2k/m). An accurate output needs k of them, unless there are fewer than k in
all. So the cost exceeds q with probability at least

    [1 - beta - P(Bin(q, 2k/m) >= k) - P(Bin(m, 2k/m) < k)]_+

Against sorted access S is the first half of the items, of which |S|/k are low. The other items of
S come first, so |S| - |S|/k accesses come before the first low item.

Paper:    thm:lower-random, thm:lower-sorted, lem:report-low-items.
Deviates: erratum:integrality, erratum:low-set-size.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeVar

from privtopk.spec.lower_bounds.certificate import report_probability
from privtopk.spec.lower_bounds.hard_families import printed_sorted_sizes
from privtopk.spec.model.parameters import require_between, require_failure, require_size
from privtopk.spec.model.values import Number

Chance = TypeVar("Chance", float, Fraction)


def printed_random_exact(m: int, k: int, beta: Number) -> Fraction:
    """Return the sum of the bound against random access as a fraction.

    Paper: thm:lower-random.
    """
    require_between("k", k, 1, require_size(m) // 2)
    return _sum_positive_terms(m, k, Fraction(require_failure("beta", beta)), Fraction(2 * k, m))


def printed_random_sum(m: int, k: int, beta: Number) -> float:
    """Return the same sum in floats, with an error below 1e-12 m."""
    require_between("k", k, 1, require_size(m) // 2)
    return _sum_positive_terms(m, k, float(require_failure("beta", beta)), 2 * k / m)


def _sum_positive_terms(m: int, k: int, beta: Chance, chance: Chance) -> Chance:
    """Return the sum of the bound over q, in the arithmetic of the probabilities."""
    too_few = list(too_few_met(m, k, chance))
    slack = beta + too_few[m]
    return sum((missing - slack for missing in too_few if missing > slack), start=0 * chance)


def too_few_met(m: int, k: int, chance: Chance) -> Iterator[Chance]:
    """Yield P(Bin(q, chance) < k) for q = 0, ..., m."""
    none = 0 * chance
    law: list[Chance] = [none + 1] + [none] * (k - 1)
    for _ in range(m + 1):
        yield sum(law, start=none)
        for i in reversed(range(k)):
            law[i] += chance * ((law[i - 1] if i else none) - law[i])


def printed_sorted_product(
    m: int, k: int, shrinkage: Fraction, delta: Number, beta: Number
) -> Fraction:
    """Return the number of accesses up to a low item times the probability of returning one.

    The algorithm is (epsilon, delta)-private with shrinkage = e^-epsilon, and (n-2, k)-accurate
    with probability 1 - beta. For k = 1 all of S is low, and the bound is trivial.

    Paper: thm:lower-sorted.
    """
    s, a = printed_sorted_sizes(m, k)
    return (s - a + 1) * report_probability(k, s, a, shrinkage, delta, beta)
