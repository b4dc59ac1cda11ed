"""Bugs of the exact output laws and of the related mechanisms."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="gumbel-weight-forgets-the-seen",
        module="gumbel_law",
        original="enumerate(weights, start=1) if i not in seen",
        mutated="enumerate(weights, start=1)",
        killers=("relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="gumbel-set-keeps-the-last-order",
        module="gumbel_law",
        original="larger[successor] + term if successor in larger else term",
        mutated="term",
        killers=("relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="laplace-density-has-the-wrong-half",
        module="laplace_law",
        original="tail, power = level.y / 2, -1",
        mutated="tail, power = level.y, -1",
        killers=("utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="laplace-forgets-the-logarithm",
        module="laplace_law",
        original="if 0 < below < len(levels):",
        mutated="if 1 < below < len(levels):",
        killers=("utility.failure_code_agrees_with_exact_laws",),
    ),
    SeededBug(
        name="permute-and-flip-averages-over-all-items",
        module="permute_and_flip",
        original="[e / comb(m - 1, s) for s, e",
        mutated="[e / comb(m, s) for s, e",
        killers=("relatives.permute_and_flip_is_never_worse",),
    ),
    SeededBug(
        name="permute-and-flip-halves-the-exponent",
        module="permute_and_flip",
        original="rational ** (score - max(scores))",
        mutated="rational ** (2 * (score - max(scores)))",
        killers=("relatives.permute_and_flip_may_stop_early",),
    ),
    SeededBug(
        name="stop-token-lacks-its-unit",
        module="limited_domain",
        original="rational ** (border + 1)",
        mutated="rational**border",
        killers=("relatives.limited_domain_is_private",),
    ),
    SeededBug(
        name="limited-domain-takes-a-border-item-for-the-token",
        module="limited_domain",
        original="border = sorted(scores, reverse=True)[k_bar]",
        mutated="border = sorted(scores, reverse=True)[k_bar - 1]",
        killers=("relatives.limited_domain_may_return_fewer",),
    ),
    SeededBug(
        name="peeling-draws-with-replacement",
        module="peeling",
        original="drawn.append(remaining.pop(tape.choose(step_weights(remaining))))",
        mutated="drawn.append(remaining[tape.choose(step_weights(remaining))])",
        killers=("relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="hockey-stick-looks-one-way",
        module="privacy",
        original="return max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))",
        mutated="return hockey_stick(p, q, ratio)",
        killers=("model.hockey_stick_decides_all_sets",),
    ),
    SeededBug(
        name="tight-ratio-sorts-the-wrong-way",
        module="privacy",
        original="key=lambda o: p[o] / q[o], reverse=True",
        mutated="key=lambda o: p[o] / q[o]",
        killers=("model.tight_ratio_is_the_least",),
    ),
)
