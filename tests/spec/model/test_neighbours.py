"""Facts about the three neighbour relations."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import (
    Relation,
    differences,
    is_add_remove_neighbour,
    is_l_infinity_neighbour,
    is_neighbour,
    is_swap_neighbour,
    meeting_point,
)
from privtopk.spec.model.values import Histogram
from privtopk.spec.model.votes import histogram_of, replace_client
from support import refusal

SIZE = 3
HISTOGRAMS = st.tuples(*[st.integers(0, 3)] * SIZE)
BALLOTS = tuple(product((0, 1), repeat=SIZE))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((1, 1), (1, 1), (True, True, True)),
        ((1, 1), (2, 1), (True, True, True)),
        ((1, 1), (2, 2), (True, True, True)),
        ((1, 1), (0, 0), (True, True, True)),
        ((1, 3), (0, 4), (False, True, True)),
        ((1, 1), (3, 1), (False, False, False)),
        ((1, 1), (1, -1), (False, False, False)),
    ],
)
def test_relations_by_hand(
    first: Histogram, second: Histogram, expected: tuple[bool, bool, bool]
) -> None:
    """The three relations differ exactly where scores move both ways."""
    assert (
        is_add_remove_neighbour(first, second),
        is_swap_neighbour(first, second),
        is_l_infinity_neighbour(first, second),
    ) == expected


def test_differences_point_from_first_to_second() -> None:
    """A difference is the second score minus the first."""
    assert differences((1, 5, 2), (3, 5, 0)) == (2, 0, -2)


@settings(max_examples=50)
@given(HISTOGRAMS, HISTOGRAMS)
def test_relation_is_chosen_by_name(first: Histogram, second: Histogram) -> None:
    """Asking for a relation by its name gives the relation of that name."""
    assert [is_neighbour(first, second, relation) for relation in Relation] == [
        is_add_remove_neighbour(first, second),
        is_swap_neighbour(first, second),
        is_l_infinity_neighbour(first, second),
    ]


@settings(max_examples=50)
@given(HISTOGRAMS, HISTOGRAMS, st.sampled_from(Relation))
def test_relations_are_symmetric(first: Histogram, second: Histogram, relation: Relation) -> None:
    """The order of the two histograms does not matter."""
    assert is_neighbour(first, second, relation) == is_neighbour(second, first, relation)


@settings(max_examples=50)
@given(HISTOGRAMS, st.sampled_from(Relation))
def test_relations_are_reflexive(histogram: Histogram, relation: Relation) -> None:
    """A histogram is its own neighbour: a client without votes changes nothing."""
    assert is_neighbour(histogram, histogram, relation)


def test_add_remove_is_one_client_joining_or_leaving() -> None:
    """Among all pairs with scores up to 2, add/remove neighbours are those one ballot apart."""
    histograms = tuple(product(range(3), repeat=SIZE))
    one_ballot_apart = {
        (first, tuple(s + v for s, v in zip(first, ballot, strict=True)))
        for first in histograms
        for ballot in BALLOTS
    }
    found = {
        (first, second)
        for first in histograms
        for second in histograms
        if is_add_remove_neighbour(first, second)
    }
    assert found == {
        pair
        for first, second in one_ballot_apart
        for pair in ((first, second), (second, first))
        if set(pair) <= set(histograms)
    }


def test_swap_is_one_client_replaced() -> None:
    """The pairs that one replaced client makes are exactly the pairs at distance at most 1."""
    others = ((1, 0, 1),)
    made = {
        (
            histogram_of((*others, before), SIZE),
            histogram_of(replace_client((*others, before), 1, after), SIZE),
        )
        for before in BALLOTS
        for after in BALLOTS
    }
    reachable = {histogram_of((*others, ballot), SIZE) for ballot in BALLOTS}
    assert made == {
        (first, second)
        for first in reachable
        for second in reachable
        if is_swap_neighbour(first, second)
    }


@settings(max_examples=50)
@given(HISTOGRAMS, st.tuples(*[st.integers(-1, 1)] * SIZE))
def test_meeting_point_is_one_step_from_either(first: Histogram, changes: tuple[int, ...]) -> None:
    """Two l-infinity neighbours are two add/remove steps apart, through the meeting point."""
    second = tuple(score + change for score, change in zip(first, changes, strict=True))
    middle = meeting_point(first, second)
    assert is_add_remove_neighbour(first, middle)
    assert is_add_remove_neighbour(middle, second)


def test_meeting_point_has_the_smaller_scores() -> None:
    """The meeting point has the smaller score of every item."""
    assert meeting_point((1, 3, 2), (0, 4, 2)) == (0, 3, 2)


@pytest.mark.parametrize(
    "ask",
    [
        differences,
        is_add_remove_neighbour,
        is_swap_neighbour,
        is_l_infinity_neighbour,
        meeting_point,
        lambda first, second: is_neighbour(first, second, Relation.SWAP),
    ],
    ids=["differences", "add-remove", "swap", "l-infinity", "meeting-point", "by-name"],
)
def test_different_domains_are_refused(ask: Callable[[Histogram, Histogram], object]) -> None:
    """Histograms over different domains are never compared."""
    assert refusal(lambda: ask((1, 2), (1, 2, 3))) == (
        Reason.DIFFERENT_DOMAINS,
        "both histograms must have the same domain, got sizes 2 and 3",
    )


@pytest.mark.parametrize("relation", ["add-remove", "hamming", None])
def test_unknown_relations_are_refused(relation: Any) -> None:
    """A relation is a member of the enumeration; an equal string is refused."""
    assert refusal(lambda: is_neighbour((1,), (1,), relation)) == (
        Reason.WRONG_TYPE,
        f"relation must be a Relation, got {relation!r}",
    )
