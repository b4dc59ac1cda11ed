"""Theorems about the one-shot selection for given integer noises, three items.

Paper: algo:one-shot, rem:ranked-release, rel:report-noisy-max.
"""

from privtopk.spec.algorithms.noisy_max import report_noisy_max
from privtopk.spec.algorithms.one_shot import noisy_scores, select_with
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.proofs.instruments.premises import are_scores

Scores = tuple[int, int, int]


def thm_the_selection_is_a_top_set_of_the_sums(scores: Scores, noises: Scores) -> bool:
    """The one-shot selection is a top set of score + noise, best first.

    Claim: algo:one-shot
    Seconds: 40
    pre: are_scores(scores)
    post: _
    """
    sums = [score + z for score, z in zip(scores, noises, strict=True)]
    selected = select_with(scores, noises, 2)
    ranked = [sums[item - 1] for item in selected]
    return is_top_set(sums, selected, 2) and ranked == sorted(ranked, reverse=True)


def thm_a_common_shift_changes_nothing(
    scores: Scores, noises: Scores, votes: int, shift: int
) -> bool:
    """Adding one number to all scores, or to all noises, leaves the ranking as it is.

    Claim: algo:one-shot
    Seconds: 40
    pre: are_scores((*scores, votes))
    post: _
    """
    first, second, third = scores
    lifted = (first + votes, second + votes, third + votes)
    shifted = tuple(z + shift for z in noises)
    return select_with(lifted, shifted, 3) == select_with(scores, noises, 3)


def thm_a_shorter_ranking_is_a_prefix(scores: Scores, noises: Scores) -> bool:
    """The ranking of k items is a prefix of that of k + 1, so one run gives every smaller k.

    Claim: rem:ranked-release, algo:one-shot
    Seconds: 40
    pre: are_scores(scores)
    post: _
    """
    ranking = select_with(scores, noises, 3)
    return select_with(scores, noises, 1) == ranking[:1] and (
        select_with(scores, noises, 2) == ranking[:2]
    )


def thm_noisy_max_is_the_one_shot_of_one(scores: Scores, noises: Scores) -> bool:
    """Report-noisy-max returns an item whose noisy score no other one exceeds: k = 1.

    Claim: rel:report-noisy-max
    Seconds: 40
    pre: are_scores(scores)
    post: _
    """
    best = report_noisy_max(scores, noises)
    sums = noisy_scores(scores, noises)
    return select_with(scores, noises, 1) == (best,) and sums[best - 1] == max(sums)


def thm_a_vote_more_never_unseats_a_winner(scores: Scores, noises: Scores) -> bool:
    """The best item stays the best with one vote more.

    Claim: algo:one-shot
    Seconds: 40
    pre: are_scores(scores)
    post: _
    """
    (winner,) = select_with(scores, noises, 1)
    raised = tuple(score + (item == winner) for item, score in enumerate(scores, start=1))
    return select_with(raised, noises, 1) == (winner,)


def thm_missing_noise_is_refused(scores: Scores, noises: tuple[int, int]) -> bool:
    """There must be one noise for each item; the refusal does not depend on the scores.

    Claim: algo:one-shot
    pre: are_scores(scores)
    post: _
    """
    try:
        select_with(scores, noises, 1)
    except SelectionError as error:
        return error.reason is Reason.DIFFERENT_DOMAINS
    return False
