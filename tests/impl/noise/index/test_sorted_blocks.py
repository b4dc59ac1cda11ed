"""Facts about the index of sorted blocks."""

import pytest

from privtopk.impl.noise.index import sorted_blocks
from privtopk.impl.noise.index.sorted_blocks import LOAD, SortedBlocksIndex
from privtopk.spec.noise.predecessor import NaiveIndex
from support_index import answers


def index_of(*keys: int) -> SortedBlocksIndex:
    """Return an index with these keys."""
    index = SortedBlocksIndex()
    for key in keys:
        index.insert(key)
    return index


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split blocks at four members, so that small sets have many."""
    monkeypatch.setattr(sorted_blocks, "LOAD", 4)


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
    """A block that was not split does not pass the check."""
    index = index_of(*range(10))
    index._blocks[-1].extend(range(10, 20))
    with pytest.raises(AssertionError, match="a block too long"):
        index.check()
