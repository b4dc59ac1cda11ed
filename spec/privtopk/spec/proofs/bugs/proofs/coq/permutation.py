"""Seeded bugs in the lazy permutation."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-draw-never-takes-the-next-place",
        original="[forall n : 'I_m, n <= tape n]].",
        mutated="[forall n : 'I_m, n < tape n]].",
        killers=("coq.permutation.lazy_permutation_is_uniform",),
    ),
    SeededBug(
        name="coq-item-is-not-exchanged",
        original="(exchange (items st) revealed item_place).",
        mutated="(exchange (items st) position_place item_place).",
        killers=("coq.permutation.answers_are_final",),
    ),
)
