"""Theorems about draws without replacement, for every population of up to three items.

Paper: cor:chernoff-without-replacement.
Ours:  ours:batched-candidates.
"""

from privtopk.spec.laws.hypergeometric import (
    hypergeometric_cdf,
    hypergeometric_pmf,
    negative_hypergeometric_tail,
)
from privtopk.spec.proofs.instruments.premises import are_between, concrete, is_between
from privtopk.spec.upper_bounds.batched import expected_candidates_bound


def thm_the_probabilities_add_up(population: int, marked: int, draws: int) -> bool:
    """The law of the marked items drawn has mass 1, and its sums are the distribution function.

    Claim: cor:chernoff-without-replacement
    Seconds: 40
    pre: is_between(population, 1, 3)
    pre: are_between((marked, draws), 0, population)
    post: _
    """
    size, inside, drawn = concrete(population, 1, 3), concrete(marked, 0, 3), concrete(draws, 0, 3)
    law = [hypergeometric_pmf(size, inside, drawn, count) for count in range(size + 1)]
    sums = [hypergeometric_cdf(size, inside, drawn, count) for count in range(size + 1)]
    return all(sums[n] == sum(law[: n + 1]) for n in range(size + 1)) and sums[-1] == 1


def thm_the_mean_wait_is_the_bound_on_candidates(population: int, marked: int, k: int) -> bool:
    """The wait is at most the number of unmarked items; its mean is the bound on the candidates.

    Claim: ours:batched-candidates
    Seconds: 40
    pre: is_between(population, 1, 3)
    pre: is_between(marked, 1, population)
    pre: is_between(k, 1, marked)
    post: _
    """
    size, inside, count = concrete(population, 1, 3), concrete(marked, 1, 3), concrete(k, 1, 3)
    tail = [negative_hypergeometric_tail(size, inside, count, n) for n in range(size + 1)]
    return all((tail[n] > 0) == (n <= size - inside) for n in range(size + 1)) and (
        sum(tail[1:]) == expected_candidates_bound(size, count, inside)
    )
