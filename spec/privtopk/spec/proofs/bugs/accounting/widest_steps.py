"""Bugs of `privtopk.spec.accounting.widest_steps`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="widest-steps-are-not-lowered",
        original="    return _lowered_to_budget(r, total, k, delta)\n",
        mutated="    return r\n",
        killers=("accounting.rounding.approximate_budgets_hold_in_balls",),
    ),
)
