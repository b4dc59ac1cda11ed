"""Bugs of `privtopk.spec.algorithms.one_shot`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="noise-is-subtracted",
        original="tuple(exact_sum(pair) for pair in",
        mutated="tuple(pair[0] - pair[1] for pair in",
        killers=("algorithms.one_shot.thm_the_selection_is_a_top_set_of_the_sums",),
    ),
)
