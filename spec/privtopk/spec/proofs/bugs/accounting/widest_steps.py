"""Bugs of `privtopk.spec.accounting.widest_steps`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="widest-steps-are-not-lowered",
        original="lowered_until(lambda lower: renyi_composition(lower, k, delta) <= total, r)",
        mutated="r",
        killers=("accounting.rounding.approximate_budgets_hold_in_balls",),
    ),
)
