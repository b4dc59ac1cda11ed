"""Theorems about what is refused: it depends on the parameters and never on the scores.

Paper:    model:votes.
Deviates: erratum:threshold-edge-cases.
"""

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_distinct_items, require_histogram, require_k
from privtopk.spec.proofs.instruments.premises import are_between, concrete, is_between


def thm_k_is_accepted_up_to_m(k: int, m: int) -> bool:
    """Exactly the k of 1, ..., m are accepted.

    Claim: erratum:threshold-edge-cases
    pre: is_between(m, 1, 3)
    pre: is_between(k, -1, 5)
    post: _
    """
    count, size = concrete(k, -1, 5), concrete(m, 1, 3)
    try:
        return require_k(count, size) == count and 1 <= count <= size
    except SelectionError as error:
        return error.reason is Reason.K_OUT_OF_RANGE and not 1 <= count <= size


def thm_items_are_accepted_once_each(items: tuple[int, int, int]) -> bool:
    """A selection is accepted exactly if it names no item twice.

    Claim: def:accuracy
    Seconds: 40
    pre: are_between(items, 1, 3)
    post: _
    """
    first, second, third = items
    is_repeated = first in (second, third) or second == third
    try:
        return require_distinct_items(items, 3) == {1, 2, 3} and not is_repeated
    except SelectionError as error:
        return error.reason is Reason.DUPLICATE_ITEM and is_repeated


def thm_a_negative_score_is_no_vote(scores: tuple[int, int, int]) -> bool:
    """Scores are a histogram exactly if none is negative, and are then returned unchanged.

    Claim: model:votes
    post: _
    """
    try:
        return require_histogram(scores) == scores and min(scores) >= 0
    except SelectionError as error:
        return error.reason is Reason.NEGATIVE_SCORE and min(scores) < 0
