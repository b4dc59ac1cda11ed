"""Facts about the van Emde Boas index."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from privtopk.impl.noise.index.van_emde_boas import LARGEST_UNIVERSE, VanEmdeBoasIndex
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex

UNIVERSES = (1, 2, 63, 64, 65, 1000, 2**20, 2**20 + 1, 2**50, 2**63)


def index_of(universe: int, *keys: int) -> VanEmdeBoasIndex:
    """Return an index with these keys."""
    index = VanEmdeBoasIndex(universe)
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


def refusal(universe: int) -> tuple[Reason, str]:
    """Return how a universe is refused."""
    with pytest.raises(SelectionError) as caught:
        VanEmdeBoasIndex(universe)
    return caught.value.reason, str(caught.value)


def test_index_is_a_predecessor_index() -> None:
    """It satisfies the protocol of the specification for the type checker and at run time."""
    index: PredecessorIndex = VanEmdeBoasIndex(10)
    index.insert(3)
    assert 3 in index


@pytest.mark.parametrize("universe", UNIVERSES)
def test_empty_index_knows_no_neighbours(universe: int) -> None:
    """Before the first insertion every answer is None or no."""
    assert answers(VanEmdeBoasIndex(universe), 0) == (False, None, None, None, None)


@pytest.mark.parametrize("universe", [2, 3, 7, 12])
def test_every_set_of_a_small_universe(universe: int) -> None:
    """Every set of every small universe gives the answers of the model, at every key."""
    for members in range(1 << min(universe, 8)):
        index, model = VanEmdeBoasIndex(universe), NaiveIndex()
        for key in (key for key in range(universe) if members >> key & 1):
            index.insert(universe - 1 - key)
            model.insert(universe - 1 - key)
        index.check()
        assert all(answers(index, k) == answers(model, k) for k in range(-1, universe + 1))


def test_place_returns_the_neighbours() -> None:
    """Adding a key tells what stands around it."""
    index = index_of(100, 10, 50)
    assert [index.place(key) for key in (5, 30, 70)] == [(None, 10), (10, 50), (50, None)]


def test_placing_a_member_changes_nothing() -> None:
    """A second placement gives the same neighbours and leaves the index as it was."""
    index = index_of(100, 10, 50, 70)
    assert index.place(50) == (10, 70)
    index.check()
    assert index.neighbours(50) == (10, 70)


@pytest.mark.parametrize("key", [-1, -2, 100, 2**70])
def test_keys_outside_the_universe_are_refused(key: int) -> None:
    """Only 0, ..., universe - 1 can be added, and a refusal changes nothing."""
    index = index_of(100, 10)
    with pytest.raises(SelectionError) as caught:
        index.insert(key)
    assert str(caught.value) == f"key must be between 0 and 99, got {key}"
    index.check()
    assert (index.minimum(), index.maximum()) == (10, 10)


@pytest.mark.parametrize("key", [-5, -1, 100, 2**70])
def test_numbers_outside_the_universe_have_neighbours(key: int) -> None:
    """A question may name any integer."""
    index = index_of(100, 10, 90)
    assert index.neighbours(key) == ((None, 10) if key < 0 else (90, None))


@pytest.mark.parametrize("universe", [0, -1, LARGEST_UNIVERSE + 1])
def test_universes_out_of_range_are_refused(universe: int) -> None:
    """A universe has between 1 and 2^63 numbers."""
    assert refusal(universe) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"universe must be between 1 and {2**63}, got {universe}",
    )


def test_broken_thread_is_found() -> None:
    """A thread that leaves out a member does not pass the check."""
    index = index_of(100, 10, 50, 70)
    index._next[10] = 70
    with pytest.raises(AssertionError, match="the thread does not follow the order"):
        index.check()


def test_wrong_maximum_is_found() -> None:
    """A forgotten greatest member does not pass the check."""
    index = index_of(100, 10, 50)
    index._greatest = 10
    with pytest.raises(AssertionError, match="the greatest member is another"):
        index.check()


class IndexMachine(RuleBasedStateMachine):
    """An index beside the model of the specification."""

    @initialize(universe=st.sampled_from(UNIVERSES))
    def start(self, universe: int) -> None:
        """Start empty."""
        self.universe = universe
        self.index = VanEmdeBoasIndex(universe)
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
        """Add a key and learn its neighbours."""
        key = self.key(data)
        expected = self.model.predecessor(key), self.model.successor(key)
        assert self.index.place(key) == expected
        self.model.insert(key)
        self.keys.append(key)

    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        """Ask about a number that need not be a member."""
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


IndexMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestIndexMachine = IndexMachine.TestCase
