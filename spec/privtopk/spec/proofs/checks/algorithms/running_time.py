"""Checks of the running time of a round besides its accesses: a heap against a buffer."""

import heapq
import math
from dataclasses import dataclass, field
from itertools import permutations, product

from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.values import Item, Number
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.small_tables import tables

Lists = tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Buffer:
    """A buffer of the best items, cut from 2k to k by linear selection whenever it is full."""

    k: int
    entries: dict[Item, Number] = field(default_factory=dict)
    handled: int = 0
    """The number of entries that selections have handled."""

    def add(self, item: Item, score: Number) -> None:
        self.entries[item] = score
        if len(self.entries) == 2 * self.k:
            self.cut()

    def cut(self) -> None:
        self.handled += len(self.entries)
        ranked = sorted(self.entries.items(), key=lambda pair: (-pair[1], pair[0]))
        self.entries = dict(ranked[: self.k])

    def kth(self) -> Number | None:
        self.cut()
        return min(self.entries.values()) if len(self.entries) == self.k else None


def _buffered_run(lists: Lists, k: int) -> tuple[frozenset[Item], int, int]:
    """Run the threshold algorithm on a buffer, with the stop rule tested every k rounds."""
    sources = [StoredList(values) for values in lists]
    buffer = _Buffer(k)
    m = len(lists[0])
    for rounds in range(1, m + 1):
        delivered = [source.sorted_access() for source in sources]
        for entry in delivered:
            buffer.add(entry.item, sum(values[entry.item - 1] for values in lists))
        if rounds % k == 0 or rounds == m:
            kth = buffer.kth()
            if kth is not None and kth >= sum(entry.value for entry in delivered):
                break
    return frozenset(buffer.entries), rounds, buffer.handled


@supports("erratum:running-time", method=Method.ENUMERATION, is_slow=True)
def buffer_selects_the_same_items() -> str:
    """A buffer of 2k, tested every k rounds, finds a top set in fewer than k extra rounds.

    Its selections handle at most 6 entries per round and 2k at the end. With linear
    selection a round takes constant time.
    """
    cases, longest = 0, 0
    large = product([(0,) * 6, (9, 9, 4, 2, 0, 0)], permutations((15, 11, 8, 6, 5, 0)))
    for scores, noises in (*tables(3), *large):
        values = tuple(score + z for score, z in zip(scores, noises, strict=True))
        for k in range(1, len(scores) + 1):
            cases += 1
            run = private_threshold(StoredList(scores), StoredList(noises), k)
            items, rounds, handled = _buffered_run((scores, noises), k)
            expect(is_top_set(values, items, k), f"{scores} {noises} k={k}: {items}")
            has_ties = len({*values}) < len(values)
            expect(has_ties or items == run.items, f"{scores} {noises} k={k}: {items}")
            expect(0 <= rounds - run.rounds < k, f"{scores} {noises} k={k}: {rounds} rounds")
            expect(handled <= 6 * rounds + 2 * k, f"{scores} {noises} k={k}: {handled}")
            longest = max(longest, rounds - run.rounds)
    expect(longest > 1, "the control, at most one extra round, did not fail")
    return f"m = 3, 6: {cases:,} runs, at most {longest} extra rounds"


@dataclass(slots=True)
class _Tally:
    """The number of comparisons made so far."""

    comparisons: int = 0


@dataclass(slots=True)
class _CountedNumber:
    """A number that counts its comparisons."""

    value: int
    tally: _Tally

    def __lt__(self, other: "_CountedNumber") -> bool:
        """Compare, and count it."""
        self.tally.comparisons += 1
        return self.value < other.value


def _heap_comparisons(k: int, n: int) -> int:
    """Return how many comparisons a heap needs to keep the k best of n ascending numbers."""
    tally = _Tally()
    heap = [_CountedNumber(value, tally) for value in range(k)]
    for value in range(k, n):
        heapq.heappushpop(heap, _CountedNumber(value, tally))
    return tally.comparisons


@supports("erratum:running-time", method=Method.ENUMERATION)
def heap_pays_the_logarithm() -> str:
    """On ascending scores a heap of k makes at least log2(k) comparisons per item."""
    for exponent in range(1, 9):
        k = 2**exponent
        made, inserted = _heap_comparisons(k, 5 * k), 4 * k
        expect(made >= exponent * inserted, f"k={k}: {made} comparisons for {inserted} items")
    # At m = 2^32 and k = 2^16 a factor log k is no longer within log log m.
    expect(16 > math.log2(math.log2(2**32)) == 5, "log k against log log m")
    return "k = 2, ..., 256; for m = 2^32, k = 2^16: log k = 16 > log log m = 5"
