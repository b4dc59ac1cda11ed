"""Bugs of `privtopk.spec.model.parameters`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="k-may-be-zero",
        original="    if not 1 <= count <= m:\n",
        mutated="    if not 0 <= count <= m:\n",
        killers=(
            "model.parameters.thm_k_is_accepted_up_to_m",
            "algorithms.threshold.thm_k_out_of_range_is_refused_unread",
        ),
    ),
    SeededBug(
        name="a-score-of-zero-is-refused",
        original="        if score < 0:\n",
        mutated="        if score <= 0:\n",
        killers=("model.parameters.thm_a_negative_score_is_no_vote",),
    ),
    SeededBug(
        name="an-item-may-be-named-twice",
        original="    if len(distinct) != len(items):",
        mutated="    if len(distinct) > len(items):",
        killers=("model.parameters.thm_items_are_accepted_once_each",),
    ),
)
