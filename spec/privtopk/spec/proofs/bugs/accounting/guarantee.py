"""Bugs of `privtopk.spec.accounting.guarantee`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="laplace-forgets-the-relation",
        original="pure_composition(item_epsilon, k), 0.0",
        mutated="pure_composition(epsilon, k), 0.0",
        killers=("accounting.guarantee.thm_laplace_costs_k_epsilon_or_twice_that",),
    ),
)
