"""Bugs of `privtopk.spec.algorithms.atoms`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="ties-at-the-bar-stay-out",
        original="TieRule.AT_LEAST: 1,",
        mutated="TieRule.AT_LEAST: 0,",
        killers=("algorithms.atoms.thm_letting_in_ties_is_the_scan",),
    ),
    SeededBug(
        name="scan-breaks-ties-the-other-way",
        original="key=lambda item: (-scores[item], item)",
        mutated="key=lambda item: (-scores[item], -item)",
        killers=("algorithms.atoms.thm_letting_in_ties_is_the_scan",),
    ),
)
