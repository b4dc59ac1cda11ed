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
    SeededBug(
        name="printed-bound-drops-its-root",
        original="math.tanh(r / 2), r * math.sqrt(steps * log_inverse(delta))",
        mutated="math.tanh(r / 2), 0.0",
        killers=("accounting.printed_bound.printed_bound_is_above_zcdp",),
    ),
    SeededBug(
        name="printed-bound-drops-its-tanh",
        original="steps * r * math.tanh(r / 2), r * math.sqrt(steps * log_inverse(delta))",
        mutated="0.0, r * math.sqrt(steps * log_inverse(delta))",
        killers=("accounting.printed_bound.printed_bound_is_above_zcdp",),
    ),
    SeededBug(
        name="printed-bound-has-the-root-of-two",
        original="math.tanh(r / 2), r * math.sqrt(steps * log_inverse(delta))",
        mutated="math.tanh(r / 2), r * math.sqrt(2 * steps * log_inverse(delta))",
        killers=("accounting.printed_bound.printed_term_is_not_theirs",),
    ),
)
