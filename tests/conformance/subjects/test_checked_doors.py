"""Facts about checked doors: what a sound list cannot deliver ends the reading with an error."""

from collections.abc import Sequence

import pytest

from privtopk.conformance.mutants.right.selectors import (
    ScanSelector,
    ThresholdSelector,
    TwoPhaseSelector,
)
from privtopk.conformance.subjects.checked_doors import CheckedDoors
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import spec_selector
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.spec.model.errors import Reason
from support import refusal

Entries = list[tuple[int, float]]

NOT_WHOLE = "a score must be a whole number and at least 0"
TWICE = "the source delivered an item twice"
UNSORTED = "the source must deliver entries by descending score"
OUTSIDE = "the source delivered an item outside its m=3"


def doors_of(entries: Entries) -> Doors:
    """Return the doors of a list that delivers given entries, and scores 5 by random access."""
    left = iter(entries)

    def read_sorted(count: int) -> Entries:
        return [entry for _, entry in zip(range(count), left, strict=False)]

    def read_random(items: Sequence[int]) -> list[float]:
        return [5.0] * len(items)

    return Doors(3, read_sorted, read_random)


def read_in_order(doors: Doors, pages: Sequence[int] = (1, 1, 1)) -> list[tuple[int, float]]:
    """Return the entries of consecutive pages."""
    return [entry for count in pages for entry in doors.top(count)]


@pytest.mark.parametrize("pages", [(1, 1, 1), (2, 1), (3,), (2, 5)])
@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([(1, 5), (2, 5), (1, 5)], TWICE),
        ([(1, 5), (1, 5), (2, 5)], TWICE),
        ([(1, 3), (2, 4), (3, 1)], UNSORTED),
        ([(0, 5), (1, 5), (2, 5)], OUTSIDE),
        ([(1, 5), (4, 5), (2, 5)], OUTSIDE),
        ([(1, 5), (2, 2.5), (3, 1)], NOT_WHOLE),
        ([(1, 5), (2, 1), (3, -1)], NOT_WHOLE),
        ([(1, float("nan")), (2, 1), (3, 1)], NOT_WHOLE),
        ([(1, float("inf")), (2, 1), (3, 1)], NOT_WHOLE),
    ],
)
def test_a_faulty_entry_is_refused(entries: Entries, message: str, pages: Sequence[int]) -> None:
    """An invalid entry raises on any page, and the error has no score."""
    doors = CheckedDoors(doors_of(entries))
    assert refusal(lambda: read_in_order(doors, pages)) == (Reason.FAULTY_SOURCE, message)


@pytest.mark.parametrize(
    "selector", [spec_selector, ScanSelector(), ThresholdSelector(), TwoPhaseSelector()]
)
def test_every_right_selector_remembers_all_items_delivered(selector: object) -> None:
    """Items 1, 2, 1 among tied scores are a fault, although no item follows itself."""
    doors = doors_of([(1, 5), (2, 5), (1, 5)])
    select = selector.select  # type: ignore[attr-defined]
    assert refusal(lambda: select(doors, Question(3, 1.0))) == (Reason.FAULTY_SOURCE, TWICE)


def test_a_list_must_not_end_early() -> None:
    """Fewer entries than there are left is a fault."""
    doors = CheckedDoors(doors_of([(1, 5), (2, 5)]))
    message = "the source must deliver 3 entries, got 2"
    assert refusal(lambda: doors.top(7)) == (Reason.FAULTY_SOURCE, message)


def test_every_item_looked_up_has_a_score() -> None:
    """Fewer scores than items is a fault."""
    doors = CheckedDoors(Doors(3, lambda count: [], lambda items: [5.0]))
    message = "the source must deliver 2 scores, got 1"
    assert refusal(lambda: doors.values([1, 2])) == (Reason.FAULTY_SOURCE, message)


@pytest.mark.parametrize("order", [("top", "values"), ("values", "top")])
def test_the_doors_must_agree(order: tuple[str, str]) -> None:
    """An item with two scores is a fault, whichever door showed it first."""
    doors = CheckedDoors(doors_of([(1, 4)]))
    arguments: dict[str, object] = {"top": 1, "values": [1]}
    first, second = order
    getattr(doors, first)(arguments[first])
    message = "the two doors of the source disagree on a score"
    assert refusal(lambda: getattr(doors, second)(arguments[second])) == (
        Reason.FAULTY_SOURCE,
        message,
    )


def test_a_sound_list_passes() -> None:
    """The entries of a sound list come through unchanged, ties in any order."""
    doors = CheckedDoors(open_doors(ListedScores([2, 7, 7, 0], seed=3))[0])
    assert doors.values([4, 2]) == [0, 7]
    entries = read_in_order(doors, (2, 1, 4))
    assert sorted(entries) == [(1, 2), (2, 7), (3, 7), (4, 0)]
    message = "all m=4 items have been delivered"
    assert refusal(doors.sorted_access) == (Reason.LIST_EXHAUSTED, message)
