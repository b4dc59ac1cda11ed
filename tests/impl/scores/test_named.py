"""Facts about scores whose items have names: they belong to a declared domain."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.domain import ItemDomain, RangeDomain
from privtopk.impl.scores.inputs import source_or_store
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.named import NamedScores
from privtopk.impl.scores.protocols import Source, has_public_domain, view_of
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal

VOTES = {"pear": 3, "fig": 5, "plum": 0}
OUTSIDE = (Reason.UNKNOWN_ITEM, "there is an item outside the declared domain")


def entries_of(source: Source) -> list[tuple[object, int]]:
    """Return names and scores, best first."""
    page = source.top(0, source.size)
    names = [source.name(int(item)) for item in page.items]
    return list(zip(names, page.scores.tolist(), strict=True))


def both_forms(scores: Mapping[Any, int], domain: Any) -> list[Source]:
    """Return the scores as a selection reads them, and as they are sorted once."""
    with view_of(source_or_store(scores, domain)) as source:
        return [source, NamedScores(scores, domain=domain)]


def test_a_public_domain_has_the_items_of_the_data() -> None:
    """With the domain "public" exactly the items of the data can be selected."""
    for source in both_forms(VOTES, "public"):
        assert entries_of(source) == [("fig", 5), ("pear", 3), ("plum", 0)]
        assert has_public_domain(source)


@pytest.mark.parametrize(
    "domain", [["plum", "pear", "kiwi", "fig"], {"plum", "pear", "kiwi", "fig"}]
)
def test_a_declared_domain_has_items_without_scores(domain: Any) -> None:
    """An item of the domain without a score scores 0, like one with 0 votes."""
    for source in both_forms(VOTES, domain):
        assert dict(entries_of(source)) == {"fig": 5, "pear": 3, "plum": 0, "kiwi": 0}
        assert not has_public_domain(source)


@pytest.mark.parametrize("votes", [{}, {"fig": 0}, {"fig": 9000}])
def test_the_data_does_not_change_the_domain(votes: dict[str, int]) -> None:
    """Without votes, with one item and with a leader, the same items can be selected."""
    for source in both_forms(votes, ["fig", "pear", "plum"]):
        assert {name for name, _ in entries_of(source)} == {"fig", "pear", "plum"}


def test_a_range_may_be_huge() -> None:
    """Of a range of 2^62 items only those with a score take memory."""
    domain = RangeDomain(1, 2**62)
    for source in both_forms({2**61: 7, 5: 9}, domain):
        assert [source.name(int(item)) for item in source.top(0, 4).items] == [5, 2**61, 1, 2]


@pytest.mark.parametrize("votes", [{"fig": 3, "date": 1}, {"date": 0}, {"fig ": 3}, {3: 1}])
def test_an_item_outside_the_domain_is_refused(votes: dict[Any, int]) -> None:
    """The refusal names neither the item nor a score."""
    assert refusal(lambda: NamedScores(votes, domain=["fig", "pear"])) == OUTSIDE
    assert refusal(lambda: top_k(votes, 1, epsilon=1, domain=["fig", "pear"])) == OUTSIDE


def test_items_are_published_as_the_domain_writes_them() -> None:
    """The labels are those of the domain, so that their type does not depend on the data."""
    names = [name for name, _ in entries_of(NamedScores({1.0: 5, True + 1: 3}, domain=[1, 2]))]
    assert (names, {type(name) for name in names}) == ([1, 2], {int})


def test_scores_without_names_are_refused() -> None:
    """An array has no names; the error says where to go."""
    assert refusal(lambda: NamedScores([3, 5], domain="public")) == (
        Reason.WRONG_TYPE,
        "NamedScores takes a mapping, a column with an index or a table with a column of items, "
        "got an array: IndexedScores takes scores whose items are indices",
    )


@pytest.mark.parametrize("domain", ["public", ["fig", "pear"]])
def test_bad_scores_are_refused(domain: Any) -> None:
    """Scores of named items are checked like all others."""
    assert refusal(lambda: NamedScores({"fig": 3, "pear": -1}, domain=domain)) == (
        Reason.NEGATIVE_SCORE,
        "no score may be negative",
    )


@pytest.mark.parametrize("domain", ["public", ["fig", "pear"]])
def test_an_item_with_two_rows_is_refused(domain: Any) -> None:
    """A table must have one row per item."""
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"item": ["fig", "fig"], "score": [3, 5]})
    assert refusal(lambda: NamedScores(table, domain=domain)) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 2 items of which 1 differ",
    )


def test_the_columns_of_a_table_are_named() -> None:
    """A table is read by the names of its columns."""
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"votes": [3, 5], "fruit": ["pear", "fig"]})
    source = NamedScores(table, domain=["fig", "pear"], item="fruit", score="votes")
    assert entries_of(source) == [("fig", 5), ("pear", 3)]


def test_named_scores_are_sorted_once() -> None:
    """A selection from many named scores reads few of them."""
    votes = {f"item {number}": 0 for number in range(20_000)}
    source = NamedScores(votes, domain="public")
    assert source.is_indexed
    assert top_k(source, 1, epsilon=1, rng=1).audit.accesses < 2_000


names = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)


@given(domain=names, scores=st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_all_doors_agree_with_a_dense_array(domain: list[str], scores: list[int]) -> None:
    """Both doors, blocks and names are those of the array of all scores of the domain."""
    votes = dict(zip(domain[::2], scores, strict=False))
    dense = IndexedScores([votes.get(name, 0) for name in domain])
    everything = np.arange(len(domain))
    for source in both_forms(votes, domain):
        assert source.scores(everything).tolist() == dense.scores(everything).tolist()
        assert source.top(0, len(domain)).items.tolist() == dense.top(0, len(domain)).items.tolist()
        assert [source.name(place) for place in range(len(domain))] == domain


def test_a_domain_of_ones_own() -> None:
    """An object that translates names and numbers is a domain."""

    class Letters:
        size = 26

        def names(self, numbers: Any) -> list[Any]:
            """Return letters."""
            return [chr(97 + number) for number in numbers.tolist()]

        def numbers(self, names: Any) -> Any:
            """Return numbers."""
            return np.array([ord(name) - 97 for name in names], dtype=np.int64)

    own: ItemDomain = Letters()
    assert entries_of(NamedScores({"c": 4}, domain=own))[:3] == [("c", 4), ("a", 0), ("b", 0)]
