"""Facts about the van Emde Boas index."""

import pytest

from privtopk.impl.noise.index.van_emde_boas import LARGEST_UNIVERSE, VanEmdeBoasIndex
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.predecessor import NaiveIndex
from support import refusal
from support_index import answers


def index_of(universe: int, *keys: int) -> VanEmdeBoasIndex:
    """Return an index with these keys."""
    index = VanEmdeBoasIndex(universe)
    for key in keys:
        index.insert(key)
    return index


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


@pytest.mark.parametrize("key", [-1, -2, 100, 2**70])
def test_keys_outside_the_universe_are_refused(key: int) -> None:
    """Only 0, ..., universe - 1 can be added, and a refusal changes nothing."""
    index = index_of(100, 10)
    assert refusal(lambda: index.insert(key)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"key must be between 0 and 99, got {key}",
    )
    index.check()
    assert (index.minimum(), index.maximum()) == (10, 10)


@pytest.mark.parametrize("key", [-5, -1, 100, 2**70])
def test_numbers_outside_the_universe_have_neighbours(key: int) -> None:
    """A query may name any integer."""
    index = index_of(100, 10, 90)
    assert index.neighbours(key) == ((None, 10) if key < 0 else (90, None))


@pytest.mark.parametrize("universe", [0, -1, LARGEST_UNIVERSE + 1])
def test_universes_out_of_range_are_refused(universe: int) -> None:
    """A universe has between 1 and 2^63 numbers."""
    assert refusal(lambda: VanEmdeBoasIndex(universe)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"universe must be between 1 and {2**63}, got {universe}",
    )


def test_broken_thread_is_found() -> None:
    """A linked list that lacks a member does not pass the check."""
    index = index_of(100, 10, 50, 70)
    index._next[10] = 70
    with pytest.raises(AssertionError, match="the thread does not follow the order"):
        index.check()


def test_wrong_maximum_is_found() -> None:
    """A wrong greatest member does not pass the check."""
    index = index_of(100, 10, 50)
    index._greatest = 10
    with pytest.raises(AssertionError, match="the greatest member is another"):
        index.check()
