"""Bugs of `privtopk.spec.laws.laplace`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="laplace-density-has-the-wrong-half",
        original="tail, power = group.y / 2, -1",
        mutated="tail, power = group.y, -1",
        killers=("upper_bounds.utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="laplace-forgets-the-logarithm",
        original="if 0 < below < len(groups):",
        mutated="if 1 < below < len(groups):",
        killers=("upper_bounds.utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="a-power-met-twice-is-overwritten",
        original="terms[place] = terms[place] + term if place in terms else term",
        mutated="terms[place] = term",
        killers=("laws.laplace.thm_equal_powers_are_added",),
    ),
    SeededBug(
        name="the-rest-of-a-tail-loses-its-sign",
        original="comb(count, j) * (-tail) ** j",
        mutated="comb(count, j) * tail**j",
        killers=("laws.laplace.thm_powers_of_a_factor_are_repeated_products",),
    ),
    SeededBug(
        name="laplace-noise-is-one-sided",
        original="tail, power = group.y / 2, -1",
        mutated="tail, power = group.y / 3, -1",
        killers=("accounting.privacy_facts.laplace_is_tight_at_l_infinity",),
    ),
)
