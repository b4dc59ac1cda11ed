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
        original="return z * _langevin(z) + _increment(0.0, z)",
        mutated="return z * _langevin(z)",
        killers=("accounting.guarantee.code_agrees_with_balls",),
    ),
    SeededBug(
        name="curve-is-off-by-one-order",
        original="return order * _increment(order * z, z) + _increment(z, order * z)",
        mutated="return order * _increment(order * z, z) + _increment(z, (order - 1) * z)",
        killers=("accounting.guarantee.code_agrees_with_balls",),
    ),
)
