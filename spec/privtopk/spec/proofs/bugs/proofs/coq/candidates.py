"""Seeded bugs in Claim B."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-claim-b-with-k-less-one",
        original="#|candidates_with noise_rank|) * r.+1 <= (m - r) * k * m`!.",
        mutated="#|candidates_with noise_rank|) * r.+1 <= (m - r) * k.-1 * m`!.",
        killers=("coq.candidates.claim_b",),
    ),
    SeededBug(
        name="coq-claim-b-attained-with-r",
        original="#|candidates_with noise_rank|) * r.+1 = (m - r) * k * m`!.",
        mutated="#|candidates_with noise_rank|) * r = (m - r) * k * m`!.",
        killers=("coq.candidates.claim_b_is_attained",),
    ),
    SeededBug(
        name="coq-early-items-with-one-more-before",
        original="noise_rank j < noise_rank i]| < k].",
        mutated="noise_rank j < noise_rank i]| <= k].",
        killers=("coq.candidates.candidates_are_few", "coq.candidates.law_of_candidates"),
    ),
)
