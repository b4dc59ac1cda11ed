"""Bugs of `privtopk.spec.noise.order_statistic`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="beta-form-lacks-its-shift",
        original="return u_r + (u_l - u_r) * x",
        mutated="return (u_l - u_r) * x",
        killers=("noise.order_statistics.beta_form_has_the_density",),
    ),
    SeededBug(
        name="beta-shape-is-swapped",
        original="return r - j, j - ell",
        mutated="return j - ell, r - j",
        killers=(
            "noise.order_statistics.chain_rule_over_every_query_order",
            "noise.order_statistics.right_marginals_wrong_order",
        ),
    ),
    SeededBug(
        name="right-end-is-the-last-position",
        original="default=Position(m + 1)",
        mutated="default=Position(m)",
        killers=("noise.order_statistics.chain_rule_over_every_query_order",),
    ),
    SeededBug(
        name="e-space-step-swaps-its-gammas",
        original="(math.exp(-gap) * gamma_left + gamma_right)",
        mutated="(math.exp(-gap) * gamma_right + gamma_left)",
        killers=("noise.order_statistics.e_space_step_is_the_beta_form",),
    ),
    SeededBug(
        name="left-neighbour-is-the-farthest",
        original="left = max((ell for ell in known",
        mutated="left = min((ell for ell in known",
        killers=("noise.order_statistic.thm_neighbours_enclose_the_position_tightly",),
    ),
    SeededBug(
        name="beta-shape-counts-one-too-many",
        original="return r - j, j - ell",
        mutated="return r - j + 1, j - ell",
        killers=("noise.order_statistic.thm_the_four_beta_cases_are_one",),
    ),
    SeededBug(
        name="beta-constant-is-one-factorial-short",
        original="math.factorial(a + b - 1), math",
        mutated="math.factorial(a + b - 2), math",
        killers=("noise.order_statistics.beta_density_integrates_to_one",),
    ),
    SeededBug(
        name="joint-density-ignores-the-order",
        original="if u_l < u_r or (u_l == u_r",
        mutated="if (u_l == u_r",
        killers=(
            "noise.order_statistics.joint_density_vanishes_out_of_order",
            "noise.order_statistics.printed_joint_density_ignores_order",
        ),
    ),
    SeededBug(
        name="joint-density-counts-one-gap-too-many",
        original="density *= (u_l - u_r) ** (r - ell - 1) /",
        mutated="density *= (u_l - u_r) ** (r - ell) /",
        killers=("noise.order_statistics.joint_density_integrates_to_one",),
    ),
    SeededBug(
        name="rounding-leaves-the-interval",
        original="return min(e_l + math.log1p(ratio), e_r)",
        mutated="return e_l + math.log1p(ratio) * 1.5",
        killers=("noise.order_statistics.ties_from_rounding_return_the_neighbour",),
    ),
    SeededBug(
        name="a-missing-predecessor-is-the-first-position",
        original="default=Position(0))",
        mutated="default=Position(1))",
        killers=("noise.order_statistics.first_sorted_access_has_no_predecessor",),
    ),
)
