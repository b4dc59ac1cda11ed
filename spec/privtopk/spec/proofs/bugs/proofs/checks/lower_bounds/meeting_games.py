"""Bugs of `privtopk.spec.proofs.checks.lower_bounds.meeting_games`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="equivalent-line-has-another-share",
        original="(Fraction(3, 80), Fraction(3, 40))",
        mutated="(Fraction(3, 81), Fraction(3, 40))",
        killers=("lower_bounds.meeting_games.three_eightieths_is_equivalent",),
    ),
    SeededBug(
        name="printed-line-has-the-right-share",
        original="_reduced_line_holds(m, k, tau, Fraction(3, 40))",
        mutated="_reduced_line_holds(m, k, tau, Fraction(3, 80))",
        killers=("lower_bounds.meeting_games.three_fortieths_is_not_equivalent",),
    ),
    SeededBug(
        name="low-items-are-met-with-a-tenth",
        original="LIMIT = Fraction(19, 100)",
        mutated="LIMIT = Fraction(10, 100)",
        killers=("lower_bounds.meeting_games.low_items_are_met_late_for_all_sizes",),
    ),
    SeededBug(
        name="two-items-leave-a-high-set",
        original="m, k = 400, 1",
        mutated="m, k = 200, 2",
        killers=("lower_bounds.meeting_games.one_sorted_access_meets_the_low_set",),
    ),
)
