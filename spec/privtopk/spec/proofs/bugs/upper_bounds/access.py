"""Bugs of `privtopk.spec.upper_bounds.access`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="the-kth-item-does-not-end-the-rounds",
        original="return hypergeometric_cdf(m, r, r, k - 1)",
        mutated="return hypergeometric_cdf(m, r, r, k)",
        killers=("upper_bounds.access.thm_the_rounds_lie_between_k_and_m",),
    ),
    SeededBug(
        name="theorem-u-subtracts-its-half",
        original="return 0.5 + math.sqrt(m * k + 0.25)",
        mutated="return math.sqrt(m * k) - 0.5",
        killers=("upper_bounds.access.thm_the_mean_keeps_theorem_u",),
    ),
    SeededBug(
        name="paper-bound-subtracts-its-second-term",
        original="return 2 * (math.sqrt(m * k) + math.sqrt(m) / math.sqrt(2))",
        mutated="return 2 * (math.sqrt(m * k) - math.sqrt(m) / math.sqrt(2))",
        killers=("upper_bounds.access.thm_the_mean_keeps_theorem_u",),
    ),
    SeededBug(
        name="the-quantile-is-one-round-late",
        original="bisect_left(rounds, True, key=lambda r: rounds_tail_float(m, k, r) <= level)",
        mutated="bisect_left(rounds, True, key=lambda r: rounds_tail_float(m, k, r - 1) <= level)",
        killers=("upper_bounds.access.thm_the_quantile_is_the_first_late_round",),
    ),
    SeededBug(
        name="mean-rounds-start-at-one",
        original="for r in range(m)), Fraction(0))",
        mutated="for r in range(1, m)), Fraction(0))",
        killers=("upper_bounds.rounds.expected_cost_is_no_random_variable",),
    ),
)
