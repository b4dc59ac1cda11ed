"""Facts about the recursion of the van Emde Boas index."""

from itertools import permutations

import pytest

from privtopk.impl.noise.index import strata
from privtopk.impl.noise.index.strata import NONE, InnerStratum, LeafStratum, Stratum, stratum_of


def filled_stratum(bits: int, numbers: tuple[int, ...]) -> Stratum:
    """Return a stratum into which numbers were inserted."""
    stratum = stratum_of(bits)
    for number in numbers:
        stratum.insert(number)
    return stratum


def largest_below(numbers: tuple[int, ...], bits: int, number: int) -> int:
    """Return the largest of the numbers in the node of one that is below it, or NONE."""
    node = number >> bits
    return max((n for n in numbers if n < number and n >> bits == node), default=NONE)


@pytest.mark.parametrize("bits", [0, 1, 10, 20])
def test_small_sets_are_leaves(bits: int) -> None:
    """Up to 20 bits two layers of bit sets suffice."""
    assert isinstance(stratum_of(bits), LeafStratum)


@pytest.mark.parametrize("bits", [21, 48, 63])
def test_large_sets_recurse(bits: int) -> None:
    """Beyond 20 bits there are clusters."""
    assert isinstance(stratum_of(bits), InnerStratum)


def depth(stratum: Stratum) -> int:
    """Return how many inner strata a search may pass."""
    if isinstance(stratum, LeafStratum):
        return 0
    assert isinstance(stratum, InnerStratum)
    return 1 + max(depth(stratum._inside), depth(stratum._summary))


@pytest.mark.parametrize("bits", range(64))
def test_the_tree_is_as_deep_as_halves_make_it(bits: int) -> None:
    """The bits of a leaf stratum double with every inner stratum: depth is log log u."""
    assert depth(stratum_of(bits)) == sum(bits > 20 << doublings for doublings in range(6))


@pytest.mark.parametrize("bits", [21, 40, 41, 48, 60])
def test_the_summary_is_a_leaf_where_it_can_be(bits: int) -> None:
    """Up to 60 bits the summary at the root is a leaf stratum."""
    root = InnerStratum(bits)
    assert isinstance(root._summary, LeafStratum)


@pytest.mark.parametrize(("bits", "nodes", "leaf_bits"), [(3, 2, 10), (3, 2, 1), (4, 1, 1)])
def test_every_short_history(
    bits: int, nodes: int, leaf_bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all three numbers in all orders, every answer is right.

    With leaves of two numbers the recursion is two strata deep.
    """
    monkeypatch.setattr(strata, "LEAF_BITS", leaf_bits)
    universe = range(nodes << bits)
    for numbers in permutations(universe, 3):
        stratum = filled_stratum(bits, numbers[:2])
        assert stratum.place(numbers[2]) == largest_below(numbers[:2], bits, numbers[2])
        assert stratum.members() == sorted(numbers)
        assert all(stratum.predecessor(n) == largest_below(numbers, bits, n) for n in universe)


@pytest.mark.parametrize("leaf_bits", [1, 10])
def test_every_order_of_a_full_cluster(leaf_bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five of the eight numbers of three bits, in every order, get the right neighbours."""
    monkeypatch.setattr(strata, "LEAF_BITS", leaf_bits)
    for numbers in permutations(range(8), 5):
        stratum = stratum_of(3)
        for i, number in enumerate(numbers):
            assert stratum.place(number) == largest_below(numbers[:i], 3, number)
        assert stratum.members() == sorted(numbers)


def test_nodes_do_not_mix() -> None:
    """A number of another node is never a neighbour."""
    stratum = filled_stratum(30, ((5 << 30) - 1, 5 << 30))
    assert [stratum.predecessor((5 << 30) + d) for d in (0, 1)] == [NONE, 5 << 30]


def test_leaf_summary_must_know_its_leaves() -> None:
    """A leaf that its summary does not name is found."""
    leaf = LeafStratum(8)
    leaf.insert(17)
    leaf._summaries[0] = 1
    with pytest.raises(AssertionError, match="summaries and leaves differ"):
        leaf.members()


def test_empty_leaf_must_not_be_stored() -> None:
    """A leaf without a number is found."""
    leaf = LeafStratum(8)
    leaf.insert(17)
    leaf._leaves[1] = 0
    with pytest.raises(AssertionError, match="an empty leaf is stored"):
        leaf.members()


def test_leaf_must_not_be_too_wide() -> None:
    """A bit beyond the width of a leaf is found."""
    leaf = LeafStratum(8)
    leaf.insert(17)
    leaf._leaves[1] |= 1 << 16
    with pytest.raises(AssertionError, match="a bit too far"):
        leaf.members()


def test_summary_must_know_its_clusters() -> None:
    """A cluster that the summary does not name is found."""
    inner = InnerStratum(30)
    inner._greatest[3] = 3 << 15
    with pytest.raises(AssertionError, match="summary and clusters differ"):
        inner.members()


def test_ends_must_be_in_order() -> None:
    """A least member above the greatest is found."""
    inner = InnerStratum(30)
    inner.insert(5)
    inner._least[0] = 6
    with pytest.raises(AssertionError, match="ends out of order"):
        inner.members()


def test_ends_must_be_at_home() -> None:
    """An end that belongs to another cluster is found."""
    inner = InnerStratum(30)
    inner.insert(5)
    inner._greatest[0] = 1 << 15
    with pytest.raises(AssertionError, match="an end far away"):
        inner.members()


def test_ends_must_not_be_inside() -> None:
    """An end that is stored in its cluster too is found."""
    inner = InnerStratum(30)
    for number in (5, 9):
        inner.insert(number)
    inner._inside.insert(9)
    with pytest.raises(AssertionError, match="an end inside"):
        inner.members()


def test_storage_is_linear() -> None:
    """A thousand numbers far apart take at most three entries each."""
    stratum = InnerStratum(60)
    for i in range(1000):
        stratum.insert(i * 0x9E3779B97F4A7C15 % 2**60)
    assert entries(stratum) <= 3000 + 10


def entries(stratum: Stratum) -> int:
    """Return the number of dictionary entries of a stratum and its parts."""
    if isinstance(stratum, LeafStratum):
        return len(stratum._leaves) + len(stratum._summaries)
    assert isinstance(stratum, InnerStratum)
    own = len(stratum._greatest) + len(stratum._least)
    return own + entries(stratum._inside) + entries(stratum._summary)
