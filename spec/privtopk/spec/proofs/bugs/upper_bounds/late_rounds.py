"""Bugs of `privtopk.spec.upper_bounds.late_rounds`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="the-largest-product-is-one-too-early",
        original="return q * (q - v + 1)",
        mutated="return q * (q - v)",
        killers=("upper_bounds.late_rounds.products_stay_below_their_largest",),
    ),
    SeededBug(
        name="far-rounds-begin-too-early",
        original="return r * r * (m - 1) >= m * k * (m + 1)",
        mutated="return r * r >= k * (m + 1)",
        killers=("upper_bounds.late_rounds.late_tails_obey_the_lemma",),
    ),
    SeededBug(
        name="a-round-hides-one-row-less",
        original="return m + 1 - require_between",
        mutated="return m - require_between",
        killers=("upper_bounds.late_rounds.box_counts_what_is_hidden",),
    ),
    SeededBug(
        name="the-second-moment-is-with-replacement",
        original="return Fraction(q * q * (q - 1) * (q - 1), m * (m - 1))",
        mutated="return Fraction(q * q * (q - 1) * (q - 1), m * m)",
        killers=("upper_bounds.late_rounds.late_identities",),
    ),
)
