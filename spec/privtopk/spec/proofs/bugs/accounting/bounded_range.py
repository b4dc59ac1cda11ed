"""Bugs of `privtopk.spec.accounting.bounded_range`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="range-forgets-its-relation",
        original="return scale if one_sided else 2 * scale",
        mutated="return scale",
        killers=("accounting.guarantee.every_guarantee_holds_exactly",),
    ),
    SeededBug(
        name="zcdp-drops-a-term",
        original="round_up(z * _langevin(z) + _increment(0.0, z), ERROR)",
        mutated="round_up(z * _langevin(z), ERROR)",
        killers=("accounting.guarantee.code_agrees_with_balls",),
    ),
    SeededBug(
        name="curve-is-off-by-one-order",
        original="order * _increment(order * z, z) + _increment(z, order * z)",
        mutated="order * _increment(order * z, z) + _increment(z, (order - 1) * z)",
        killers=("accounting.guarantee.code_agrees_with_balls",),
    ),
    SeededBug(
        name="moments-are-rounded-to-nearest",
        original="ERROR: Final = 128",
        mutated="ERROR: Final = 0",
        killers=("accounting.rounding.no_loss_is_below_its_ball",),
    ),
)
