"""Facts about the index of sorted blocks."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from privtopk.impl.noise.index import sorted_blocks
from privtopk.impl.noise.index.sorted_blocks import LOAD, SortedBlocksIndex
from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex

UNIVERSES = (1, 2, 63, 64, 65, 1000, 2**20, 2**50)


def index_of(*keys: int) -> SortedBlocksIndex:
    """Return an index with these keys."""
    index = SortedBlocksIndex()
    for key in keys:
        index.insert(key)
    return index


def answers(index: PredecessorIndex, key: int) -> tuple[object, ...]:
    """Return all that an index says."""
    return (
        key in index,
        index.predecessor(key),
        index.successor(key),
        index.minimum(),
        index.maximum(),
    )


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut blocks at four members, so that small sets have many."""
    monkeypatch.setattr(sorted_blocks, "LOAD", 4)


def test_index_is_a_predecessor_index() -> None:
    """It satisfies the protocol of the specification for the type checker and at run time."""
    index: PredecessorIndex = SortedBlocksIndex()
    index.insert(3)
    assert 3 in index


def test_empty_index_knows_no_neighbours() -> None:
    """Before the first insertion every answer is None or no."""
    assert answers(SortedBlocksIndex(), 0) == (False, None, None, None, None)


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("stride", [1, 3, 5, 7, 11])
def test_every_set_of_eleven(stride: int) -> None:
    """Every set of eleven numbers, in several orders, gives the answers of the model."""
    for members in range(0, 1 << 11, 7):
        index, model = SortedBlocksIndex(), NaiveIndex()
        for i in range(11):
            key = i * stride % 12
            if members >> i & 1:
                index.insert(key)
                model.insert(key)
        index.check()
        assert all(answers(index, k) == answers(model, k) for k in range(-1, 13))


@pytest.mark.parametrize("step", [1, -1, 7919])
def test_blocks_are_cut(step: int) -> None:
    """Ascending, descending and mixed keys all keep the blocks short and the order right."""
    keys = [i * step % 5003 for i in range(5003)]
    index = index_of(*keys)
    index.check()
    assert len(index._blocks) >= 5003 // LOAD
    assert [index.neighbours(k) for k in (0, 2500, 5002)] == [
        (None, 1),
        (2499, 2501),
        (5001, None),
    ]


def test_place_returns_the_neighbours() -> None:
    """Adding a key tells what stands around it."""
    index = index_of(10, 50)
    assert [index.place(key) for key in (5, 30, 70)] == [(None, 10), (10, 50), (50, None)]


def test_placing_a_member_changes_nothing() -> None:
    """A second placement gives the same neighbours and leaves the index as it was."""
    index = index_of(10, 50, 70)
    assert index.place(50) == (10, 70)
    index.check()
    assert index.neighbours(50) == (10, 70)


@pytest.mark.usefixtures("short_blocks")
def test_neighbours_across_blocks() -> None:
    """The last member of a block has its successor in the next block."""
    index = index_of(*range(0, 40, 2))
    assert [index.neighbours(key) for key in range(2, 38, 2)] == [
        (key - 2, key + 2) for key in range(2, 38, 2)
    ]


def test_disorder_is_found() -> None:
    """Members out of order do not pass the check."""
    index = index_of(1, 2, 3)
    index._blocks[0].reverse()
    with pytest.raises(AssertionError, match="members out of order"):
        index.check()


@pytest.mark.usefixtures("short_blocks")
def test_wrong_separator_is_found() -> None:
    """A separator that is not the end of its block does not pass the check."""
    index = index_of(*range(10))
    index._ends[0] += 1
    with pytest.raises(AssertionError, match="a wrong separator"):
        index.check()


@pytest.mark.usefixtures("short_blocks")
def test_long_block_is_found() -> None:
    """A block that was not cut does not pass the check."""
    index = index_of(*range(10))
    index._blocks[-1].extend(range(10, 20))
    with pytest.raises(AssertionError, match="a block too long"):
        index.check()


class IndexMachine(RuleBasedStateMachine):
    """An index beside the model of the specification."""

    @initialize(universe=st.sampled_from(UNIVERSES))
    def start(self, universe: int) -> None:
        """Start empty."""
        self.key_range = st.integers(0, universe - 1)
        self.index = SortedBlocksIndex()
        self.model = NaiveIndex()

    @rule(data=st.data())
    def place(self, data: st.DataObject) -> None:
        """Add a key and learn its neighbours."""
        key = data.draw(self.key_range)
        expected = self.model.predecessor(key), self.model.successor(key)
        assert self.index.place(key) == expected
        self.model.insert(key)

    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        """Ask about a number that need not be a member."""
        key = data.draw(self.key_range)
        assert answers(self.index, key) == answers(self.model, key)
        neighbours = self.model.predecessor(key), self.model.successor(key)
        assert self.index.neighbours(key) == neighbours

    @invariant()
    def is_sound(self) -> None:
        """Every structural invariant holds after each step."""
        if hasattr(self, "index"):
            self.index.check()


IndexMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)


TestIndexMachine = pytest.mark.usefixtures("short_blocks")(IndexMachine.TestCase)
