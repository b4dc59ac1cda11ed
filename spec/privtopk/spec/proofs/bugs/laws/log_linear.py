"""Bugs of `privtopk.spec.laws.log_linear`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="differences-are-sums",
        original="return self + other * -1",
        mutated="return self + other",
        killers=("laws.log_linear.thm_subtraction_undoes_addition",),
    ),
)
