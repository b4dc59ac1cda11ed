"""Theorems about accuracy and top sets, for every integer histogram of three items.

Paper: def:accuracy, fact:utility.
"""

from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.model.accuracy import error_of, is_accurate, is_top_set, kth_largest, top_items
from privtopk.spec.proofs.instruments.premises import (
    are_between,
    are_scores,
    is_between,
    is_descending,
    marked_items,
)

Scores = tuple[int, int, int]
Marks = tuple[bool, bool, bool]


def thm_fewer_than_k_values_exceed_the_kth_largest(values: Scores, k: int) -> bool:
    """Fewer than k values exceed the k-th largest, and at least k values reach it.

    Claim: def:accuracy
    Seconds: 40
    pre: is_between(k, 1, 3)
    post: _
    """
    limit = kth_largest(values, k)
    exceeding = sum(1 for value in values if value > limit)
    reaching = sum(1 for value in values if value >= limit)
    return exceeding < k <= reaching


def thm_top_items_are_zero_accurate(values: Scores) -> bool:
    """The two best items are a top set and (0, 2)-accurate.

    Claim: def:accuracy
    Seconds: 40
    post: _
    """
    items = top_items(values, 2)
    return is_top_set(values, items, 2) and is_accurate(values, items, 0, 2)


def thm_the_error_is_the_smallest_accuracy(values: Scores, marks: Marks) -> bool:
    """A selection is accurate for its own error, and for no smaller one that is not negative.

    Claim: def:accuracy
    Seconds: 40
    pre: any(marks)
    post: _
    """
    items = marked_items(marks)
    k = len(items)
    error = error_of(values, items, k)
    return is_accurate(values, items, error, k) and (
        error == 0 or not is_accurate(values, items, error - 1, k)
    )


def thm_noise_within_b_gives_accuracy_two_b(scores: Scores, noises: Scores, b: int) -> bool:
    """If no noise exceeds b in size, the one-shot selection of two is (2b, 2)-accurate.

    Claim: fact:utility
    Seconds: 40
    pre: is_descending(scores)
    pre: are_scores(scores)
    pre: are_between(noises, -b, b)
    post: _
    """
    return is_accurate(scores, select_with(scores, noises, 2), 2 * b, 2)


def search_noise_within_b_beyond_three(
    scores: tuple[int, int, int, int], noises: tuple[int, int, int, int], k: int, b: int
) -> bool:
    """If no noise exceeds b in size, the selection among four items is (2b, k)-accurate.

    Claim: fact:utility
    Seconds: 3
    pre: are_scores(scores)
    pre: is_between(k, 1, 4)
    pre: are_between(noises, -b, b)
    post: _
    """
    return is_accurate(scores, select_with(scores, noises, k), 2 * b, k)
