"""Bugs of `privtopk.spec.accounting.conversion`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="conversion-adds-its-slack",
        original="round_up(log_moment(c) + log_inverse_delta, 1) - slack_of_order(c)",
        mutated="round_up(log_moment(c) + log_inverse_delta, 1) - 2 * slack_of_order(c)",
        killers=("accounting.guarantee.conversion_bounds_true_deltas",),
    ),
)
