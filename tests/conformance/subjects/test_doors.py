"""Facts about the doors through which a subject reads, and about the meter that counts accesses."""

import pytest

from privtopk.conformance.subjects.doors import Doors, Meter, open_doors
from privtopk.conformance.subjects.scores import ListedScores, SparseScoreList
from privtopk.spec.model.access import Door
from privtopk.spec.model.errors import Reason
from support import refusal


@pytest.fixture
def doors_and_meter() -> tuple[Doors, Meter]:
    """Return the doors of three items, of which the second is the best, and their meter."""
    return open_doors(ListedScores([4, 9, 0]))


def test_sorted_access_goes_down(doors_and_meter: tuple[Doors, Meter]) -> None:
    """Sorted access delivers entries by descending value."""
    doors, _ = doors_and_meter
    assert [doors.sorted_access() for _ in range(3)] == [(2, 9), (1, 4), (3, 0)]


def test_batches_and_single_entries_share_one_place(doors_and_meter: tuple[Doors, Meter]) -> None:
    """A batch continues after a single access, and is shorter at the end."""
    doors, _ = doors_and_meter
    assert doors.sorted_access() == (2, 9)
    assert doors.top(5) == [(1, 4), (3, 0)]
    assert doors.top(5) == []


def test_random_access_answers_in_the_order_asked(doors_and_meter: tuple[Doors, Meter]) -> None:
    """Values come in the order of the items, one at a time or together."""
    doors, _ = doors_and_meter
    assert (doors.random_access(1), doors.values([3, 1, 1])) == (4, [0, 4, 4])


def test_every_entry_is_charged(doors_and_meter: tuple[Doors, Meter]) -> None:
    """The meter counts entries as accesses and calls as round trips."""
    doors, meter = doors_and_meter
    doors.top(2)
    doors.values([2, 3])
    doors.random_access(3)
    assert meter == Meter(
        sorted_accesses=2,
        random_accesses=3,
        round_trips=3,
        items={1, 2, 3},
        trace=[("sorted", 2), ("sorted", 1), ("random", 2), ("random", 3), ("random", 3)],
    )
    assert meter.accesses == 5


def test_entries_that_do_not_exist_are_not_charged(doors_and_meter: tuple[Doors, Meter]) -> None:
    """A batch beyond the end costs what it delivers."""
    doors, meter = doors_and_meter
    doors.top(100)
    assert (meter.sorted_accesses, meter.round_trips) == (3, 1)


def test_the_end_of_the_list_is_an_error(doors_and_meter: tuple[Doors, Meter]) -> None:
    """A single access beyond the end is refused, and not charged."""
    doors, meter = doors_and_meter
    doors.top(3)
    message = "all m=3 items have been delivered"
    assert refusal(doors.sorted_access) == (Reason.LIST_EXHAUSTED, message)
    assert meter.accesses == 3


@pytest.mark.parametrize("item", [0, -1, 4, 2**70])
def test_an_unknown_item_is_refused(doors_and_meter: tuple[Doors, Meter], item: int) -> None:
    """An item outside the domain is refused, and no item of the batch is charged."""
    doors, meter = doors_and_meter
    message = f"item must be between 1 and m=3, got {item}"
    assert refusal(lambda: doors.values([1, item])) == (Reason.UNKNOWN_ITEM, message)
    assert meter == Meter()


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (-1, (Reason.SIZE_OUT_OF_RANGE, "count must be at least 0, got -1")),
        (1.5, (Reason.WRONG_TYPE, "count must be an integer, got float")),
        ("2", (Reason.WRONG_TYPE, "count must be an integer, got str")),
    ],
)
def test_a_bad_count_is_refused(
    doors_and_meter: tuple[Doors, Meter], count: object, expected: tuple[Reason, str]
) -> None:
    """A count that is not a whole number of at least 0 is refused."""
    doors, meter = doors_and_meter
    assert refusal(lambda: doors.top(count)) == expected  # type: ignore[arg-type]
    assert meter == Meter()


def test_a_bad_item_is_refused(doors_and_meter: tuple[Doors, Meter]) -> None:
    """An item that is not a whole number is refused."""
    doors, _ = doors_and_meter
    message = "item must be an integer, got float"
    assert refusal(lambda: doors.random_access(1.0)) == (  # type: ignore[arg-type]
        Reason.WRONG_TYPE,
        message,
    )


def test_doors_show_no_way_to_the_meter(doors_and_meter: tuple[Doors, Meter]) -> None:
    """Doors have a size and the accesses, no meter, and no place for other attributes."""
    doors, _ = doors_and_meter
    public = {name for name in dir(doors) if not name.startswith("_")}
    assert public == {"random_access", "size", "sorted_access", "top", "values"}
    assert not hasattr(doors, "__dict__")


def test_two_calls_have_two_places() -> None:
    """Doors of another call start at the top, with nothing charged."""
    scores = ListedScores([4, 9, 0])
    first, meter = open_doors(scores)
    first.top(3)
    second, other = open_doors(scores)
    assert second.sorted_access() == (2, 9)
    assert (meter.accesses, other.accesses) == (3, 1)


def test_a_huge_domain_is_read_as_well() -> None:
    """A domain that is not stored has the same doors."""
    doors, _ = open_doors(SparseScoreList(2**60, {2**59: 7}))
    assert (doors.top(2), doors.random_access(2**60)) == ([(2**59, 7), (1, 0)], 0)


@pytest.mark.parametrize("door", Door)
def test_a_closed_door_is_refused(door: Door) -> None:
    """A closed door delivers and charges nothing; the meter counts the attempt."""
    doors, meter = open_doors(ListedScores([4, 9, 0]), closed=door)
    ways = {Door.SORTED: lambda: doors.top(1), Door.RANDOM: lambda: doors.values([1])}
    assert refusal(ways[door]) == (Reason.DOOR_CLOSED, f"there is no {door} access")
    assert meter == Meter(refusals=1)


@pytest.mark.parametrize("door", Door)
def test_the_other_door_stays_open(door: Door) -> None:
    """Accesses through the open door count as usual."""
    doors, meter = open_doors(ListedScores([4, 9, 0]), closed=door)
    read = doors.random_access(2) if door is Door.SORTED else doors.sorted_access()[1]
    assert (read, meter.accesses, meter.refusals) == (9, 1, 0)
