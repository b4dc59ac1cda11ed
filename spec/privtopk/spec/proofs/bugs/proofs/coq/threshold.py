"""Seeded bugs in the stopping rule of the threshold algorithm."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-unread-score-in-the-threshold",
        original="Definition threshold r := (h (score_rank^-1%g r)",
        mutated="Definition threshold r := (h (noise_rank^-1%g r)",
        killers=("coq.threshold.stopping_rule_is_sound",),
    ),
    SeededBug(
        name="coq-run-ends-a-round-earlier",
        original="1 <= k <= m -> rounds k <= m.",
        mutated="1 <= k <= m -> rounds k <= m.-1.",
        killers=("coq.threshold.run_ends_within_m_rounds",),
    ),
    SeededBug(
        name="coq-rounds-below-the-meeting-round",
        original="rounds k <= meeting_round k score_rank noise_rank.",
        mutated="rounds k < meeting_round k score_rank noise_rank.",
        killers=("coq.threshold.rounds_at_most_meeting_round",),
    ),
)
