"""Theorems about the bounds on rounds and candidates, for all sizes up to three or four.

Paper: thm:access-cost.
Ours:  ours:theorem-u, ours:rounds-law, ours:batched-candidates.
"""

from fractions import Fraction

from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail
from privtopk.spec.proofs.instruments.premises import is_between, listed
from privtopk.spec.upper_bounds.access import (
    expected_rounds_exact,
    paper_cost_bound,
    rounds_quantile,
    rounds_tail,
    theorem_u_cost,
    theorem_u_rounds,
)
from privtopk.spec.upper_bounds.batched import candidates_quantile

PROBABILITY = 0.6
REST = Fraction(2, 5)
"""No tail of so few items equals it, so floats decide as fractions do."""


def thm_the_mean_keeps_theorem_u(m: int, k: int) -> bool:
    """The expected rounds keep Theorem U, whose cost keeps the paper's bound.

    Claim: ours:theorem-u, thm:access-cost
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    post: _
    """
    size, count = listed(m, 1, 4), listed(k, 1, 4)
    return expected_rounds_exact(size, count) <= theorem_u_rounds(size, count) and (
        2 * theorem_u_rounds(size, count) - 1e-9
        <= theorem_u_cost(size, count)
        <= paper_cost_bound(size, count)
    )


def thm_the_quantile_is_the_first_late_round(m: int, k: int) -> bool:
    """The quantile is the first round after which no more than the rest of all runs go on.

    Claim: ours:rounds-law
    Seconds: 40
    pre: is_between(m, 1, 4)
    pre: is_between(k, 1, m)
    post: _
    """
    size, count = listed(m, 1, 4), listed(k, 1, 4)
    r = rounds_quantile(size, count, PROBABILITY)
    return rounds_tail(size, count, r) <= REST < rounds_tail(size, count, r - 1)


def thm_the_quantile_is_the_smallest_number_of_candidates(m: int, k: int, r: int) -> bool:
    """The quantile is the smallest number of candidates that the rest of all runs exceed.

    Claim: ours:batched-candidates
    Seconds: 40
    pre: is_between(m, 1, 3)
    pre: is_between(r, 1, m)
    pre: is_between(k, 1, r)
    post: _
    """
    sizes = listed(m, 1, 3), listed(r, 1, 3), listed(k, 1, 3)
    n = candidates_quantile(sizes[0], sizes[2], sizes[1], PROBABILITY)
    exceeding, reaching = (negative_hypergeometric_tail(*sizes, count) for count in (n + 1, n))
    return exceeding <= REST < reaching
