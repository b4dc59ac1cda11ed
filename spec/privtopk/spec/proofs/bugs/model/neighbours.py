"""Bugs of `privtopk.spec.model.neighbours`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="add-remove-lets-scores-part",
        original="all(0 <= change <= 1 for change in changes)",
        mutated="all(-1 <= change <= 1 for change in changes)",
        killers=("model.neighbours.thm_only_opposite_moves_separate_the_relations",),
    ),
    SeededBug(
        name="a-client-may-join-but-not-leave",
        original="        -1 <= change <= 0 for change in changes\n",
        mutated="        change == 0 for change in changes\n",
        killers=("model.neighbours.thm_every_relation_is_symmetric",),
    ),
    SeededBug(
        name="l-infinity-is-strict",
        original="all(-1 <= change <= 1 for change in differences(first, second))",
        mutated="all(-1 < change <= 1 for change in differences(first, second))",
        killers=("model.neighbours.thm_add_remove_implies_swap",),
    ),
    SeededBug(
        name="the-meeting-point-has-the-clients-of-either",
        original="tuple(min(pair) for pair",
        mutated="tuple(max(pair) for pair",
        killers=("model.votes.thm_every_l_infinity_pair_is_a_swap",),
    ),
)
