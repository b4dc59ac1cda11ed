"""Algorithm 1: the threshold algorithm of Fagin, Lotem and Naor.

Each item has one attribute in each of t lists. Its score is an aggregation of them that is
monotone in every attribute. The algorithm reads the lists in rounds and stops as soon as k
seen items are at least as good as any unseen item could be.

Paper:    algo:threshold-algorithm, model:access-cost.
Deviates: erratum:threshold-arity (the threshold takes t values, not m),
          erratum:threshold-edge-cases (1 <= k <= m), erratum:atoms (`at most`, not
          `lower than`), erratum:cost-parity (what a round costs depends on what is read again),
          erratum:running-time (the specification counts accesses, not steps),
          erratum:claim-one (R <= T, where T is the meeting round).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from privtopk.spec.model.access import DualAccess, Entry
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_k, require_member
from privtopk.spec.model.values import Item, Number, exact_sum

Aggregation: TypeAlias = Callable[[tuple[Number, ...]], Number]
"""A function of the t attributes of an item that is monotone in each of them."""


class Reading(StrEnum):
    """What the algorithm reads of an item that sorted access has just delivered."""

    LITERAL = "literal"
    """All t attributes by random access, the one just delivered among them: as printed."""

    SKIP_DELIVERED = "skip-delivered"
    """The t - 1 other attributes: what the proofs count."""

    MEMOISED = "memoised"
    """Only attributes not read before; this needs memory for every item seen."""


@dataclass(frozen=True, slots=True)
class ThresholdRun:
    """The items that a run selected, and when it stopped."""

    selected: tuple[Entry, ...]
    """The k best items with their scores, best first, ties to the smaller item."""

    rounds: int
    """The number of sorted accesses to each list."""

    threshold: Number
    """The best score that an unseen item could still have."""

    @property
    def items(self) -> frozenset[Item]:
        """The set that Algorithm 1 returns."""
        return frozenset(entry.item for entry in self.selected)


def total(attributes: tuple[Number, ...]) -> Number:
    """Return the sum of the attributes: the aggregation of Algorithm 3."""
    return exact_sum(attributes)


def keep_best(best: tuple[Entry, ...], candidate: Entry, k: int) -> tuple[Entry, ...]:
    """Return the k best of the entries kept so far and one more, best first."""
    if any(entry.item == candidate.item for entry in best):
        return best
    ranked = sorted((*best, candidate), key=lambda entry: (-entry.value, entry.item))
    return tuple(ranked[:k])


class _Attributes:
    """Reads the attributes of delivered items in the chosen way."""

    def __init__(self, lists: Sequence[DualAccess], reading: Reading) -> None:
        self._lists = lists
        self._reading = reading
        self._known: dict[tuple[int, Item], Number] = {}

    def of(self, delivered: Entry, home: int) -> tuple[Number, ...]:
        return tuple(self._attribute(j, delivered, home) for j in range(len(self._lists)))

    def _attribute(self, j: int, delivered: Entry, home: int) -> Number:
        if j == home and self._reading is not Reading.LITERAL:
            self._known[j, delivered.item] = delivered.value
            return delivered.value
        if self._reading is Reading.MEMOISED and (j, delivered.item) in self._known:
            return self._known[j, delivered.item]
        value = self._lists[j].random_access(delivered.item)
        self._known[j, delivered.item] = value
        return value


def threshold_algorithm(
    lists: Sequence[DualAccess],
    k: int,
    aggregate: Aggregation = total,
    reading: Reading = Reading.SKIP_DELIVERED,
) -> ThresholdRun:
    """Return the k items with the largest aggregated score, and the run that found them.

    Paper:    algo:threshold-algorithm.
    Deviates: erratum:threshold-arity, erratum:running-time.
    """
    _require_lists(lists)
    require_k(k, lists[0].size)
    require_member("reading", reading, Reading)
    attributes = _Attributes(lists, reading)
    best: tuple[Entry, ...] = ()
    rounds = 0
    while True:
        rounds += 1
        lowest: list[Number] = []
        for j, source in enumerate(lists):  # line 4
            delivered = source.sorted_access()  # line 5
            score = aggregate(attributes.of(delivered, j))  # line 6
            best = keep_best(best, Entry(delivered.item, score), k)  # line 7
            lowest.append(delivered.value)  # line 9
        threshold = aggregate(tuple(lowest))  # line 10
        if len(best) == k and best[-1].value >= threshold:  # line 11
            return ThresholdRun(best, rounds, threshold)  # line 12


def _require_lists(lists: Sequence[DualAccess]) -> None:
    sizes = {source.size for source in lists}
    if len(sizes) != 1:
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            f"the lists must have one common domain, got sizes {sorted(sizes)}",
        )


def meeting_round(first: Sequence[Item], second: Sequence[Item], k: int) -> int:
    """Return the first r at which the two lists' first r items have k items in common.

    The algorithm never runs longer: those k items were all seen, and each is at least as
    good as the threshold.

    Deviates: erratum:claim-one.
    """
    require_k(k, len(first))
    ranks = {item: rank for rank, item in enumerate(second, start=1)}
    seen_in_both = sorted(max(rank, ranks[item]) for rank, item in enumerate(first, start=1))
    return seen_in_both[k - 1]
