"""Bugs of `privtopk.spec.proofs.checks.algorithms.selection`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="scores-of-the-witness-differ",
        original="StoredList((0, 0)), noises, 1)",
        mutated="StoredList((1, 0)), noises, 1)",
        killers=("algorithms.selection.threshold_breaks_ties_by_index",),
    ),
)
