"""Seeded bugs in the sorted lists and the meeting round."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-sorted-list-rises",
        original="score_rank i <= score_rank j -> (h j <= h i)%R.\nProof.",
        mutated="score_rank i <= score_rank j -> (h i <= h j)%R.\nProof.",
        killers=("coq.lists.sorted_list_exists",),
    ),
    SeededBug(
        name="coq-lists-meet-one-rank-late",
        original="(score_rank i < r) && (noise_rank i < r)]",
        mutated="(score_rank i < r) && (noise_rank i < r.-1)]",
        killers=("coq.threshold.run_ends_within_m_rounds", "coq.theorem_u.theorem_u"),
    ),
)
