"""Bugs of `privtopk.spec.lower_bounds.hard_families`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="low-items-are-lifted-too",
        original="    lifted = inside - below\n",
        mutated="    lifted = inside\n",
        killers=("lower_bounds.hard_families.thm_one_client_lifts_the_high_items_to_n",),
    ),
    SeededBug(
        name="base-has-all-votes-already",
        original="base = plateau(m, chosen, n - 1)",
        mutated="base = plateau(m, chosen, n)",
        killers=("lower_bounds.hard_families.thm_one_client_lifts_the_high_items_to_n",),
    ),
    SeededBug(
        name="low-size-is-rounded-down",
        original="return -(-s // (2 * k))",
        mutated="return s // (2 * k)",
        killers=("lower_bounds.hard_families.thm_corrected_sizes_leave_a_high_item",),
    ),
    SeededBug(
        name="a-repeated-draw-is-lost",
        original="chosen.add(j if index in chosen else index)",
        mutated="chosen.add(index)",
        killers=("lower_bounds.hard_families.thm_drawn_sets_have_their_size",),
    ),
    SeededBug(
        name="low-size-is-that-of-the-paper",
        original="return -(-s // (2 * k))",
        mutated="return -(-s // k)",
        killers=(
            "lower_bounds.hard_inputs.high_set_is_large_enough",
            "lower_bounds.meeting_games.low_items_are_met_late",
        ),
    ),
    SeededBug(
        name="printed-size-is-rounded-down",
        original="    if s % k:\n",
        mutated="    if s < k:\n",
        killers=("lower_bounds.hard_inputs.printed_sizes_are_not_whole",),
    ),
)
