"""Theorems about the limited-domain mechanism for given integer noise.

Paper: rel:limited-domain.
"""

from privtopk.spec.algorithms.limited_domain import border_width, limited_domain
from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.model.accuracy import top_items
from privtopk.spec.proofs.instruments.premises import are_scores, is_between, is_strictly_descending

Triple = tuple[int, int, int]


def thm_only_the_true_top_enters(scores: Triple, noises: Triple, token: int) -> bool:
    """With k = 1 and k-bar = 2 at most one item is returned, and item k-bar + 1 never.

    Claim: rel:limited-domain
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    post: _
    """
    selected = limited_domain(scores, 1, 2, token, noises, 0)
    return len(selected) <= 1 and set(selected) <= set(top_items(scores, 2))


def thm_what_is_returned_beats_the_token(scores: Triple, noises: Triple, token: int) -> bool:
    """Every item returned has a noisy score above the token's, which has noise of its own.

    Claim: rel:limited-domain
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    post: _
    """
    selected = limited_domain(scores, 2, 2, token, noises, 1)
    return all(scores[item - 1] + noises[item - 1] > token + 1 for item in selected)


def thm_the_whole_domain_is_the_one_shot(scores: Triple, noises: Triple) -> bool:
    """With k-bar = m and a token below all noisy scores it is the one-shot selection.

    Claim: rel:limited-domain
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    post: _
    """
    token = min(noises) - 1
    return limited_domain(scores, 2, 3, token, noises, 0) == select_with(scores, noises, 2)


def thm_the_border_is_no_wider_than_either_side(m: int, k_bar: int) -> bool:
    """At most min(k-bar, m - k-bar) items cross the border, and none if everything enters.

    Claim: rel:limited-domain
    pre: is_between(k_bar, 1, m)
    post: _
    """
    width = border_width(m, k_bar)
    return 0 <= 2 * width <= m and width in (k_bar, m - k_bar) and (width == 0) == (k_bar == m)
