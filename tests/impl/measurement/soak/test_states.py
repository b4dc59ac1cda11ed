"""Facts about the states of the soak, and the selections that they allow."""

import multiprocessing

import pytest

from privtopk.impl.measurement.soak.states import (
    LEAD,
    Answer,
    Clock,
    is_allowed,
    pair_of,
    scores_of,
)


def test_two_items_have_all_votes() -> None:
    """In state 11 the second pair leads, as in state 1."""
    assert pair_of(11) == pair_of(1) == (3, 4)
    assert {item: score for item, score in scores_of(11).items() if score} == {
        3: 2 * LEAD,
        4: LEAD,
    }


@pytest.mark.parametrize(
    ("items", "expected"),
    [((3, 4), True), ((5, 6), True), ((1, 2), False), ((4, 3), False), ((3, 6), False)],
)
def test_a_selection_must_be_that_of_one_state(items: Answer, expected: bool) -> None:
    """Between states 1 and 2, an older pair, a wrong order and a mixture are not allowed."""
    assert is_allowed(items, 1, 2) is expected


def test_a_lost_state_is_followed_by_the_next() -> None:
    """What was begun and not committed may or may not be seen."""
    clock = Clock(multiprocessing.get_context("spawn"))
    clock.begin()
    clock.finish(clock.begin())
    clock.begin()
    assert (clock.done, clock.begun) == (2, 3)
