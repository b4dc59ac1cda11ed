"""Theorems about the three neighbour relations, for all integer scores of three items.

Paper:    def:differential-privacy.
Deviates: erratum:neighbour-relation.
Ours:     ours:relations.
"""

from privtopk.spec.model.neighbours import (
    Relation,
    differences,
    is_add_remove_neighbour,
    is_l_infinity_neighbour,
    is_neighbour,
    is_swap_neighbour,
    meeting_point,
)

Pair = tuple[int, int]
Scores = tuple[int, int, int]


def thm_every_relation_is_symmetric(first: Pair, second: Pair) -> bool:
    """Every relation is symmetric in the two histograms.

    Claim: def:differential-privacy
    Seconds: 40
    post: _
    """
    return all(
        is_neighbour(first, second, relation) == is_neighbour(second, first, relation)
        for relation in Relation
    )


def thm_every_relation_is_reflexive(scores: Scores) -> bool:
    """A client without votes may join, leave or be replaced: a histogram neighbours itself.

    Claim: def:differential-privacy
    post: _
    """
    return all(is_neighbour(scores, scores, relation) for relation in Relation)


def thm_add_remove_implies_swap(first: Scores, second: Scores) -> bool:
    """Add/remove neighbours are swap neighbours, and therefore l-infinity neighbours.

    Claim: ours:relations
    Seconds: 40
    pre: is_add_remove_neighbour(first, second)
    post: _
    """
    return is_swap_neighbour(first, second) and is_l_infinity_neighbour(first, second)


def thm_only_opposite_moves_separate_the_relations(first: Scores, second: Scores) -> bool:
    """L-infinity neighbours are add/remove neighbours unless one score rises and one falls.

    Claim: ours:relations, erratum:neighbour-relation
    Seconds: 40
    pre: is_l_infinity_neighbour(first, second)
    post: _
    """
    changes = differences(first, second)
    moves_both_ways = min(changes) == -1 and max(changes) == 1
    return is_add_remove_neighbour(first, second) != moves_both_ways


def thm_l_infinity_is_two_add_remove_steps(first: Scores, second: Scores) -> bool:
    """The meeting point is one add/remove step from both exactly if they are l-infinity neighbours.

    Claim: ours:relations
    Seconds: 40
    post: _
    """
    common = meeting_point(first, second)
    return is_l_infinity_neighbour(first, second) == (
        is_add_remove_neighbour(first, common) and is_add_remove_neighbour(common, second)
    )


def search_l_infinity_is_two_add_remove_steps_beyond_three(
    first: tuple[int, int, int, int, int], second: tuple[int, int, int, int, int]
) -> bool:
    """Also with five items, l-infinity neighbours are two add/remove steps apart.

    Claim: ours:relations
    Seconds: 3
    post: _
    """
    common = meeting_point(first, second)
    return is_l_infinity_neighbour(first, second) == (
        is_add_remove_neighbour(first, common) and is_add_remove_neighbour(common, second)
    )
