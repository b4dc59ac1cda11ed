"""Bugs of `privtopk.spec.proofs.instruments.lower_constants`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="low-rate-forgets-the-ceiling",
        original="LOW_RATE: Final = Fraction(5152, 10_000)",
        mutated="LOW_RATE: Final = Fraction(5050, 10_000)",
        killers=("lower_bounds.both_access.sizes_of_the_sets_follow",),
    ),
    SeededBug(
        name="low-items-are-hit-too-often",
        original="HIT: Final = Fraction(1263, 10_000)",
        mutated="HIT: Final = Fraction(1264, 10_000)",
        killers=("lower_bounds.both_access.constants_of_the_bound_follow",),
    ),
    SeededBug(
        name="low-items-are-met-too-rarely",
        original="MEETING_RATE: Final = Fraction(5231, 10_000)",
        mutated="MEETING_RATE: Final = Fraction(5050, 10_000)",
        killers=("lower_bounds.prices.priced_constants_follow",),
    ),
)
