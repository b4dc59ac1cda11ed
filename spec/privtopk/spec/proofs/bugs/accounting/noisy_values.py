"""Bugs of `privtopk.spec.accounting.noisy_values`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="laplace-rates-grow-as-in-the-tail",
        original="sides = 2 if require_member",
        mutated="sides = 1 if require_member",
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
        original="(log_defect(rise) + rise * stretch_of(steps, delta))",
        mutated="(rise * stretch_of(steps, delta))",
        killers=("accounting.noisy_values.code_solves_for_the_stretch",),
    ),
    SeededBug(
        name="ln-delta-is-shared-twice",
        original="share = log_inverse(delta) / require_at_least",
        mutated="share = log_inverse(delta) / k / require_at_least",
        killers=("accounting.noisy_values.code_solves_for_the_stretch",),
    ),
)
