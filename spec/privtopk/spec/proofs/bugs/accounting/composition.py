"""Bugs of `privtopk.spec.accounting.composition`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="azuma-loses-its-half",
        original="return steps * r * r / 8 + r * math.sqrt(steps * log_inverse(delta) / 2)",
        mutated="return steps * r * r / 8 + r * math.sqrt(steps * log_inverse(delta) / 4)",
        killers=("accounting.guarantee.conversion_bounds_true_deltas",),
    ),
    SeededBug(
        name="selection-is-charged-once",
        original='return require_at_least("k", k, 1) * r',
        mutated='return require_at_least("k", k, 1) // k * r',
        killers=("accounting.guarantee.every_guarantee_holds_exactly",),
    ),
    SeededBug(
        name="printed-bound-drops-its-root",
        original=(
            "    return steps * r * math.tanh(r / 2) + r * math.sqrt(steps * log_inverse(delta))\n"
        ),
        mutated="    return steps * r * math.tanh(r / 2)\n",
        killers=("accounting.printed_bound.printed_bound_is_above_zcdp",),
    ),
    SeededBug(
        name="printed-bound-drops-its-tanh",
        original=(
            "    return steps * r * math.tanh(r / 2) + r * math.sqrt(steps * log_inverse(delta))\n"
        ),
        mutated="    return r * math.sqrt(steps * log_inverse(delta))\n",
        killers=("accounting.printed_bound.printed_bound_is_above_zcdp",),
    ),
)
