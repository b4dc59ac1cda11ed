"""Facts about the list of the k best entries."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from privtopk.impl.engines import shortlist as shortlists
from privtopk.impl.engines.shortlist import LAST_ITEM, Shortlist, largest
from privtopk.impl.scores.protocols import LARGEST_DOMAIN

ENTRIES = st.lists(st.integers(-99, 99), unique=True, min_size=1)


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 3, 4096])
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=ENTRIES, data=st.data())
def test_selection_finds_the_largest(
    few: int, monkeypatch: pytest.MonkeyPatch, entries: list[int], data: st.DataObject
) -> None:
    """The k largest entries are found in any order of arrival, by sorting, partitioning or both."""
    monkeypatch.setattr(shortlists, "FEW", few)
    k = data.draw(st.integers(1, len(entries)))
    assert sorted(largest(list(entries), k)) == sorted(entries)[-k:]


def test_selection_is_linear() -> None:
    """Selecting half of 2^17 entries in scrambled order compares each of them a few times only."""
    n = 1 << 17
    looked_at = 0

    class Counted(int):
        """A number that counts how often it is compared."""

        def __gt__(self, other: int) -> bool:
            nonlocal looked_at
            looked_at += 1
            return int(self) > int(other)

        def __lt__(self, other: int) -> bool:
            nonlocal looked_at
            looked_at += 1
            return int(self) < int(other)

    entries: list[int] = [Counted(i * 20507 % n) for i in range(n)]
    chosen = largest(entries, n // 2)
    assert min(map(int, chosen)) == n // 2
    assert looked_at < 12 * n


def test_floor_is_unknown_before_k_entries() -> None:
    """With fewer than k entries nothing is rejected."""
    shortlist = Shortlist(3)
    shortlist.add(10, 0)
    shortlist.add(20, 1)
    shortlist.settle()
    assert shortlist.floor is None


def test_settling_raises_the_floor() -> None:
    """The floor is the k-th best value at the time of settling, and stays until the next."""
    shortlist = Shortlist(2)
    for item, value in enumerate((10, 30, 20)):
        shortlist.add(value, item)
    shortlist.settle()
    before = shortlist.floor
    shortlist.add(40, 3)
    between = shortlist.floor
    shortlist.settle()
    assert (before, between, shortlist.floor) == (20, 20, 30)


def test_entries_below_the_floor_are_rejected() -> None:
    """An entry that k others surely beat is not stored."""
    shortlist = Shortlist(1)
    shortlist.add(10, 0)
    shortlist.settle()
    shortlist.add(9, 1)
    assert len(shortlist._entries) == 1


def test_ties_go_to_the_smaller_item() -> None:
    """Of equal values the smaller item ranks first, also at the floor."""
    shortlist = Shortlist(2)
    for item in (5, 3, 4):
        shortlist.add(10, item)
        shortlist.settle()
    shortlist.add(10, 1)
    assert shortlist.ranking() == (1, 3)


@pytest.mark.parametrize("value", [-(2**130), -1, 0, 2**130])
def test_every_item_of_the_largest_domain_fits(value: int) -> None:
    """The first and the last item of 2^62 come back unchanged, for every value."""
    shortlist = Shortlist(2)
    for item in (LAST_ITEM, 0):
        shortlist.add(value, item)
    shortlist.settle()
    assert (shortlist.floor, shortlist.ranking(), LAST_ITEM) == (
        value,
        (0, LAST_ITEM),
        LARGEST_DOMAIN - 1,
    )


class ShortlistMachine(RuleBasedStateMachine):
    """A shortlist beside the list of everything."""

    @initialize(k=st.integers(1, 6))
    def start(self, k: int) -> None:
        """Start empty."""
        self.k = k
        self.shortlist = Shortlist(k)
        self.everything: list[tuple[int, int]] = []

    @rule(value=st.integers(-20, 20))
    def add(self, value: int) -> None:
        """Add a new item."""
        item = len(self.everything)
        self.everything.append((value, -item))
        self.shortlist.add(value, item)

    @rule()
    def settle(self) -> None:
        """Cut the list back; then the floor is exact."""
        self.shortlist.settle()
        if len(self.everything) >= self.k:
            assert self.shortlist.floor == sorted(self.everything)[-self.k][0]

    @invariant()
    def best_are_kept(self) -> None:
        """The k best are those of everything, and the floor never exceeds the k-th."""
        if not hasattr(self, "shortlist"):
            return
        ranked = sorted(self.everything, reverse=True)[: self.k]
        assert self.shortlist.ranking() == tuple(-item for _, item in ranked)
        assert self.shortlist.floor is None or self.shortlist.floor <= ranked[-1][0]


ShortlistMachine.TestCase.settings = settings(
    max_examples=50, stateful_step_count=30, deadline=None
)
TestShortlistMachine = ShortlistMachine.TestCase
