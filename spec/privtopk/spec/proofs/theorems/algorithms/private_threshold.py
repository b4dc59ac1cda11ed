"""Theorems about Algorithm 3 against Algorithm 2 on the same integer noise.

With ties the two may return different sets; it is enough that items which tie have equal
scores, for then they stand in the same order in both lists.

Paper:    algo:private-threshold, algo:one-shot.
Deviates: erratum:atoms.
"""

from privtopk.spec.algorithms.one_shot import noisy_scores, select_with
from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.values import Item
from privtopk.spec.proofs.instruments.premises import (
    are_scores,
    is_descending,
    is_strictly_descending,
    ties_are_between_equal_scores,
)

Pair = tuple[int, int]
Triple = tuple[int, int, int]


def found_by_threshold(scores: tuple[int, ...], noises: tuple[int, ...], k: int) -> frozenset[Item]:
    """Return the set that Algorithm 3 finds."""
    return private_threshold(StoredList(scores), StoredList(noises), k).items


def thm_the_selection_is_that_of_the_one_shot(scores: Triple, noises: Triple) -> bool:
    """Algorithms 2 and 3 find the same item if no two noisy scores are equal.

    Claim: algo:private-threshold
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return found_by_threshold(scores, noises, 1) == set(select_with(scores, noises, 1))


def thm_ties_of_equal_scores_do_no_harm(scores: Pair, noises: Pair) -> bool:
    """Algorithms 2 and 3 find the same item, by name, even if items of equal score tie.

    Claim: algo:private-threshold, erratum:atoms
    Seconds: 40
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return found_by_threshold(scores, noises, 1) == set(select_with(scores, noises, 1))


def thm_with_ties_it_is_still_a_top_set(scores: Pair, noises: Pair) -> bool:
    """Whatever ties there are, Algorithm 3 returns a top set of the noisy scores.

    Claim: algo:private-threshold, erratum:atoms
    Seconds: 40
    post: _
    """
    return is_top_set(noisy_scores(scores, noises), found_by_threshold(scores, noises, 1), 1)


def refuted_one_order_of_ties_is_enough(alike: Pair, last: Pair) -> bool:
    """With ties to the smaller item throughout, Algorithms 2 and 3 find the same three of four.

    The first three items have one score and one noise.

    Claim: erratum:atoms
    Seconds: 40
    pre: are_scores((alike[0], last[0]))
    post: _
    """
    scores, noises = ((*((own,) * 3), other) for own, other in zip(alike, last, strict=True))
    return found_by_threshold(scores, noises, 3) == set(select_with(scores, noises, 3))


def search_two_of_four_are_those_of_the_one_shot(
    scores: tuple[int, int, int, int], noises: tuple[int, int, int, int]
) -> bool:
    """Algorithms 2 and 3 find the same two of four items if only items of equal score tie.

    Claim: algo:private-threshold
    Seconds: 3
    pre: is_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return found_by_threshold(scores, noises, 2) == set(select_with(scores, noises, 2))
