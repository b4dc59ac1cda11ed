"""Bugs of `privtopk.spec.model.privacy`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="hockey-stick-looks-one-way",
        original="return max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))",
        mutated="return hockey_stick(p, q, ratio)",
        killers=("model.definitions.hockey_stick_decides_all_sets",),
    ),
    SeededBug(
        name="tight-ratio-sorts-the-wrong-way",
        original="key=lambda o: p[o] / q[o], reverse=True",
        mutated="key=lambda o: p[o] / q[o]",
        killers=("model.definitions.tight_ratio_is_the_least",),
    ),
    SeededBug(
        name="divergence-adds-the-deficits",
        original="sum((gap for gap in excess if gap > 0), Fraction(0))",
        mutated="sum(excess, Fraction(0))",
        killers=(
            "model.privacy.thm_the_hockey_stick_decides_all_sets",
            "model.definitions.pure_privacy_is_covered",
        ),
    ),
    SeededBug(
        name="definition-is-tried-one-way",
        original="if in_p > ratio * in_q + delta or in_q > ratio * in_p + delta:",
        mutated="if in_p > ratio * in_q + delta:",
        killers=("model.privacy.thm_the_hockey_stick_decides_all_sets",),
    ),
    SeededBug(
        name="impossible-outputs-are-skipped",
        original="excess = (p[o] - ratio * q.get(o, Fraction(0)) for o in p)",
        mutated="excess = (p[o] - ratio * q[o] for o in p if o in q)",
        killers=("model.privacy.thm_a_missing_output_has_mass_zero",),
    ),
)
