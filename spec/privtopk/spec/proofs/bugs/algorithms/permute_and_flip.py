"""Bugs of `privtopk.spec.algorithms.permute_and_flip`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="permute-and-flip-averages-over-all-items",
        original="[e / comb(m - 1, s) for s, e",
        mutated="[e / comb(m, s) for s, e",
        killers=("algorithms.relatives.permute_and_flip_is_never_worse",),
    ),
    SeededBug(
        name="permute-and-flip-halves-the-exponent",
        original="rational ** (score - max(scores))",
        mutated="rational ** (2 * (score - max(scores)))",
        killers=("algorithms.relatives.permute_and_flip_may_stop_early",),
    ),
    SeededBug(
        name="polynomials-are-updated-upwards",
        original="for s in range(count, 0, -1):",
        mutated="for s in range(1, count + 1):",
        killers=("algorithms.permute_and_flip.thm_symmetric_polynomials_expand_the_product",),
    ),
    SeededBug(
        name="the-flip-is-read-the-other-way",
        original="if tape.choose((1 - p, p)) == 1:",
        mutated="if tape.choose((1 - p, p)) == 0:",
        killers=("algorithms.permute_and_flip.thm_permute_and_flip_returns_an_accepted_item",),
    ),
)
