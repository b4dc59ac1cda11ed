"""Bugs of `privtopk.spec.algorithms.exponential`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="exponential-law-is-not-normalised-by-all",
        original="everything = total(exact)",
        mutated="everything = max(exact)",
        killers=("algorithms.relatives.noisy_max_is_the_exponential_mechanism",),
    ),
    SeededBug(
        name="exponential-law-has-half-of-epsilon",
        original="exact = weights(histogram, base)",
        mutated="exact = weights([score // 2 for score in histogram], base)",
        killers=("accounting.privacy_facts.exponential_mechanism_exceeds_eps_at_l_infinity",),
    ),
)
