"""Bugs of `privtopk.spec.accounting.rounding`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="products-are-rounded-to-nearest",
        original="return nearest if nearest >= number else math.nextafter(nearest, math.inf)",
        mutated="return nearest",
        killers=("accounting.rounding.pure_budgets_hold_in_rationals",),
    ),
    SeededBug(
        name="shares-are-rounded-to-nearest",
        original="return nearest if nearest <= number else math.nextafter(nearest, -math.inf)",
        mutated="return nearest",
        killers=("accounting.rounding.pure_budgets_hold_in_rationals",),
    ),
)
