"""Bugs of `privtopk.spec.laws.quadrature`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="panels-are-not-scaled",
        original="return half * math.fsum(",
        mutated="return 2 * half * math.fsum(",
        killers=("upper_bounds.utility.failure_code_agrees_with_exact_laws",),
    ),
)
