"""Bugs of `privtopk.spec.algorithms.noisy_max`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="noisy-max-ignores-the-noise",
        original="top_items(noisy_scores(require_histogram(histogram), noise_values), 1)[0]",
        mutated="top_items(require_histogram(histogram), 1)[0]",
        killers=("algorithms.one_shot.thm_noisy_max_is_the_one_shot_of_one",),
    ),
)
