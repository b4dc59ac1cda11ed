"""Bugs of `privtopk.spec.proofs.checks.algorithms.threshold_runs`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="threshold-of-the-witness-has-one-value-a-list",
        original="printed = (*lowest, 0)",
        mutated="printed = lowest",
        killers=("algorithms.threshold_runs.threshold_of_m_values_is_undefined",),
    ),
    SeededBug(
        name="witness-asks-for-as-many-items-as-exist",
        original="partial(_printed_rounds, lists, 4)",
        mutated="partial(_printed_rounds, lists, 3)",
        killers=("algorithms.threshold_runs.more_items_than_exist_exhaust_the_lists",),
    ),
)
