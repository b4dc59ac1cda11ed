"""Lists whose doors break one promise, and the evidence of it that they gave.

Evidence is read off the entries that passed, and only what a single comparison on arrival
shows counts as such:

- an exception of the doors, an item outside the domain, fewer entries than there are, a score
  that is not a whole number at least 0: each is visible in itself;
- the same item on two consecutive ranks: whoever misses that has missed another item;
- scores that rise: only for a subject that promises an access cost, for its stopping rests on
  the order; a scan may ignore it;
- an item that comes in sorted order with another score than it was looked up with before:
  only if that item is returned. The threshold algorithm need remember its k candidates and no
  more, so one that it dropped may contradict itself unnoticed. The other way round is no
  evidence: whoever looks up an item that was delivered may throw the answer away unread.

An item that comes twice with others between, or is passed over, is no evidence here: noticing
that takes a memory of all items met.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Cost
from privtopk.conformance.subjects.scores import ListedScores

WRONG_SCORES: Final = {"nan": math.nan, "negative": -1.0, "fraction": 2.5}

FAULTS: Final = (
    "exception",
    "fewer entries",
    "item 0",
    "item m+1",
    "item twice",
    "rising scores",
    "disagreement",
    *WRONG_SCORES,
)


class DoorsError(OSError):
    """What doors raise that have lost their list."""


@dataclass(slots=True)
class FaultyList:
    """A list whose doors break one promise, and the record of what they let pass."""

    scores: ListedScores
    fault: str
    begins: int
    delivered: list[tuple[int, float]] = field(default_factory=list)
    looked_up: list[tuple[int, float]] = field(default_factory=list)
    has_raised: bool = False
    was_short: bool = False
    contradicted: set[int] = field(default_factory=set)
    """Items that sorted access has shown with another score than random access before."""

    _sorted: list[tuple[int, float]] = field(init=False)

    def __post_init__(self) -> None:
        """Spoil the sorted list at the rank where the fault begins."""
        ranks = range(1, self.scores.size + 1)
        entries = [(item, self.scores.score(item)) for item in map(self.scores.at_rank, ranks)]
        self._sorted = entries_with_fault(entries, self.fault, self.begins)

    @property
    def doors(self) -> Doors:
        """The doors, for one call."""
        return Doors(self.scores.size, self._read_sorted, self._read_random)

    def _read_sorted(self, count: int) -> list[tuple[int, float]]:
        start = len(self.delivered)
        entries = self._sorted[start : start + count]
        self._raise_if_lost(start + len(entries))
        self.was_short |= len(entries) < min(count, self.scores.size - start)
        self.delivered += entries
        known = dict(self.looked_up)
        self.contradicted |= {item for item, score in entries if known.get(item, score) != score}
        return entries

    def _read_random(self, items: Sequence[int]) -> list[float]:
        first = len(self.looked_up) + 1
        asked = list(items)
        self._raise_if_lost(len(self.looked_up) + len(asked))
        values = [self._score(item, turn) for turn, item in enumerate(asked, start=first)]
        if self.fault == "fewer entries" and first + len(values) > self.begins:
            values = values[:-1]
            self.was_short = True
        self.looked_up += zip(asked, values, strict=False)
        return values

    def _score(self, item: int, turn: int) -> float:
        score = self.scores.score(item)
        if turn < self.begins:
            return score
        if self.fault == "disagreement":
            return score + 1
        return WRONG_SCORES.get(self.fault, score)

    def _raise_if_lost(self, passed: int) -> None:
        if self.fault == "exception" and passed >= self.begins:
            self.has_raised = True
            raise DoorsError("the list is gone")


def entries_with_fault(
    entries: Sequence[tuple[int, float]], fault: str, begins: int
) -> list[tuple[int, float]]:
    """Return a sorted list with a fault at a rank."""
    before, (item, score), after = entries[: begins - 1], entries[begins - 1], entries[begins:]
    match fault:
        case "fewer entries":
            return [*before]
        case "item 0":
            return [*before, (0, score), *after]
        case "item m+1":
            return [*before, (len(entries) + 1, score), *after]
        case "item twice":
            return [*before, (item, score), (item, score), *after[:-1]]
        case "rising scores":
            return [*before, *after[:1], (item, score), *after[1:]]
        case _ if fault in WRONG_SCORES:
            return [*before, (item, WRONG_SCORES[fault]), *after]
    return [*entries]


def evidence(seen: FaultyList, items: Sequence[int], cost: Cost) -> str | None:
    """Return what a subject was given that should have kept it from answering so."""
    m = seen.scores.size
    scores = [score for _, score in (*seen.delivered, *seen.looked_up)]
    pairs = list(zip(seen.delivered, seen.delivered[1:], strict=False))
    if seen.has_raised:
        return "an exception of its source"
    if seen.was_short:
        return "fewer entries than it asked for and the list has"
    if not all(1 <= item <= m for item, _ in seen.delivered):
        return "an item outside the domain"
    if not all(score >= 0 and score == score // 1 for score in scores):
        return "a score that is not a whole number at least 0"
    if any(first[0] == second[0] for first, second in pairs):
        return "the same item on two ranks"
    if cost is not Cost.SCAN and any(first[1] < second[1] for first, second in pairs):
        return "scores that rise in sorted order"
    if not seen.contradicted.isdisjoint(items):
        return "two different scores of an item that it selected"
    return None
