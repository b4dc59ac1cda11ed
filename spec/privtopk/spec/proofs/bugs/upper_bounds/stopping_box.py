"""Bugs of `privtopk.spec.upper_bounds.stopping_box`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="box-grows-along-the-shorter-side",
        original="return self.columns if self.rows == self.columns else self.rows",
        mutated="return self.rows if self.rows == self.columns else self.columns",
        killers=("upper_bounds.stopping_box.thm_a_step_gains_its_length",),
    ),
    SeededBug(
        name="box-grows-by-columns-first",
        original="for extra in (0, 1)",
        mutated="for extra in (1, 0)",
        killers=("upper_bounds.stopping_box.thm_the_steps_fill_the_square",),
    ),
    SeededBug(
        name="a-step-divides-by-the-longer-side",
        original="            * Fraction(step.length - j, m - step.crossed)",
        mutated="            * Fraction(step.length - j, m - step.length + 1)",
        killers=("upper_bounds.rounds.box_grows_as_the_proof_says",),
    ),
)
