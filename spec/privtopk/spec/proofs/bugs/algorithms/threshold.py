"""Bugs of `privtopk.spec.algorithms.threshold`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="stop-rule-is-strict",
        original="best[-1].value >= threshold:",
        mutated="best[-1].value > threshold:",
        killers=("algorithms.threshold.thm_the_run_ends_when_the_lists_meet",),
    ),
    SeededBug(
        name="stops-with-fewer-than-k-items",
        original="if len(best) == k and best[-1].value >= threshold:",
        mutated="if best[-1].value >= threshold:",
        killers=("algorithms.threshold.thm_the_two_best_of_three_are_found",),
    ),
    SeededBug(
        name="threshold-knows-the-last-list-only",
        original="            lowest.append(delivered.value)",
        mutated="            lowest = [delivered.value]",
        killers=("algorithms.threshold.thm_the_best_of_three_is_found",),
    ),
    SeededBug(
        name="memory-mixes-up-the-lists",
        original="        self._known[j, delivered.item] = value\n",
        mutated="        self._known[home, delivered.item] = value\n",
        killers=("algorithms.threshold.thm_reading_changes_neither_items_nor_rounds",),
    ),
    SeededBug(
        name="an-item-met-twice-is-kept-twice",
        original="if any(entry.item == candidate.item for entry in best):",
        mutated="if not best and any(entry.item == candidate.item for entry in best):",
        killers=("algorithms.threshold.thm_keep_best_keeps_each_item_once",),
    ),
    SeededBug(
        name="the-worst-k-are-kept",
        original="return tuple(ranked[:k])",
        mutated="return tuple(ranked[-k:])",
        killers=("algorithms.threshold.thm_keep_best_keeps_each_item_once",),
    ),
    SeededBug(
        name="kept-ties-go-to-the-larger-item",
        original="key=lambda entry: (-entry.value, entry.item)",
        mutated="key=lambda entry: (-entry.value, -entry.item)",
        killers=("algorithms.batched.thm_ties_of_equal_scores_do_no_harm",),
    ),
    SeededBug(
        name="literal-reading-spares-an-access",
        original="if j == home and self._reading is not Reading.LITERAL:",
        mutated="if j == home:",
        killers=(
            "upper_bounds.cost_models.thm_a_literal_round_costs_three",
            "upper_bounds.access_cost.cost_is_not_two_a_round",
        ),
    ),
    SeededBug(
        name="lists-meet-at-the-earlier-rank",
        original="sorted(max(rank, ranks[item])",
        mutated="sorted(min(rank, ranks[item])",
        killers=("algorithms.threshold.thm_the_lists_meet_when_k_items_are_common",),
    ),
    SeededBug(
        name="threshold-has-m-arguments",
        original="threshold = aggregate(tuple(lowest))",
        mutated="threshold = aggregate((*lowest, *[0] * (lists[0].size - len(lists))))",
        killers=("algorithms.threshold_runs.threshold_takes_one_value_a_list",),
    ),
    SeededBug(
        name="every-run-reads-everything",
        original="if len(best) == k and best[-1].value >= threshold:",
        mutated="if rounds == lists[0].size:",
        killers=("model.definitions.accesses_depend_on_scores",),
    ),
)
