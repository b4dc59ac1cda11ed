"""Theorems about the bounds on the rounds, for all sizes up to four.

Paper: thm:access-cost.
Ours:  ours:theorem-u, ours:rounds-law.
"""

from fractions import Fraction

from privtopk.spec.proofs.instruments.premises import concrete, is_between
from privtopk.spec.upper_bounds.access import (
    expected_rounds_exact,
    paper_cost_bound,
    rounds_quantile,
    rounds_tail,
    theorem_u_cost,
    theorem_u_rounds,
)

PROBABILITY = 0.6
REST = Fraction(2, 5)
"""1 - PROBABILITY. No tail of at most four items equals it, so floats and fractions agree."""


def thm_the_mean_keeps_theorem_u(m: int, k: int) -> bool:
    """The expected rounds are at most Theorem U's, whose cost is at most the paper's bound.

    Claim: ours:theorem-u, thm:access-cost
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    post: _
    """
    size, count = concrete(m, 1, 4), concrete(k, 1, 4)
    return expected_rounds_exact(size, count) <= theorem_u_rounds(size, count) and (
        2 * theorem_u_rounds(size, count) - 1e-9
        <= theorem_u_cost(size, count)
        <= paper_cost_bound(size, count)
    )


def thm_the_quantile_is_the_first_late_round(m: int, k: int) -> bool:
    """The quantile is the first round after which at most 2/5 of all runs continue.

    Claim: ours:rounds-law
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    post: _
    """
    size, count = concrete(m, 1, 4), concrete(k, 1, 4)
    r = rounds_quantile(size, count, PROBABILITY)
    return rounds_tail(size, count, r) <= REST < rounds_tail(size, count, r - 1)


def thm_the_rounds_lie_between_k_and_m(m: int, k: int, r: int) -> bool:
    """The lists cannot have k common items before round k, and have them by round m.

    Claim: ours:rounds-law
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    pre: is_between(r, 0, m)
    post: _
    """
    tail = rounds_tail(concrete(m, 1, 4), concrete(k, 1, 4), concrete(r, 0, 4))
    return 0 <= tail <= 1 and (r >= k or tail == 1) and (r < m or tail == 0)
