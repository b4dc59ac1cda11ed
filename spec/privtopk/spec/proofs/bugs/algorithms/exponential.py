"""Bugs of `privtopk.spec.algorithms.exponential`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="exponential-law-is-not-normalised-by-all",
        original="everything = total(exact)",
        mutated="everything = max(exact)",
        killers=("algorithms.relatives.noisy_max_is_the_exponential_mechanism",),
    ),
)
