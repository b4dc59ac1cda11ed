"""Facts that hold for both indexes: each gives the answers of the specification's model."""

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from privtopk.impl.noise.index import sorted_blocks
from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex
from support_index import answers

Index: TypeAlias = SortedBlocksIndex | VanEmdeBoasIndex

UNIVERSES = (1, 2, 63, 64, 65, 1000, 2**20, 2**20 + 1, 2**50, 2**63)

for_both_indexes = pytest.mark.parametrize(
    "empty", [SortedBlocksIndex, lambda: VanEmdeBoasIndex(100)], ids=["blocks", "van-emde-boas"]
)


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split blocks at four members, so that small sets have many."""
    monkeypatch.setattr(sorted_blocks, "LOAD", 4)


def index_of(empty: Callable[[], Index], *keys: int) -> Index:
    """Return an index with these keys."""
    index = empty()
    for key in keys:
        index.insert(key)
    return index


@for_both_indexes
def test_index_is_a_predecessor_index(empty: Callable[[], Index]) -> None:
    """It satisfies the protocol of the specification for the type checker and at run time."""
    index: PredecessorIndex = empty()
    index.insert(3)
    assert 3 in index


@pytest.mark.parametrize(
    "index", [SortedBlocksIndex(), *(VanEmdeBoasIndex(universe) for universe in UNIVERSES)]
)
def test_empty_index_has_no_neighbours(index: Index) -> None:
    """Before the first insertion every answer is None or False."""
    assert answers(index, 0) == (False, None, None, None, None)


@for_both_indexes
def test_place_returns_the_neighbours(empty: Callable[[], Index]) -> None:
    """Adding a key returns its two neighbours."""
    index = index_of(empty, 10, 50)
    assert [index.place(key) for key in (5, 30, 70)] == [(None, 10), (10, 50), (50, None)]


@for_both_indexes
def test_placing_a_member_changes_nothing(empty: Callable[[], Index]) -> None:
    """A second placement returns the same neighbours and leaves the index as it was."""
    index = index_of(empty, 10, 50, 70)
    assert index.place(50) == (10, 70)
    index.check()
    assert index.neighbours(50) == (10, 70)


class IndexMachine(RuleBasedStateMachine):
    """An index beside the model of the specification."""

    def empty_index(self, universe: int) -> Index:
        """Return the index to test, for keys below the size of the universe."""
        raise NotImplementedError

    @initialize(universe=st.sampled_from(UNIVERSES))
    def start(self, universe: int) -> None:
        """Start empty."""
        self.index = self.empty_index(universe)
        self.universe = universe
        self.model = NaiveIndex()
        self.keys: list[int] = []

    def key(self, data: st.DataObject) -> int:
        """Draw a key: anywhere, or close to one that was used before."""
        anywhere = st.integers(0, self.universe - 1)
        if not self.keys:
            return data.draw(anywhere)
        distance = st.sampled_from((-1, 1, -3, 64, -1024, 1 << 20, 1 << 25, -(1 << 31)))
        near = st.builds(int.__add__, st.sampled_from(self.keys), distance)
        return data.draw(st.one_of(anywhere, near.map(lambda key: key % self.universe)))

    @rule(data=st.data())
    def place(self, data: st.DataObject) -> None:
        """Add a key and compare its neighbours."""
        key = self.key(data)
        expected = self.model.predecessor(key), self.model.successor(key)
        assert self.index.place(key) == expected
        self.model.insert(key)
        self.keys.append(key)

    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        """Query a number that need not be a member."""
        key = self.key(data)
        assert answers(self.index, key) == answers(self.model, key)
        neighbours = self.model.predecessor(key), self.model.successor(key)
        assert self.index.neighbours(key) == neighbours

    @invariant()
    def is_sound(self) -> None:
        """Every structural invariant holds after each step."""
        if hasattr(self, "index"):
            self.index.check()
            assert all(key in self.index for key in self.keys)


class SortedBlocksMachine(IndexMachine):
    """The index of sorted blocks, which takes keys of any size."""

    def empty_index(self, universe: int) -> Index:
        """Return an index without keys."""
        return SortedBlocksIndex()


class VanEmdeBoasMachine(IndexMachine):
    """The van Emde Boas index."""

    def empty_index(self, universe: int) -> Index:
        """Return an index without keys."""
        return VanEmdeBoasIndex(universe)


SortedBlocksMachine.TestCase.settings = settings(
    max_examples=50, stateful_step_count=40, deadline=None
)
VanEmdeBoasMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None
)

TestSortedBlocksMachine = pytest.mark.usefixtures("short_blocks")(SortedBlocksMachine.TestCase)
TestVanEmdeBoasMachine = VanEmdeBoasMachine.TestCase
