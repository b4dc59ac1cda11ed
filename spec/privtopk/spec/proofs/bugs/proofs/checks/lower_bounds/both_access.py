"""Bugs of `privtopk.spec.proofs.checks.lower_bounds.both_access`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="exact-answer-reads-one-item-more",
        original="for _ in range(k))",
        mutated="for _ in range(k + 1))",
        killers=("lower_bounds.both_access.exact_answer_is_cheap",),
    ),
)
