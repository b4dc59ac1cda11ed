"""Facts about the rank-free oracle; what holds for every oracle is tested with `noise_oracle`."""

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.noise.lazy_permutation import LARGEST_SIZE
from privtopk.impl.noise.rank_free import RankFreeLevelOracle, UnseenItems
from privtopk.impl.randomness.generators import Floats, Integers, SeededRandomness
from privtopk.spec.model.errors import Reason, SelectionError
from support import seeded_coins


class Scripted(SeededRandomness):
    """Randomness with given exponentials and integers, whose last one repeats."""

    def __init__(self, exponentials: list[float], integers: list[int]) -> None:
        """Take the numbers."""
        super().__init__(np.random.default_rng(0))
        self.given = exponentials
        self.chosen = integers

    def exponentials(self, n: int) -> Floats:
        """Return the given exponentials."""
        return np.array((self.given + self.given[-1:] * n)[:n])

    def integers(self, bound: int, n: int) -> Integers:
        """Return the given integers."""
        return np.array((self.chosen + self.chosen[-1:] * n)[:n], dtype=np.int64)


def test_random_access_adds_an_exponential_to_the_frontier() -> None:
    """A new item gets E = c + Exp(1), with c = 0 before anything is delivered."""
    assert RankFreeLevelOracle(5, Scripted([0.3], [0])).random_access(4) == 0.3


def test_sorted_access_takes_the_minimum_of_the_unseen() -> None:
    """The first of five has E = Exp(1)/5 and is the item drawn."""
    assert RankFreeLevelOracle(5, Scripted([0.3], [3])).sorted_access() == (3, 0.3 / 5)


def test_frontier_moves_with_what_is_delivered() -> None:
    """After a delivery at c the next item by random access has E = c + Exp(1)."""
    oracle = RankFreeLevelOracle(5, Scripted([0.5, 0.25], [3]))
    assert oracle.sorted_access() == (3, 0.1)
    assert oracle.random_access(1) == 0.1 + 0.25


def test_pending_item_goes_first_if_it_is_smaller() -> None:
    """An item from random access is delivered if the new minimum is larger."""
    oracle = RankFreeLevelOracle(3, Scripted([0.25, 0.75], [0]))
    oracle.random_access(2)
    assert oracle.sorted_access() == (2, 0.25)


def test_fresh_minimum_goes_first_if_it_is_smaller() -> None:
    """A new minimum below every pending item is delivered, and the items stay pending."""
    oracle = RankFreeLevelOracle(3, Scripted([0.5, 0.25, 1.5], [0]))
    oracle.random_access(2)
    assert [oracle.sorted_access() for _ in range(2)] == [(0, 0.125), (2, 0.5)]


def test_fresh_minimum_is_thrown_away() -> None:
    """After a pending item the next minimum is drawn from its level on."""
    oracle = RankFreeLevelOracle(2, Scripted([0.25, 0.75, 1.0], [0, 0, 0]))
    oracle.random_access(1)
    assert [oracle.sorted_access() for _ in range(2)] == [(1, 0.25), (0, 1.25)]


def test_seen_items_are_rejected() -> None:
    """A drawn item that was seen is drawn again."""
    oracle = RankFreeLevelOracle(9, Scripted([4.0, 0.25], [5, 5, 7]))
    oracle.random_access(5)
    assert oracle.sorted_access() == (7, 0.25 / 8)


def test_unseen_items_are_listed_once_few_are_left() -> None:
    """While at most half are seen there is no list; then there is one of the unseen items."""
    oracle = RankFreeLevelOracle(10, seeded_coins(1))
    for item in range(4):
        oracle.random_access(item)
    oracle.sorted_access()
    assert oracle._unseen is None
    for _ in range(10 - 1):
        oracle.sorted_access()
    assert oracle._unseen is not None


def test_last_unseen_item_is_found() -> None:
    """One unseen item of 30,000 is found without a long search."""
    m = 30_000
    oracle = RankFreeLevelOracle(m, seeded_coins(2))
    for item in range(m):
        if item != 777:
            oracle.random_access(item)
    levels = [oracle.sorted_access() for _ in range(m)]
    assert sorted(item for item, _ in levels) == list(range(m))


@pytest.mark.slow
@pytest.mark.parametrize("seen", [0, 12, 18, 23])
def test_unseen_items_are_uniform(seen: int) -> None:
    """The first unseen item delivered is uniform among the unseen, by search and by list.

    Null hypothesis: uniform on the unseen of 24 items; n = 6,000, false alarms 1e-9; a law with
    sum (p - q)^2/q >= 0.025 is found with power 0.99.
    """
    randomness, n, cells = seeded_coins(3 + seen), 6000, 24 - seen
    chosen = []
    for _ in range(n):
        oracle = RankFreeLevelOracle(24, randomness)
        known = {oracle.random_access(item): item for item in range(seen)}
        item, _ = oracle.sorted_access()
        while item in known.values():
            item, _ = oracle.sorted_access()
        chosen.append(item - seen)
    assert len(chosen) == n
    if cells > 1:
        limit = stats.chi2.isf(1e-9, cells - 1)
        assert stats.ncx2.sf(limit, cells - 1, 0.025 * n) >= 0.99
        counts = np.bincount(chosen, minlength=cells)
        assert ((counts - n / cells) ** 2 / (n / cells)).sum() < limit


def test_list_drops_what_was_seen_since() -> None:
    """Items seen after the list was made are never taken, and each item is taken once."""
    seen = {0, 1}
    unseen = UnseenItems(8, seen, seeded_coins(4))
    seen |= {5, 6}
    taken = []
    while len(seen) < 8:
        taken.append(unseen.take(seen))
        seen.add(taken[-1])
    assert sorted(taken) == [2, 3, 4, 7]


def test_sizes_beyond_the_coins_are_refused() -> None:
    """There are at most 2^62 items."""
    with pytest.raises(SelectionError) as caught:
        RankFreeLevelOracle(LARGEST_SIZE + 1, seeded_coins(5))
    assert (caught.value.reason, str(caught.value)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"m must be between 1 and {2**62}, got {2**62 + 1}",
    )
