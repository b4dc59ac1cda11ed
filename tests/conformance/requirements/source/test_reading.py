"""Facts about how a source is read, and how its answers are compared."""

from typing import Any

import pytest

from privtopk.conformance.evidence.trial import Experiment, Trial, ViolationError
from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.requirements.source.reading import (
    LONG,
    ReadingPlan,
    page_of,
    read_through,
    require_page,
    require_scores,
)
from privtopk.conformance.subjects.calls import Caller, SubjectError
from privtopk.conformance.subjects.kinds import Abilities
from privtopk.conformance.subjects.subject import Subject

TRIAL = Trial(Subject(None, Abilities()), Experiment("", 1), 1, None, Caller(1.0))  # type: ignore[arg-type]
READING = ReadingPlan((3, 0, 5), (1, 2), (1,), (1,))
ENTRIES = [(3, 5), (1, 3), (2, 0)]


class Watched(HistogramSource):
    """Records the pages that were requested."""

    def __init__(self, histogram: Any) -> None:
        super().__init__(histogram)
        self.asked: list[tuple[int, int]] = []

    def top(self, start: int, count: int) -> Any:
        """Record a page, and return it."""
        self.asked.append((start, count))
        return super().top(start, count)


def test_a_list_is_read_in_pages_of_the_given_sizes() -> None:
    """The page sizes are repeated until the end of the list."""
    source = Watched((0,) * 8)
    read_through(TRIAL, source, ReadingPlan((0,) * 8, (1, 3), (), ()))
    assert source.asked == [(1, 1), (2, 3), (5, 1), (6, 3)]


def test_a_right_list_is_read_to_its_end() -> None:
    """Reading a right list returns all entries in order."""
    source = HistogramSource(READING.histogram)
    assert read_through(TRIAL, source, READING) == ENTRIES
    require_page(TRIAL, source, READING, ENTRIES, 2, 9)
    require_scores(TRIAL, source, READING, (3, 3, 1))


def test_a_page_that_is_another_is_reported() -> None:
    """The message has the old and the new page, each cut if it is long."""
    with pytest.raises(ViolationError) as caught:
        require_page(TRIAL, HistogramSource((3, 0, 4)), READING, ENTRIES, 1, 1)
    assert (
        str(caught.value)
        == "h=(3, 0, 5): the page of 1 entries from rank 1 on was [(3, 5)] and is now [(3, 4)]"
    )
    long = ReadingPlan((0,) * LONG, (LONG,), (), ())
    with pytest.raises(ViolationError) as caught:
        require_page(TRIAL, HistogramSource(long.histogram), long, [(1, 1)] * LONG, 1, LONG)
    assert str(caught.value).startswith(
        "m=1200: the page of 1200 entries from rank 1 on was [(1, 1), (1, 1), "
    )
    assert len(str(caught.value)) < 700


def test_a_score_that_is_another_is_reported() -> None:
    """The message about wrong scores has the right scores and the returned ones."""
    with pytest.raises(ViolationError) as caught:
        require_scores(TRIAL, HistogramSource((3, 0, 4)), READING, (2, 3))
    assert str(caught.value) == "h=(3, 0, 5): items [2, 3] must have scores [0, 5], got [0, 4]"


class Odd(HistogramSource):
    """Returns a given entry."""

    entry: Any = None

    def top(self, start: int, count: int) -> Any:
        """Return the given entry."""
        return [self.entry]


@pytest.mark.parametrize("entry", [(1, 2.0), ("1", 2), (1, 2, 3), None])
def test_entries_are_pairs_of_whole_numbers(entry: Any) -> None:
    """An entry that is not a pair of whole numbers is a fault of the subject."""
    source = Odd((1,))
    source.entry = entry
    with pytest.raises(SubjectError):
        page_of(TRIAL, source, 1, 1)
