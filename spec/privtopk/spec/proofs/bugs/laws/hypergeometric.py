"""Bugs of `privtopk.spec.laws.hypergeometric`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="drawn-items-count-as-marked",
        original="    ways = math.comb(marked, count) *",
        mutated="    ways = math.comb(draws, count) *",
        killers=("laws.hypergeometric.thm_the_probabilities_add_up",),
    ),
    SeededBug(
        name="distribution-function-leaves-out-its-count",
        original="for x in range(min(count, draws) + 1)",
        mutated="for x in range(min(count, draws))",
        killers=("laws.hypergeometric.thm_the_probabilities_add_up",),
    ),
    SeededBug(
        name="wait-is-one-item-longer",
        original="return hypergeometric_cdf(population, marked, n + k - 1, k - 1)",
        mutated="return hypergeometric_cdf(population, marked, n + k - 2, k - 1)",
        killers=("laws.hypergeometric.thm_the_mean_wait_is_the_bound_on_candidates",),
    ),
    SeededBug(
        name="a-moment-counts-the-items-left",
        original="draws, x) * base**x for x in",
        mutated="draws, x) * base ** (draws - x) for x in",
        killers=("laws.hypergeometric.moments_of_common_items_are_poisson_like",),
    ),
)
