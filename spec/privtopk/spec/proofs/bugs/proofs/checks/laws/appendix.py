"""Bugs of `privtopk.spec.proofs.checks.laws.appendix`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="chernoff-has-the-opposite-exponent",
        original="ball(x - mu).exp() * (ball(mu) / x) ** x",
        mutated="ball(mu - x).exp() * (ball(mu) / x) ** x",
        killers=("laws.appendix.tails_of_trials_obey_chernoff",),
    ),
    SeededBug(
        name="hinge-is-concave",
        original="count * max(0, x - corner)",
        mutated="count * min(0, x - corner)",
        killers=("laws.appendix.hinges_are_smaller_without_replacement",),
    ),
    SeededBug(
        name="gamma-doubles-where-it-quadruples",
        original="(4 * (k + 1))",
        mutated="(2 * (k + 1))",
        killers=("laws.appendix.half_integer_gammas",),
    ),
    SeededBug(
        name="beta-is-one-factorial-off",
        original="Fraction(ways, math.factorial(a + b - 1))",
        mutated="Fraction(ways, math.factorial(a + b - 2))",
        killers=("laws.appendix.beta_integrals_are_factorials",),
    ),
    SeededBug(
        name="stirling-has-one-remainder",
        original="1 / (12 * arb(k) + 1) <= gap",
        mutated="1 / (12 * arb(k)) <= gap",
        killers=("laws.appendix.stirling_in_balls",),
    ),
    SeededBug(
        name="stirling-falls-too-fast",
        original="1 / (12 * k + 13)",
        mutated="1 / (12 * k + 14)",
        killers=("laws.appendix.stirling_telescopes",),
    ),
)
