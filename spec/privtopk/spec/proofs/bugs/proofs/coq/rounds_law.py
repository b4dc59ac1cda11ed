"""Seeded bugs in the law of the meeting round."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coq-meeting-round-with-k-less-one",
        original="= m`! * draws_below m r r k.",
        mutated="= m`! * draws_below m r r k.-1.",
        killers=("coq.rounds_law.law_of_the_meeting_round",),
    ),
)
