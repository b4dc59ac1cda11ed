"""Bugs of `privtopk.spec.upper_bounds.batched`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="early-noise-loses-a-factor",
        original="math.lgamma(k + 2)",
        mutated="math.lgamma(k + 3)",
        killers=("upper_bounds.batched_cost.early_noise_costs_little",),
    ),
    SeededBug(
        name="candidates-bound-lacks-its-one",
        original="Fraction((m - r) * k, r + 1)",
        mutated="Fraction((m - r) * k, r)",
        killers=("upper_bounds.batched.thm_no_prefix_is_better_than_the_optimal_one",),
    ),
    SeededBug(
        name="optimal-prefix-is-one-too-long",
        original="return balance_point(k * (m + 1)) - 1",
        mutated="return balance_point(k * (m + 1))",
        killers=("upper_bounds.batched.thm_no_prefix_is_better_than_the_optimal_one",),
    ),
    SeededBug(
        name="default-prefix-is-rounded-down",
        original="return 1 + math.isqrt(m * k - 1)",
        mutated="return math.isqrt(m * k)",
        killers=("upper_bounds.batched.thm_the_default_prefix_is_the_root_rounded_up",),
    ),
    SeededBug(
        name="cheapest-prefix-always-reads-k-items",
        original="candidates = (0, min(max(balance, k), m))",
        mutated="candidates = (k, min(max(balance, k), m))",
        killers=("upper_bounds.batched.thm_no_prefix_is_cheaper_than_the_cheapest",),
    ),
    SeededBug(
        name="balance-favours-the-dear-door",
        original="balance_point(math.floor(k * (m + 1) * by_random / by_sorted)) - 1",
        mutated="balance_point(math.floor(k * (m + 1) * by_sorted / by_random)) - 1",
        killers=("upper_bounds.prices.cheapest_prefix_is_the_cheapest",),
    ),
    SeededBug(
        name="candidates-quantile-starts-at-zero",
        original="negative_hypergeometric_tail_float(m, r, k, n + 1) <= level",
        mutated="negative_hypergeometric_tail_float(m, r, k, n) <= level",
        killers=("upper_bounds.batched.thm_the_quantile_is_the_smallest_number_of_candidates",),
    ),
)
