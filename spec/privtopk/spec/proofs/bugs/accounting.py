"""Bugs of the accounting and of the utility."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="range-forgets-its-relation",
        module="bounded_range",
        original="return scale if one_sided else 2 * scale",
        mutated="return scale",
        killers=("accounting.every_guarantee_holds_exactly",),
    ),
    SeededBug(
        name="zcdp-drops-a-term",
        module="bounded_range",
        original="return z * _langevin(z) + _increment(0.0, z)",
        mutated="return z * _langevin(z)",
        killers=("accounting.code_agrees_with_balls",),
    ),
    SeededBug(
        name="curve-is-off-by-one-order",
        module="bounded_range",
        original="return order * _increment(order * z, z) + _increment(z, order * z)",
        mutated="return order * _increment(order * z, z) + _increment(z, (order - 1) * z)",
        killers=("accounting.code_agrees_with_balls",),
    ),
    SeededBug(
        name="azuma-loses-its-half",
        module="composition",
        original="return steps * r * r / 8 + r * math.sqrt(steps * log_inverse(delta) / 2)",
        mutated="return steps * r * r / 8 + r * math.sqrt(steps * log_inverse(delta) / 4)",
        killers=("accounting.conversion_bounds_true_deltas",),
    ),
    SeededBug(
        name="selection-is-charged-once",
        module="composition",
        original='return require_at_least("k", k, 1) * r',
        mutated='return require_at_least("k", k, 1) // k * r',
        killers=("accounting.every_guarantee_holds_exactly",),
    ),
    SeededBug(
        name="gumbel-failure-counts-from-two",
        module="utility",
        original="for j in range(1, min(k, SUMMED_TERMS) + 1))",
        mutated="for j in range(2, min(k, SUMMED_TERMS) + 1))",
        killers=("utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="laplace-failure-halves-its-tail",
        module="utility",
        original="return -math.expm1(count * math.log1p(-math.exp(-x) / 2))",
        mutated="return -math.expm1(count * math.log1p(-math.exp(-x) / 4))",
        killers=("utility.failure_code_agrees_with_exact_laws",),
    ),
)
