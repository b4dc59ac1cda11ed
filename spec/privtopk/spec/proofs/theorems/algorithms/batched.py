"""Theorems about the batched algorithms against the one-shot on the same integer noise.

Items that tie with the bar are not let in, so with ties another set of the same sums may
be returned. That cannot happen if only items of equal score tie: of those, the smaller
one is read first.

Deviates: erratum:atoms.
Ours:     ours:batched-exact, ours:adaptive-prefix, ours:adaptive-stages.
"""

from privtopk.spec.algorithms.batched import (
    BatchedRun,
    Prefix,
    adaptive_prefix,
    fixed_prefix,
    multi_stage,
    two_phase,
)
from privtopk.spec.algorithms.one_shot import noisy_scores, select_with
from privtopk.spec.model.access import Door, StoredList
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.proofs.instruments.premises import (
    are_between,
    are_scores,
    is_between,
    is_descending,
    is_strictly_descending,
    ties_are_between_equal_scores,
)
from privtopk.spec.proofs.instruments.served import CertainNoise, FlatNoise

Triple = tuple[int, int, int]
Four = tuple[int, int, int, int]


def run_on(scores: tuple[int, ...], noises: tuple[int, ...], k: int, r: int) -> BatchedRun:
    """Run the two-phase algorithm with a fixed prefix."""
    return two_phase(StoredList(scores), CertainNoise(noises), k, fixed_prefix(r))


def thm_every_prefix_finds_the_best_of_three(scores: Triple, noises: Triple, r: int) -> bool:
    """With any prefix of at least k items the two phases find the one-shot's item.

    Claim: ours:batched-exact, ours:adaptive-prefix
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    pre: is_between(r, 1, 2)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return run_on(scores, noises, 1, r).items == set(select_with(scores, noises, 1))


def thm_ties_of_equal_scores_do_no_harm(scores: Triple, noises: Triple) -> bool:
    """The two phases find the one-shot's item, by name, even if items of equal score tie.

    Claim: ours:batched-exact, erratum:atoms
    Seconds: 40
    pre: is_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return run_on(scores, noises, 1, 2).items == set(select_with(scores, noises, 1))


def thm_two_phases_find_the_two_best_of_three(scores: Triple, noises: Triple) -> bool:
    """With a prefix of two the two phases find the one-shot's pair.

    Claim: ours:batched-exact
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return run_on(scores, noises, 2, 2).items == set(select_with(scores, noises, 2))


def thm_with_ties_it_is_still_a_top_set(scores: Triple, noises: Triple) -> bool:
    """Whatever noisy scores tie, the two phases return a top set of them.

    Claim: ours:batched-exact, erratum:atoms
    Seconds: 40
    pre: is_strictly_descending(scores)
    post: _
    """
    return is_top_set(noisy_scores(scores, noises), run_on(scores, noises, 1, 1).items, 1)


def thm_the_run_counts_its_accesses(scores: Triple, noises: Triple, r: int) -> bool:
    """A run makes r sorted accesses and one random access per candidate, in total at most m.

    Claim: ours:batched-cost
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: is_between(r, 1, 2)
    post: _
    """
    stored = StoredList(scores)
    run = two_phase(stored, CertainNoise(noises), 1, fixed_prefix(r))
    ledger = stored.ledger
    return (
        run.prefix == ledger.count(Door.SORTED) == r
        and run.candidates == ledger.count(Door.RANDOM)
        and ledger.cost == len(ledger.distinct_items) <= 3
    )


def thm_stages_find_the_best_of_three(scores: Triple, noises: Triple, level: int) -> bool:
    """Stages find the one-shot's item wherever the frontier between them lies.

    Claim: ours:adaptive-stages
    Seconds: 40
    pre: is_strictly_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    law = FlatNoise(value=level)
    run = multi_stage(StoredList(scores), CertainNoise(noises), 1, law, latest=2, first=1, growth=2)
    return run.items == set(select_with(scores, noises, 1))


def thm_the_adaptive_rule_stops_between_k_and_latest(
    m: int, k: int, latest: int, length: int
) -> bool:
    """The adaptive rule never ends phase one before k items or after the latest prefix.

    Claim: ours:adaptive-prefix
    pre: 1 <= k <= latest <= m
    pre: is_between(length, 0, m)
    post: _
    """
    rule = adaptive_prefix(m, k, latest)
    hopeless, certain = rule(Prefix(length, 0)), rule(Prefix(length, 1))
    return hopeless == (length >= k) and certain == (length >= latest or latest == m >= length >= k)


def refuted_two_phases_break_ties_like_the_scan(scores: Triple, noises: Triple) -> bool:
    """With ties to the smaller item throughout, the two phases find the one-shot's item.

    Claim: erratum:atoms
    Seconds: 40
    pre: are_between((*scores, *noises), 0, 1)
    post: _
    """
    return run_on(scores, noises, 1, 2).items == set(select_with(scores, noises, 1))


def search_two_phases_find_two_of_four(scores: Four, noises: Four, r: int) -> bool:
    """With any prefix the two phases find the one-shot's two of four if only equal scores tie.

    Claim: ours:batched-exact
    Seconds: 3
    pre: is_descending(scores)
    pre: are_scores(scores)
    pre: is_between(r, 2, 4)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    return run_on(scores, noises, 2, r).items == set(select_with(scores, noises, 2))


def search_stages_find_two_of_five(
    scores: tuple[int, int, int, int, int], noises: tuple[int, int, int, int, int], level: int
) -> bool:
    """Stages find the one-shot's two of five items if only items of equal score tie.

    Claim: ours:adaptive-stages
    Seconds: 3
    pre: is_descending(scores)
    pre: are_scores(scores)
    pre: ties_are_between_equal_scores(scores, noises)
    post: _
    """
    law = FlatNoise(value=level)
    run = multi_stage(StoredList(scores), CertainNoise(noises), 2, law, latest=4, first=2, growth=2)
    return run.items == set(select_with(scores, noises, 2))
