"""Bugs of `privtopk.spec.laws.gumbel`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="gumbel-weight-forgets-the-seen",
        original="enumerate(weights, start=1) if i not in seen",
        mutated="enumerate(weights, start=1)",
        killers=("algorithms.relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="gumbel-set-keeps-the-last-order",
        original="larger[successor] + term if successor in larger else term",
        mutated="term",
        killers=("algorithms.relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="the-first-weight-is-not-added",
        original="return sum(terms[1:], start=terms[0])",
        mutated="return sum(terms[1:], start=terms[0] * 0)",
        killers=("laws.gumbel.thm_every_peeling_step_costs_epsilon",),
    ),
    SeededBug(
        name="gumbel-weights-are-squared",
        original="return tuple(rational**score for score in scores)",
        mutated="return tuple(rational ** (2 * score) for score in scores)",
        killers=(
            "laws.gumbel.gumbel_noise_has_the_ranked_law",
            "accounting.privacy_facts.gumbel_is_k_eps_and_two_k_eps",
        ),
    ),
    SeededBug(
        name="gumbel-weights-forget-the-last-score",
        original="return tuple(rational**score for score in scores)",
        mutated="return tuple(rational ** min(score, 3) for score in scores)",
        killers=("accounting.privacy_facts.gumbel_exceeds_k_eps_at_l_infinity",),
    ),
)
