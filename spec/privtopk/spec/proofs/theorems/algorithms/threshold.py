"""Theorems about the threshold algorithm, for all integer attributes of two or three items.

Where the first list is in descending order, that only fixes the names of the items. Where
it descends strictly, the theorems on two items cover its ties.

Paper:    algo:threshold-algorithm.
Deviates: erratum:claim-one, erratum:atoms, erratum:threshold-arity,
          erratum:threshold-edge-cases.
Ours:     ours:rounds-law.
"""

from privtopk.spec.algorithms.threshold import (
    Reading,
    ThresholdRun,
    keep_best,
    meeting_round,
    threshold_algorithm,
    total,
)
from privtopk.spec.model.access import Entry, StoredList, sorted_entries
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.proofs.instruments.premises import (
    is_between,
    is_descending,
    is_strictly_descending,
)

Pair = tuple[int, int]
Triple = tuple[int, int, int]
Four = tuple[int, int, int, int]


def smallest(attributes: tuple[Number, ...]) -> Number:
    """Return the smallest attribute: a monotone aggregation that is not strictly so."""
    return min(attributes)


def run_on(first: tuple[int, ...], second: tuple[int, ...], k: int) -> ThresholdRun:
    """Run the algorithm on two fresh lists."""
    return threshold_algorithm((StoredList(first), StoredList(second)), k)


def is_best(run: ThresholdRun, scores: tuple[int, ...], k: int) -> bool:
    """Decide whether k items carry their scores and none left out is better than the last."""
    worst = run.selected[-1].value
    return (
        len(run.items) == k
        and all(scores[entry.item - 1] == entry.value >= worst for entry in run.selected)
        and all(
            scores[item - 1] <= worst for item in items_of(len(scores)) if item not in run.items
        )
    )


def sums_of(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """Return the aggregated score of every item."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def common_items(first: tuple[int, ...], second: tuple[int, ...], r: int) -> int:
    """Return how many of the first r items of both lists are the same."""
    heads = [sorted_entries(values)[:r] for values in (first, second)]
    return len({entry.item for entry in heads[0]} & {entry.item for entry in heads[1]})


def thm_the_best_of_three_is_found(first: Triple, second: Triple) -> bool:
    """Over two lists of three items the algorithm returns one with the largest sum.

    Claim: algo:threshold-algorithm
    Seconds: 40
    pre: is_strictly_descending(first)
    post: _
    """
    return is_best(run_on(first, second, 1), sums_of(first, second), 1)


def thm_the_two_best_of_three_are_found(first: Triple, second: Triple) -> bool:
    """Over two lists of three items the algorithm returns two with the largest sums.

    Claim: algo:threshold-algorithm
    Seconds: 40
    pre: is_strictly_descending(first)
    post: _
    """
    return is_best(run_on(first, second, 2), sums_of(first, second), 2)


def thm_the_best_by_minimum_is_found(first: Pair, second: Pair) -> bool:
    """Aggregated by the minimum, which is monotone and often ties, the best is found too.

    Claim: algo:threshold-algorithm
    Seconds: 40
    post: _
    """
    run = threshold_algorithm((StoredList(first), StoredList(second)), 1, smallest)
    return is_best(run, tuple(min(pair) for pair in zip(first, second, strict=True)), 1)


def thm_three_lists_give_three_arguments(first: Pair, second: Pair, third: Pair) -> bool:
    """The threshold takes one value per list: over three lists of two items the best is found.

    Claim: algo:threshold-algorithm, erratum:threshold-arity
    Seconds: 40
    pre: is_strictly_descending(first)
    post: _
    """
    run = threshold_algorithm((StoredList(first), StoredList(second), StoredList(third)), 1)
    return is_best(run, sums_of(sums_of(first, second), third), 1)


def thm_reading_changes_neither_items_nor_rounds(first: Pair, second: Pair) -> bool:
    """Reading delivered items again, or remembering them, changes the cost and nothing else.

    Claim: algo:threshold-algorithm, ours:cost-models
    Seconds: 40
    post: _
    """
    literal, skipping, memoised = (
        threshold_algorithm((StoredList(first), StoredList(second)), 1, total, reading)
        for reading in Reading
    )
    return literal == skipping == memoised


def thm_unseen_items_are_at_most_the_threshold(first: Pair, second: Pair) -> bool:
    """No item that was not read has a sum above the threshold, nor above the item returned.

    Claim: algo:threshold-algorithm, erratum:atoms
    Seconds: 40
    post: _
    """
    lists = (StoredList(first), StoredList(second))
    run = threshold_algorithm(lists, 1)
    sums = sums_of(first, second)
    return run.selected[0].value >= run.threshold and all(
        sums[item - 1] <= run.threshold
        for item in items_of(2)
        if item not in lists[0].ledger.distinct_items
    )


def thm_the_run_ends_when_the_lists_meet(first: Pair, second: Pair) -> bool:
    """The algorithm stops at the latest in the first round with a common item, within m rounds.

    Claim: ours:rounds-law, algo:threshold-algorithm
    Seconds: 40
    post: _
    """
    orders = [[entry.item for entry in sorted_entries(values)] for values in (first, second)]
    return run_on(first, second, 1).rounds <= meeting_round(orders[0], orders[1], 1) <= 2


def thm_the_lists_meet_when_k_items_are_common(values: Triple, k: int) -> bool:
    """Before the meeting round the lists have fewer than k items in common, and then k or more.

    Claim: ours:rounds-law, erratum:claim-one
    Seconds: 40
    pre: is_between(k, 1, 3)
    post: _
    """
    fixed = (2, 3, 1)
    orders = [[entry.item for entry in sorted_entries(one)] for one in (values, fixed)]
    r = meeting_round(orders[0], orders[1], k)
    return common_items(values, fixed, r - 1) < k <= common_items(values, fixed, r)


def thm_k_common_items_end_the_run(first: Triple, second: Triple) -> bool:
    """If the first two items of both lists are the same, two rounds find the two best.

    Claim: erratum:claim-one
    Seconds: 40
    pre: is_strictly_descending(first)
    pre: common_items(first, second, 2) >= 2
    post: _
    """
    return run_on(first, second, 2).rounds <= 2


def thm_k_out_of_range_is_refused_unread(first: Pair, second: Pair, is_large: bool) -> bool:
    """A k of 0 or m + 1 is refused before any list is read, whatever the scores are.

    Claim: erratum:threshold-edge-cases
    Seconds: 40
    post: _
    """
    lists = (StoredList(first), StoredList(second))
    try:
        threshold_algorithm(lists, 3 if is_large else 0)
    except SelectionError as error:
        costs = [source.ledger.cost for source in lists]
        return error.reason is Reason.K_OUT_OF_RANGE and costs == [0, 0]
    return False


def thm_keep_best_keeps_each_item_once(values: Triple, again: int) -> bool:
    """Keeping the two best of three items, one of them met twice, leaves a top set.

    Claim: algo:threshold-algorithm
    Seconds: 40
    pre: is_between(again, 1, 3)
    post: _
    """
    best: tuple[Entry, ...] = ()
    for item in (*items_of(3), Item(again)):
        best = keep_best(best, Entry(item, values[item - 1]), 2)
    return is_top_set(values, [entry.item for entry in best], 2)


def refuted_more_than_k_common_items_end_the_run_early(
    first: Pair, second: Pair, k: int, r: int
) -> bool:
    """If the first r items of both lists have more than k in common, there are fewer than r rounds.

    Claim: erratum:claim-one
    Seconds: 40
    pre: is_between(k, 1, 2)
    pre: is_between(r, 1, 2)
    pre: common_items(first, second, r) > k
    post: _
    """
    return run_on(first, second, k).rounds < r


def refuted_unseen_items_are_lower_than_the_threshold(first: Triple, second: Triple) -> bool:
    """Every item that was not read has a sum below the threshold.

    Claim: erratum:atoms
    Seconds: 40
    post: _
    """
    lists = (StoredList(first), StoredList(second))
    run = threshold_algorithm(lists, 1)
    sums = sums_of(first, second)
    return all(
        sums[item - 1] < run.threshold
        for item in items_of(3)
        if item not in lists[0].ledger.distinct_items
    )


def search_the_best_of_four_are_found(first: Four, second: Four, k: int) -> bool:
    """Over two lists of four items the algorithm returns k items with the largest sums.

    Claim: algo:threshold-algorithm
    Seconds: 3
    pre: is_descending(first)
    pre: is_between(k, 1, 4)
    post: _
    """
    return is_best(run_on(first, second, k), sums_of(first, second), k)
