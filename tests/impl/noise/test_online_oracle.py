"""Facts about Algorithm 4; what holds for every oracle is tested with `noise_oracle`."""

import pytest

from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.lazy_permutation import LARGEST_SIZE
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.spec.model.errors import Reason, SelectionError
from support import seeded_coins


def transcript(oracle: OnlineLevelOracle, rounds: int) -> list[object]:
    """Return the answers to a number of rounds of Algorithm 3; random access reads 0, 1, ..."""
    return [
        answer
        for item in range(rounds)
        for answer in (oracle.random_access(item), oracle.sorted_access())
    ]


def test_indexes_are_interchangeable() -> None:
    """With the same randomness both indexes give the same answers."""
    m = 10**6
    blocks = OnlineLevelOracle(m, seeded_coins(1), SortedBlocksIndex())
    tree = OnlineLevelOracle(m, seeded_coins(1), VanEmdeBoasIndex(m + 1))
    assert transcript(blocks, 500) == transcript(tree, 500)


def test_indexes_stay_sound() -> None:
    """After 300 rounds both indexes satisfy their invariants and hold the same positions."""
    m = 2**50
    blocks, tree = SortedBlocksIndex(), VanEmdeBoasIndex(m + 1)
    transcript(OnlineLevelOracle(m, seeded_coins(2), blocks), 300)
    transcript(OnlineLevelOracle(m, seeded_coins(2), tree), 300)
    blocks.check()
    tree.check()
    assert (blocks.minimum(), blocks.maximum()) == (tree.minimum(), tree.maximum())


def test_index_holds_every_position_revealed() -> None:
    """The list of five, read from the top, reveals the positions 1 to 5."""
    index = SortedBlocksIndex()
    oracle = OnlineLevelOracle(5, seeded_coins(3), index)
    for _ in range(5):
        oracle.sorted_access()
    assert [index.neighbours(j) for j in (1, 3, 5)] == [(None, 2), (2, 4), (4, None)]


def test_pairs_stay_sound() -> None:
    """The permutation satisfies its invariants after both doors were used."""
    oracle = OnlineLevelOracle(1000, seeded_coins(4))
    transcript(oracle, 400)
    oracle._order.check()
    assert 400 <= oracle._order.revealed_count <= 800


def test_sizes_beyond_the_coins_are_refused() -> None:
    """There are at most 2^62 items."""
    with pytest.raises(SelectionError) as caught:
        OnlineLevelOracle(LARGEST_SIZE + 1, seeded_coins(6))
    assert (caught.value.reason, str(caught.value)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"m must be between 1 and {2**62}, got {2**62 + 1}",
    )
