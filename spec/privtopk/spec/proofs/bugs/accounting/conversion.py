"""Bugs of `privtopk.spec.accounting.conversion`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="conversion-adds-its-slack",
        original="(log_moment(c) + log_inverse_delta - slack) / c",
        mutated="(log_moment(c) + log_inverse_delta - 2 * slack) / c",
        killers=("accounting.guarantee.conversion_bounds_true_deltas",),
    ),
)
