"""Seeded bugs in the bar of the two-phase algorithm."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-bar-one-place-higher",
        original="Definition bar := kth_best k [",
        mutated="Definition bar := kth_best k.-1 [",
        killers=("coq.batched.two_phases_lose_nobody",),
    ),
)
