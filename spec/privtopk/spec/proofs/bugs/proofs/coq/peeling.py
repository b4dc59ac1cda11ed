"""Seeded bugs in the law of peeling."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-peeling-with-replacement",
        original="remaining_weight (take j ranking)\n  = n`!",
        mutated="remaining_weight [::]\n  = n`!",
        killers=("coq.peeling.peeling_is_one_shot",),
    ),
    SeededBug(
        name="coq-ranking-by-last-tickets",
        original="then x :: [seq y <- first_appearances rest | y != x] else",
        mutated="then rcons [seq y <- first_appearances rest | y != x] x else",
        killers=("coq.peeling.peeling_is_one_shot",),
    ),
)
