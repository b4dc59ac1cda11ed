"""The random inputs of the lower bounds, on which every algorithm has a high cost.

Against random access: a few items with score n among items with score 0. Against privacy: all items
of a set S have score n - 1, and one more client votes for all of S except a random low set S_L. The
two histograms are neighbours, so a private algorithm must treat them nearly alike and sometimes
return low items, which are hard to find. For each family there is a function of its sets, and a
function that draws the sets from a tape. As printed, S_L has |S|/k items, which leaves no high item
for k = 1; with ceil(|S| / 2k) there is always at least one.

Paper:    thm:lower-random, lem:report-low-items, thm:lower-sorted, thm:lower-both.
Deviates: erratum:low-set-size, erratum:integrality, erratum:tie-order,
          erratum:client-count.
Ours:     ours:lower-random, ours:lower-sorted, ours:lower-both.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.lower_bounds.theorems import sorted_low_size
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_at_least,
    require_between,
    require_distinct_items,
    require_k,
    require_size,
)
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, items_of


@dataclass(frozen=True, slots=True)
class HardInstance:
    """Two neighbouring histograms; the algorithm gets the second."""

    base: Histogram
    """n - 1 on S and 0 elsewhere."""

    neighbour: Histogram
    """One more client, who votes for S without S_L."""

    chosen: frozenset[Item]
    """S."""

    low: frozenset[Item]
    """S_L."""

    @property
    def high(self) -> frozenset[Item]:
        """S_H: the items of S that are not low."""
        return self.chosen - self.low


def plateau(m: int, top: Collection[Item], score: int) -> Histogram:
    """Return the histogram with this score on the top items and 0 elsewhere."""
    require_at_least("score", score, 0)
    inside = require_distinct_items(top, require_size(m))
    return tuple(score if item in inside else 0 for item in items_of(m))


def hard_instance(m: int, chosen: Collection[Item], low: Collection[Item], n: int) -> HardInstance:
    """Return h_S and its neighbour that is n on S without S_L and n - 1 on S_L.

    Deviates: erratum:client-count.
    """
    require_at_least("n", n, 1)
    base = plateau(m, chosen, n - 1)
    inside, below = frozenset(chosen), require_distinct_items(low, m)
    if not below <= inside:
        raise SelectionError(
            Reason.NOT_A_SUBSET,
            f"low items must be chosen items, got {sorted(below - inside)} beside them",
        )
    lifted = inside - below
    neighbour = tuple(score + (i in lifted) for i, score in zip(items_of(m), base, strict=True))
    return HardInstance(base, neighbour, inside, below)


def printed_low_size(s: int, k: int) -> int:
    """Return |S_L| = |S| / k as printed, which must be an integer."""
    require_between("k", k, 1, require_at_least("s", s, 1))
    if s % k:
        raise SelectionError(Reason.SIZE_OUT_OF_RANGE, f"s must be a multiple of k={k}, got {s}")
    return s // k


def printed_sorted_sizes(m: int, k: int) -> tuple[int, int]:
    """Return |S| = m/2 and |S_L| = |S|/k as printed, which must be integers."""
    if require_size(m) % 2:
        raise SelectionError(Reason.SIZE_OUT_OF_RANGE, f"m must be a multiple of 2, got {m}")
    return m // 2, printed_low_size(m // 2, k)


def printed_both_sizes(m: int, k: int) -> tuple[int, int]:
    """Return |S| = sqrt(mk) and |S_L| = |S|/k as printed, which must be integers."""
    require_k(k, require_size(m))
    s = math.isqrt(m * k)
    if s * s != m * k:
        raise SelectionError(Reason.SIZE_OUT_OF_RANGE, f"mk must be a square, got {m * k}")
    return s, printed_low_size(s, k)


def corrected_low_size(s: int, k: int) -> int:
    """Return |S_L| = ceil(|S| / 2k), which is below |S| whenever |S| > 1.

    Deviates: erratum:low-set-size, erratum:integrality.
    """
    require_between("k", k, 1, require_at_least("s", s, 1))
    return -(-s // (2 * k))


def both_access_sizes(m: int, k: int) -> tuple[int, int]:
    """Return S3's sizes: |S| = ceil(sqrt(mk)) and |S_L| = ceil(|S| / 2k)."""
    require_k(k, require_size(m))
    s = 1 + math.isqrt(m * k - 1)
    return s, corrected_low_size(s, k)


def draw_subset(items: Collection[Item], size: int, tape: Tape) -> frozenset[Item]:
    """Return a uniform subset of a given size, with one draw of the tape per member.

    The draw for index j is a uniform index up to j or, if that was drawn before, j itself.
    """
    pool = sorted(items)
    require_between("size", size, 0, len(pool))
    chosen: set[int] = set()
    for j in range(len(pool) - size, len(pool)):
        index = tape.below(j + 1)
        chosen.add(j if index in chosen else index)
    return frozenset(pool[index] for index in chosen)


def draw_instance(m: int, s: int, a: int, n: int, tape: Tape) -> HardInstance:
    """Return an instance with a uniform S of s items and a uniform S_L of a of them."""
    require_size(m)
    chosen = draw_subset(items_of(m), s, tape)
    return hard_instance(m, chosen, draw_subset(chosen, a, tape), n)


def draw_printed_random_access(m: int, k: int, n: int, tape: Tape) -> Histogram:
    """Return the paper's input against random access: each item is n with probability 2k/m.

    That is a probability for k <= m/2 only.
    """
    require_at_least("n", n, 2)
    require_between("k", k, 1, require_size(m) // 2)
    top = tape.subset(m, Fraction(2 * k, m))
    return plateau(m, [Item(index + 1) for index in top], n)


def draw_random_access(m: int, k: int, n: int, tape: Tape) -> Histogram:
    """Return S1's input: n on a uniform set of k items, the only accurate answer."""
    require_k(k, require_size(m))
    require_at_least("n", n, 2)
    return plateau(m, draw_subset(items_of(m), k, tape), n)


def draw_printed_sorted_access(m: int, k: int, n: int, tape: Tape) -> HardInstance:
    """Return the paper's input against sorted access: S = [m/2], |S_L| = |S|/k."""
    require_at_least("n", n, 3)
    s, a = printed_sorted_sizes(m, k)
    chosen = items_of(s)
    return hard_instance(m, chosen, draw_subset(chosen, a, tape), n)


def draw_sorted_access(m: int, k: int, delta: Number, n: int, tape: Tape) -> HardInstance:
    """Return S2's input: S has all items, and S_L is so large that k items rarely miss it."""
    low_size = sorted_low_size(m, k, delta)
    return hard_instance(m, items_of(m), draw_subset(items_of(m), low_size, tape), n)


def draw_printed_both_access(m: int, k: int, n: int, tape: Tape) -> HardInstance:
    """Return the paper's input against both: |S| = sqrt(mk), |S_L| = |S|/k, as integers.

    Paper: thm:lower-both.
    """
    require_at_least("n", n, 3)
    return draw_instance(m, *printed_both_sizes(m, k), n, tape)


def draw_both_access(m: int, k: int, n: int, tape: Tape) -> HardInstance:
    """Return S3's input, an instance of S3's sizes."""
    require_at_least("n", n, 3)
    return draw_instance(m, *both_access_sizes(m, k), n, tape)
