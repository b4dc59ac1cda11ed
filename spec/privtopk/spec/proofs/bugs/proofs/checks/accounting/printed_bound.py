"""Bugs of `privtopk.spec.proofs.checks.accounting.printed_bound`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="half-of-the-items-stay",
        original="q = _count_law(k, half, m - half, arb(1), x)",
        mutated="q = _count_law(k, half, m - half, arb(1), arb(1))",
        killers=("accounting.printed_bound.printed_approximate_bound_fails_at_l_infinity",),
    ),
)
