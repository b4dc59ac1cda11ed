"""Facts about the lists that the harness holds: a permutation of the items by score."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.conformance.subjects.scores import ListedScores, ScoreList, SparseScoreList


def ranking_of(scores: ScoreList) -> list[int]:
    """Return all items in the order of the list."""
    return [scores.at_rank(rank) for rank in range(1, scores.size + 1)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.none() | st.integers(0, 9))
def test_a_stored_list_descends(values: list[int], seed: int | None) -> None:
    """Every item has one rank, and scores descend with the rank."""
    scores = ListedScores(values, seed)
    items = ranking_of(scores)
    assert sorted(items) == list(range(1, len(values) + 1))
    assert [scores.score(item) for item in items] == sorted(values, reverse=True)


def test_ties_go_to_the_smaller_item_without_a_seed() -> None:
    """Without a seed, tied items stand by number."""
    assert ranking_of(ListedScores([5, 7, 5, 7])) == [2, 4, 1, 3]


def test_a_seed_shuffles_ties() -> None:
    """Seeds put tied items in every order; the same seed always gives the same order."""
    orders = {tuple(ranking_of(ListedScores([1, 1, 1], seed))) for seed in range(60)}
    assert len(orders) == 6
    assert ranking_of(ListedScores([1] * 9, 4)) == ranking_of(ListedScores([1] * 9, 4))


def test_noises_may_be_fractions() -> None:
    """A served noise list has negative and fractional values."""
    assert ranking_of(ListedScores([-0.5, 0.25, -3.0])) == [2, 1, 3]


@given(st.integers(1, 12), st.data())
def test_a_sparse_list_is_the_stored_one(m: int, data: st.DataObject) -> None:
    """Few positive scores in a domain are ranked as if all were stored."""
    positive = data.draw(st.dictionaries(st.integers(1, m), st.integers(1, 3)))
    values: Sequence[int] = [positive.get(item, 0) for item in range(1, m + 1)]
    sparse, listed = SparseScoreList(m, positive), ListedScores(values)
    assert ranking_of(sparse) == ranking_of(listed)
    assert [sparse.score(item) for item in range(1, m + 1)] == values


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 2**60 - 1, 2**60])
def test_a_huge_list_has_every_rank(rank: int) -> None:
    """In a domain of 2^60 items the leaders come first and the others follow by number."""
    scores = SparseScoreList(2**60, {1: 5, 2**59: 7})
    first = {1: 2**59, 2: 1, 3: 2, 4: 3, 2**60 - 1: 2**60 - 1, 2**60: 2**60}
    assert scores.at_rank(rank) == first[rank]
