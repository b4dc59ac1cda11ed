"""Bugs of `privtopk.spec.model.values`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="domain-starts-at-zero",
        original="range(1, m + 1)",
        mutated="range(m)",
        killers=("algorithms.threshold.thm_keep_best_keeps_each_item_once",),
    ),
)
