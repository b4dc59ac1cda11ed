"""Bugs of `privtopk.spec.proofs.checks.noise.distributions`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="coin-takes-the-value-of-the-witness",
        original="coin = DiscreteNoise((0, 1), (Fraction(1, 2), Fraction(1, 2)))",
        mutated="coin = DiscreteNoise((0, 1), (Fraction(1, 4), Fraction(3, 4)))",
        killers=("noise.distributions.printed_inverse_is_empty",),
    ),
    SeededBug(
        name="scale-of-the-witness-is-positive",
        original="sympy.Integer(0), sympy.Integer(-1)",
        mutated="sympy.Integer(0), sympy.Integer(1)",
        killers=("noise.distributions.negative_scale_has_no_density",),
    ),
)
