"""Seeded bugs in Theorem F."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-fixed-accesses-with-one-item-too-few",
        original="Definition is_enough := k <= #|",
        mutated="Definition is_enough := k <= 1 + #|",
        killers=("coq.fixed_accesses.fixed_accesses_are_one_shot",),
    ),
    SeededBug(
        name="coq-chance-to-read-everything-with-k-less-one",
        original="m`! * draws_below m t t k.",
        mutated="m`! * draws_below m t t k.-1.",
        killers=("coq.fixed_accesses.chance_to_read_everything",),
    ),
    SeededBug(
        name="coq-pair-pays-for-one-side-only",
        original="(delta + (1 + factor) * rare))%R.",
        mutated="(delta + rare))%R.",
        killers=("coq.fixed_accesses.pair_of_items_and_cost_is_private",),
    ),
)
