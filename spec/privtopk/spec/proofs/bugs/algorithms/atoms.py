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
    SeededBug(
        name="chance-above-skips-the-next-value",
        original="if z > value), Fraction(0))",
        mutated="if z > value + 1), Fraction(0))",
        killers=("noise.distributions.generalised_inverse_has_the_law",),
    ),
)
