"""Bugs of `privtopk.spec.lower_bounds.certificate`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="certificate-forgets-delta",
        original=" - Fraction(require_delta(delta))\n",
        mutated=" - 0 * Fraction(require_delta(delta))\n",
        killers=("lower_bounds.certificate.thm_delta_and_beta_are_taken_off",),
    ),
    SeededBug(
        name="certificate-forgets-the-silence",
        original="return Fraction(met, math.comb(hidden, a)) - terms * silence",
        mutated="return Fraction(met, math.comb(hidden, a))",
        killers=("lower_bounds.certificates.certificates_stay_below_a_real_cost",),
    ),
)
