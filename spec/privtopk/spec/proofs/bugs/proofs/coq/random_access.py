"""Seeded bugs in Theorem S1."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-random-access-costs-all-of-m",
        original="^ 2 <= 2 * 'C(m, k) * \\sum",
        mutated="^ 2 <= 'C(m, k) * \\sum",
        killers=("coq.random_access.random_access_costs_half_of_m",),
    ),
)
