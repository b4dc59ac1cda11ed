"""Bugs of `privtopk.spec.model.accuracy`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="accuracy-is-strict",
        original="all(histogram[item - 1] >= limit for item in selected)",
        mutated="all(histogram[item - 1] > limit for item in selected)",
        killers=("model.accuracy.thm_top_items_are_zero_accurate",),
    ),
    SeededBug(
        name="kth-largest-counts-from-below",
        original="return sorted(values, reverse=True)[count - 1]",
        mutated="return sorted(values)[count - 1]",
        killers=("model.accuracy.thm_fewer_than_k_values_exceed_the_kth_largest",),
    ),
    SeededBug(
        name="error-looks-at-the-best-item",
        original="limit - min(histogram[item - 1] for item in selected)",
        mutated="limit - max(histogram[item - 1] for item in selected)",
        killers=("model.accuracy.thm_the_error_is_the_smallest_accuracy",),
    ),
    SeededBug(
        name="top-set-refuses-ties",
        original="return all(value <= worst for item",
        mutated="return all(value < worst for item",
        killers=("model.accuracy.thm_top_items_are_zero_accurate",),
    ),
)
