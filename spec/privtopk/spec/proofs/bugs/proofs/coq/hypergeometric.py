"""Seeded bugs in the count of draws without replacement."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-draws-forget-what-is-drawn",
        original="'C(population - marked, draws - x).",
        mutated="'C(population - marked, draws).",
        killers=("coq.hypergeometric.marked_items_are_hypergeometric",),
    ),
)
