"""Lists whose doors break one promise, and the evidence of it that they gave.

Evidence comes from the entries that the subject received. It counts only if a single comparison
on arrival reveals the fault:

- an exception of the doors, an item outside the domain, fewer entries than the list has, or a
  score that is not a whole number of at least 0: each of them is visible by itself;
- the same item at two consecutive ranks: then another item is missing;
- scores that rise: only for a subject that promises an access cost, because its stopping rule
  depends on the order; a scan may ignore it;
- an item that sorted access delivers with another score than random access before: only if the
  item is selected. The threshold algorithm has to remember only its k candidates, so it cannot
  notice this for an item that it has dropped. The opposite order is no evidence: a subject that
  looks up a delivered item may discard the answer.

An item that comes twice with others in between, or is skipped, is no evidence, because only a
memory of all items seen would reveal it.
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
    """Raised by doors that have lost their list."""


@dataclass(slots=True)
class FaultyList:
    """A list whose doors break one promise, and a record of what they delivered."""

    scores: ListedScores
    fault: str
    begins: int
    delivered: list[tuple[int, float]] = field(default_factory=list)
    looked_up: list[tuple[int, float]] = field(default_factory=list)
    has_raised: bool = False
    was_short: bool = False
    contradicted_items: set[int] = field(default_factory=set)
    """Items that sorted access delivered with another score than random access before."""

    _sorted: list[tuple[int, float]] = field(init=False)

    def __post_init__(self) -> None:
        """Put the fault into the sorted list, at the rank where it begins."""
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
        self.contradicted_items |= {
            item for item, score in entries if known.get(item, score) != score
        }
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
    """Return the evidence of the fault that the subject received, or None."""
    m = seen.scores.size
    scores = [score for _, score in (*seen.delivered, *seen.looked_up)]
    pairs = list(zip(seen.delivered, seen.delivered[1:], strict=False))
    if seen.has_raised:
        return "an exception of its source"
    if seen.was_short:
        return "fewer entries than it asked for, although the list has them"
    if not all(1 <= item <= m for item, _ in seen.delivered):
        return "an item outside the domain"
    if not all(score >= 0 and score == score // 1 for score in scores):
        return "a score that is not a whole number of at least 0"
    if any(first[0] == second[0] for first, second in pairs):
        return "the same item at two ranks"
    if cost is not Cost.SCAN and any(first[1] < second[1] for first, second in pairs):
        return "scores that rise in sorted order"
    if not seen.contradicted_items.isdisjoint(items):
        return "two different scores of an item that it selected"
    return None
