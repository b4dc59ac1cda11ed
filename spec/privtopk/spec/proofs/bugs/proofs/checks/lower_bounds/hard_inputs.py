"""Bugs of `privtopk.spec.proofs.checks.lower_bounds.hard_inputs`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="ten-parts-cover-the-high-set",
        original="accesses = 9 * tau // 20",
        mutated="accesses = 10 * tau // 20",
        killers=("lower_bounds.hard_inputs.nine_parts_do_not_cover_the_high_set",),
    ),
    SeededBug(
        name="one-item-has-the-corrected-family",
        original="drawn = draw_printed_both_access(400, 1,",
        mutated="drawn = draw_both_access(400, 1,",
        killers=("lower_bounds.hard_inputs.one_item_leaves_no_high_set",),
    ),
    SeededBug(
        name="ties-of-the-witness-keep-their-order",
        original="order = first + [item for item in high if item not in first]",
        mutated="order = high",
        killers=("lower_bounds.hard_inputs.arbitrary_ties_give_the_low_set_away",),
    ),
)
