"""Bugs of `privtopk.spec.proofs.checks.noise.order_statistics`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="exponent-of-the-density-is-printed",
        original="constant * u ** (m - zeta) * (1 - u) ** (zeta - 1))",
        mutated="constant * u ** (m - 1) * (1 - u) ** (zeta - 1))",
        killers=("noise.order_statistics.corrected_densities_have_mass_one",),
    ),
    SeededBug(
        name="witness-has-the-right-exponent",
        original="m, zeta, j = 3, 1, 3",
        mutated="m, zeta, j = 3, 1, 1",
        killers=("noise.order_statistics.printed_exponent_has_mass_three",),
    ),
    SeededBug(
        name="printed-index-is-corrected",
        original="(a - c) * (b - c)",
        mutated="(a - b) * (b - c)",
        killers=("noise.order_statistics.printed_index_changes_the_mass",),
    ),
    SeededBug(
        name="neighbours-of-the-witness-differ",
        original="u_l = u_r = u = Fraction(1, 2)",
        mutated="u_l, u_r, u = Fraction(1), Fraction(0), Fraction(1, 2)",
        killers=("noise.order_statistics.equal_neighbours_divide_by_zero",),
    ),
    SeededBug(
        name="printed-beta-form-has-its-shift",
        original="printed = [(u_l - u_r) * Fraction(n, 10)",
        mutated="printed = [u_r + (u_l - u_r) * Fraction(n, 10)",
        killers=("noise.order_statistics.printed_beta_form_misses_the_support",),
    ),
)
