"""Bugs of `privtopk.spec.upper_bounds.cost_models`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="distinct-entries-are-accesses",
        original="return len(ledger.distinct_items) if is_distinct else ledger.cost",
        mutated="return ledger.cost",
        killers=("upper_bounds.cost_models.thm_distinct_entries_are_predicted_by_the_orders",),
    ),
    SeededBug(
        name="memory-forgets-the-current-round",
        original="noises[j] not in scores[: j + 1]",
        mutated="noises[j] not in scores[:j]",
        killers=("upper_bounds.cost_models.thm_memory_costs_between_one_and_two_a_round",),
    ),
    SeededBug(
        name="two-a-round-reads-three",
        original="return Reading.SKIP_DELIVERED",
        mutated="return Reading.LITERAL",
        killers=("upper_bounds.cost_models.thm_a_round_without_re_reading_costs_two",),
    ),
)
