"""Seeded bugs in the constants of Theorem U."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-theorem-u-with-k-less-one",
        original="m`! ^ 2 * (4 * (m * k) + 1).",
        mutated="m`! ^ 2 * (4 * (m * k.-1) + 1).",
        killers=("coq.theorem_u.theorem_u",),
    ),
    SeededBug(
        name="coq-square-of-rounds-with-k-less-one",
        original="noise_rank).-1 <= m * k * m`!.",
        mutated="noise_rank).-1 <= m * k.-1 * m`!.",
        killers=("coq.theorem_u.mean_square_of_meeting_round",),
    ),
)
