"""Facts about lists that break one promise, and the evidence that they leave."""

import math

import pytest

from privtopk.conformance.requirements.instruments.faulty_list import (
    FAULTS,
    DoorsError,
    FaultyList,
    entries_with_fault,
    evidence,
)
from privtopk.conformance.subjects.kinds import Cost
from privtopk.conformance.subjects.scores import ListedScores

ENTRIES = [(2, 9.0), (1, 6.0), (3, 4.0)]


def faulty_list(fault: str, begins: int = 2) -> FaultyList:
    """Return a list of three items with a fault."""
    return FaultyList(ListedScores([6, 9, 4]), fault, begins)


@pytest.mark.parametrize(
    ("fault", "entries"),
    [
        ("fewer entries", [(2, 9.0)]),
        ("item 0", [(2, 9.0), (0, 6.0), (3, 4.0)]),
        ("item m+1", [(2, 9.0), (4, 6.0), (3, 4.0)]),
        ("item twice", [(2, 9.0), (1, 6.0), (1, 6.0)]),
        ("rising scores", [(2, 9.0), (3, 4.0), (1, 6.0)]),
        ("negative", [(2, 9.0), (1, -1.0), (3, 4.0)]),
        ("fraction", [(2, 9.0), (1, 2.5), (3, 4.0)]),
        ("disagreement", ENTRIES),
        ("exception", ENTRIES),
    ],
)
def test_a_fault_begins_at_its_rank(fault: str, entries: list[tuple[int, float]]) -> None:
    """A sorted list is right up to the rank of its fault."""
    assert entries_with_fault(ENTRIES, fault, 2) == entries


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("fewer entries", "fewer entries than it asked for, although the list has them"),
        ("item 0", "an item outside the domain"),
        ("item m+1", "an item outside the domain"),
        ("item twice", "the same item at two ranks"),
        ("rising scores", "scores that rise in sorted order"),
        ("nan", "a score that is not a whole number of at least 0"),
        ("negative", "a score that is not a whole number of at least 0"),
        ("fraction", "a score that is not a whole number of at least 0"),
        ("disagreement", None),
    ],
)
def test_reading_the_list_gives_the_evidence(fault: str, expected: str | None) -> None:
    """Reading all entries in order reveals every fault of that door."""
    seen = faulty_list(fault)
    seen.doors.top(3)
    assert evidence(seen, (1,), Cost.THRESHOLD) == expected


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"exception"}))
def test_before_the_fault_there_is_no_evidence(fault: str) -> None:
    """An entry before the fault is right."""
    seen = faulty_list(fault)
    seen.doors.top(1)
    seen.doors.values([1])
    assert evidence(seen, (1,), Cost.THRESHOLD) is None


def test_doors_that_raise_go_on_raising() -> None:
    """A lost list stays lost, and that is evidence."""
    seen = faulty_list("exception")
    assert seen.doors.sorted_access() == (2, 9.0)
    for _ in range(2):
        with pytest.raises(DoorsError, match="the list is gone"):
            seen.doors.sorted_access()
    assert evidence(seen, (1,), Cost.SCAN) == "an exception of its source"


@pytest.mark.parametrize(
    ("fault", "values"),
    [
        ("fewer entries", [6.0]),
        ("negative", [6.0, -1.0]),
        ("fraction", [6.0, 2.5]),
        ("disagreement", [6.0, 5.0]),
        ("item twice", [6.0, 4.0]),
    ],
)
def test_random_access_fails_from_its_own_count_on(fault: str, values: list[float]) -> None:
    """The second entry that random access looks up is the first that is wrong."""
    assert faulty_list(fault).doors.values([1, 3]) == values


def test_random_access_can_return_nan() -> None:
    """One of the wrong scores is not a number."""
    assert math.isnan(faulty_list("nan", 1).doors.random_access(1))


def test_a_scan_may_ignore_the_order() -> None:
    """Rising scores are evidence for a subject that promises an access cost, and not for a scan."""
    seen = faulty_list("rising scores")
    seen.doors.top(3)
    assert evidence(seen, (1,), Cost.SCAN) is None


def test_a_contradiction_counts_for_items_that_are_returned() -> None:
    """An item that is delivered with another score than at its look-up must not be returned."""
    seen = faulty_list("disagreement", 1)
    seen.doors.values([1])
    seen.doors.top(3)
    expected = "two different scores of an item that it selected"
    assert [evidence(seen, (item,), Cost.SCAN) for item in (1, 2)] == [expected, None]


def test_looking_up_again_is_no_evidence() -> None:
    """A subject may discard the score of an item that was delivered before."""
    seen = faulty_list("disagreement", 1)
    seen.doors.top(3)
    seen.doors.values([1])
    assert evidence(seen, (1,), Cost.THRESHOLD) is None
