"""Bugs of `privtopk.spec.proofs.checks.lower_bounds.hard_inputs`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="ten-parts-cover-the-high-set",
        original="accesses = 9 * tau // 20",
        mutated="accesses = 10 * tau // 20",
        killers=("lower_bounds.hard_inputs.nine_parts_do_not_cover_the_high_set",),
    ),
)
