"""Bugs of `privtopk.spec.proofs.checks.upper_bounds.cost_tail`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="incomplete-gamma-has-a-smaller-start",
        original="Fraction(1_378_937, 10**6)",
        mutated="Fraction(1_378_936, 10**6)",
        killers=("upper_bounds.cost_tail.incomplete_gamma_is_below_the_root",),
    ),
    SeededBug(
        name="gamma-of-the-chain-is-incomplete",
        original="(x - x * x.log()).exp() * (x + arb(1) / 2).gamma()",
        mutated="(x - x * x.log()).exp() * x.gamma_upper(x + arb(1) / 2)",
        killers=("upper_bounds.cost_tail.full_gamma_exceeds_the_root",),
    ),
    SeededBug(
        name="real-rounds-are-rounded-down",
        original="math.ceil(r) - 1))",
        mutated="max(0, math.floor(r) - 2)))",
        killers=("upper_bounds.cost_tail.real_rounds_round_up",),
    ),
    SeededBug(
        name="lists-of-the-witness-agree",
        original="(1, 0), (0, 1), 1, 2",
        mutated="(1, 0), (1, 0), 1, 2",
        killers=("upper_bounds.cost_tail.claim_one_fails",),
    ),
)
