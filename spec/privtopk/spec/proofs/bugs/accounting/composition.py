"""Bugs of `privtopk.spec.accounting.composition`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="azuma-loses-its-half",
        original="steps * r * r / 8, r * math.sqrt(steps * log_inverse(delta) / 2)",
        mutated="steps * r * r / 8, r * math.sqrt(steps * log_inverse(delta) / 4)",
        killers=("accounting.guarantee.conversion_bounds_true_deltas",),
    ),
    SeededBug(
        name="selection-is-charged-once",
        original='steps = require_at_least("k", k, 1)',
        mutated='steps = require_at_least("k", k, 1) // k',
        killers=("accounting.guarantee.every_guarantee_holds_exactly",),
    ),
)
