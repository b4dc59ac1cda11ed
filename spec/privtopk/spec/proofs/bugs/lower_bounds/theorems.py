"""Bugs of `privtopk.spec.lower_bounds.theorems`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="low-size-skips-an-exact-half",
        original="(m - a) ** k <= missed * m**k",
        mutated="(m - a) ** k < missed * m**k",
        killers=("lower_bounds.theorems.thm_the_low_set_is_the_smallest_that_is_rarely_missed",),
    ),
    SeededBug(
        name="one-hit-counts-as-a-miss",
        original="return hypergeometric_pmf(size, low_size, k, 0)",
        mutated="return hypergeometric_pmf(size, low_size, k, 1)",
        killers=("lower_bounds.theorems.thm_a_larger_low_set_is_missed_less",),
    ),
    SeededBug(
        name="high-items-are-met-too-early",
        original="Fraction(math.comb(terms, k + 1), everything)",
        mutated="Fraction(math.comb(terms, k), everything)",
        killers=("lower_bounds.random_access.random_access_costs_half_of_m",),
    ),
    SeededBug(
        name="the-first-low-item-comes-for-free",
        original="return (m - a + 1) * require_shrinkage(shrinkage) * hit",
        mutated="return (m + 1) * require_shrinkage(shrinkage) * hit",
        killers=("lower_bounds.low_items.real_mechanism_pays_the_sorted_bound",),
    ),
    SeededBug(
        name="low-set-is-as-rare-as-for-one-item",
        original="(m - a) ** k <= missed * m**k",
        mutated="m - a <= missed * m",
        killers=("lower_bounds.low_items.ingredients_of_the_sorted_bound",),
    ),
    SeededBug(
        name="cheaper-door-is-forgotten",
        original="return min(by_sorted * m, by_random * m, both) / UNEQUAL_COST_SHARE",
        mutated="return min(by_sorted * m, both) / UNEQUAL_COST_SHARE",
        killers=("lower_bounds.prices.priced_cases_reach_the_share",),
    ),
)
