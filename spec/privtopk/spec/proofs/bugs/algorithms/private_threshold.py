"""Bugs of `privtopk.spec.algorithms.private_threshold`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="private-threshold-reads-the-scores-twice",
        original="threshold_algorithm((scores, noises), k",
        mutated="threshold_algorithm((scores, scores), k",
        killers=("algorithms.private_threshold.thm_with_ties_it_is_still_a_top_set",),
    ),
)
