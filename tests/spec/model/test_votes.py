"""Facts about clients, their ballots and the histogram of them."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.votes import (
    Ballot,
    Dataset,
    histogram_from_rows,
    histogram_of,
    replace_client,
    require_ballot,
    with_client,
)
from support import refusal

BALLOTS = st.tuples(*[st.integers(0, 1)] * 4)
DATASETS = st.lists(BALLOTS, max_size=5).map(tuple)


@settings(max_examples=50)
@given(BALLOTS)
def test_ballots_pass_unchanged(ballot: Ballot) -> None:
    """Zeros and ones, one for each item, are a ballot."""
    assert require_ballot(ballot, 4) == ballot


@pytest.mark.parametrize(
    "ballot",
    [
        (),
        (1,),
        (1, 0, 1),
        (2, 0),
        (0, -1),
        (0.0, 1.0),
        (True, False),
        (Fraction(1), 0),
        ("1", 0),
        (None, 0),
        (math.nan, 0),
    ],
)
def test_other_ballots_are_refused(ballot: Any) -> None:
    """A ballot has one vote per item; each is 0 or 1, and an integer."""
    assert refusal(lambda: require_ballot(ballot, 2)) == (
        Reason.NOT_A_VOTE,
        "a ballot must have m=2 entries, each of them 0 or 1",
    )


def test_histogram_counts_votes() -> None:
    """Each score is the number of clients that vote for the item."""
    assert histogram_of(((1, 0, 1), (1, 1, 0), (1, 0, 0)), 3) == (3, 1, 1)


def test_histogram_of_nobody_is_zero() -> None:
    """Without clients every score is 0."""
    assert histogram_of((), 2) == (0, 0)


@settings(max_examples=50)
@given(DATASETS, BALLOTS)
def test_one_more_client_adds_its_ballot(dataset: Dataset, ballot: Ballot) -> None:
    """Adding a client to the data and its ballot to the histogram is the same."""
    assert with_client(histogram_of(dataset, 4), ballot) == histogram_of((*dataset, ballot), 4)


@settings(max_examples=50)
@given(DATASETS)
def test_rows_and_ballots_agree(dataset: Dataset) -> None:
    """The histogram of the rows of a data set, in any multiplicity, is that of its ballots."""
    rows = [
        (client, item)
        for client, ballot in enumerate(dataset)
        for item, vote in enumerate(ballot, start=1)
        for _ in range(3 * vote)
    ]
    assert histogram_from_rows(rows, 4) == histogram_of(dataset, 4)


def test_repeated_row_counts_once() -> None:
    """A client that votes twice for an item is counted once."""
    assert histogram_from_rows([("ann", 1), ("ann", 1), ("bob", 1), ("ann", 2)], 3) == (2, 1, 0)


def test_replaced_client_has_a_new_ballot() -> None:
    """Only the client at the index changes."""
    dataset = ((1, 0), (0, 1), (1, 1))
    assert replace_client(dataset, 1, (0, 0)) == ((1, 0), (0, 0), (1, 1))


@pytest.mark.parametrize("index", [-1, -2, 2, 9])
def test_replacing_nobody_is_refused(index: int) -> None:
    """An index outside the data set would add a client instead of replacing one."""
    assert refusal(lambda: replace_client(((1, 0), (0, 1)), index, (0, 0))) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"index must be between 0 and 1, got {index}",
    )


@settings(max_examples=50)
@given(DATASETS.filter(bool), BALLOTS, st.data())
def test_replacing_keeps_the_number_of_clients(
    dataset: Dataset, ballot: Ballot, data: st.DataObject
) -> None:
    """A replaced client is neither lost nor doubled."""
    index = data.draw(st.integers(0, len(dataset) - 1))
    changed = replace_client(dataset, index, ballot)
    assert (len(changed), changed[index]) == (len(dataset), ballot)


@pytest.mark.parametrize("m", [0, -3])
def test_empty_domains_are_refused(m: int) -> None:
    """Both histograms need at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: histogram_of((), m)) == expected
    assert refusal(lambda: histogram_from_rows([], m)) == expected


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_other_types_are_refused(m: Any) -> None:
    """A domain size is an integer."""
    expected = (Reason.WRONG_TYPE, f"m must be an integer, got {m!r}")
    assert refusal(lambda: histogram_of((), m)) == expected
    assert refusal(lambda: histogram_from_rows([], m)) == expected


def test_histogram_with_a_bad_ballot_is_refused() -> None:
    """A client that votes twice for an item is refused, not counted once."""
    assert refusal(lambda: histogram_of(((1, 0), (2, 0)), 2)) == (
        Reason.NOT_A_VOTE,
        "a ballot must have m=2 entries, each of them 0 or 1",
    )


def test_joining_with_a_bad_ballot_is_refused() -> None:
    """One more client needs a ballot of the histogram's size."""
    assert refusal(lambda: with_client((3, 1), (1,))) == (
        Reason.NOT_A_VOTE,
        "a ballot must have m=2 entries, each of them 0 or 1",
    )


def test_rows_with_unknown_items_are_refused() -> None:
    """A row names an item of the domain."""
    assert refusal(lambda: histogram_from_rows([("ann", 3)], 2)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=2, got 3",
    )
