"""Bugs of `privtopk.spec.upper_bounds.utility`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="gumbel-failure-counts-from-two",
        original="for j in range(1, min(k, SUMMED_TERMS) + 1))",
        mutated="for j in range(2, min(k, SUMMED_TERMS) + 1))",
        killers=("upper_bounds.utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="laplace-failure-halves-its-tail",
        original="return -math.expm1(count * math.log1p(-math.exp(-x) / 2))",
        mutated="return -math.expm1(count * math.log1p(-math.exp(-x) / 4))",
        killers=("upper_bounds.utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="laplace-bound-forgets-one-side",
        original="return 2 * (math.log(m) - math.log(2 * beta))",
        mutated="return math.log(m) - math.log(2 * beta)",
        killers=("upper_bounds.utility.quantiles_are_logarithmic",),
    ),
)
