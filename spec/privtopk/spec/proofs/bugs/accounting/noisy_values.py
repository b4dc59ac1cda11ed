"""Bugs of `privtopk.spec.accounting.noisy_values`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="laplace-rates-grow-as-in-the-tail",
        original="return 2 if require_member",
        mutated="return 1 if require_member",
        killers=("accounting.noisy_values.growth_is_that_of_the_rates",),
    ),
    SeededBug(
        name="every-relation-moves-by-one-half",
        original="return Fraction(1, 2) if one_sided else Fraction(1)",
        mutated="return Fraction(1, 2)",
        killers=("accounting.noisy_values.scores_move_by_the_distance",),
    ),
    SeededBug(
        name="noisy-values-forget-their-second-order",
        original="steps * (curve + rise * stretch_of(steps, delta))",
        mutated="steps * (0 * curve + rise * stretch_of(steps, delta))",
        killers=("accounting.noisy_laplace.code_is_at_least_the_bound",),
    ),
    SeededBug(
        name="ln-delta-is-shared-twice",
        original="log_inverse(delta) / require_at_least",
        mutated="log_inverse(delta) / k / require_at_least",
        killers=("accounting.noisy_laplace.code_is_at_least_the_bound",),
    ),
    SeededBug(
        name="the-stretch-is-not-raised",
        original="raised_until(lambda higher: round_down(log_defect(higher), ERROR) >= share, z)",
        mutated="z",
        killers=("accounting.noisy_laplace.code_is_at_least_the_bound",),
    ),
    SeededBug(
        name="the-rate-is-not-lowered",
        original="return lowered_until(is_within, rate)",
        mutated="return rate",
        killers=("accounting.noisy_laplace.laplace_budgets_hold_in_balls",),
    ),
    SeededBug(
        name="printed-laplace-bound-loses-its-factor",
        original="round_up(8 * scale * math.sqrt",
        mutated="round_up(4 * scale * math.sqrt",
        killers=("accounting.noisy_laplace.printed_laplace_bound_follows",),
    ),
)
