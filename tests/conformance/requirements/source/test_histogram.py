"""Facts about the requirements on a data source, and how wrong sources are found."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.source.histogram import (
    Agreement,
    Order,
    Pages,
    SourceRefusals,
)
from privtopk.conformance.subjects.reference import StoredScores, stored_source
from privtopk.impl.subjects import memory

ORDER, AGREEMENT, PAGES, REFUSALS = Order(), Agreement(), Pages(), SourceRefusals()
Page = list[tuple[int, int]]


class Ascending(StoredScores):
    """Delivers the worst first."""

    def top(self, start: int, count: int) -> Page:
        """Return a page from the wrong end."""
        return super().top(1, self.size)[::-1][start - 1 :][:count]


class Overlapping(StoredScores):
    """Counts ranks from 0 on every page but the first."""

    def top(self, start: int, count: int) -> Page:
        """Return a page that begins one too early."""
        return super().top(max(1, start - 1), count)


class ByText(StoredScores):
    """Sorts scores as texts."""

    def top(self, start: int, count: int) -> Page:
        """Return a page in the order of digits."""
        entries = sorted(super().top(1, self.size), key=lambda entry: str(entry[1]), reverse=True)
        return entries[start - 1 :][:count]


class SinglePrecision(StoredScores):
    """Keeps scores in single precision."""

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores that were single-precision numbers."""
        return [int(np.float32(score)) for score in super().scores(items)]


class InOwnOrder(StoredScores):
    """Answers in the order of the items, as a database does."""

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores by ascending item."""
        return super().scores(sorted(items))


class Deduplicating(StoredScores):
    """Answers once for an item that is looked up twice."""

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores of different items."""
        return super().scores(list(dict.fromkeys(items)))


class Floating(StoredScores):
    """Returns doubles."""

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores as doubles."""
        return [float(score) for score in super().scores(items)]  # type: ignore[misc]


class UnstableTies(StoredScores):
    """Breaks ties differently for every page."""

    def top(self, start: int, count: int) -> Page:
        """Return a page of a list that was just sorted again."""
        entries = super().top(1, self.size)
        random.Random(start).shuffle(entries)
        return sorted(entries, key=lambda entry: -entry[1])[start - 1 :][:count]


class PageOrder(StoredScores):
    """Puts ties of a page in the order of the page's length."""

    def top(self, start: int, count: int) -> Page:
        """Return a page; long ones have their ties by descending item."""
        page = super().top(start, count)
        return sorted(page, key=lambda entry: (-entry[1], -entry[0])) if count > 3 else page


class FromTheEnd:
    """Indexes an array without any check."""

    def __init__(self, histogram: Sequence[int]) -> None:
        self._array = np.array(histogram)
        self._order = np.argsort(-self._array, kind="stable")
        self.size = len(histogram)

    def top(self, start: int, count: int) -> Page:
        """Return a page; a start below 1 counts from the end."""
        items = self._order[start - 1 : start - 1 + count]
        return [(int(item) + 1, int(self._array[item])) for item in items]

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores; an item below 1 counts from the end."""
        return [int(self._array[item - 1]) for item in items]


class Padding(StoredScores):
    """Fills a page beyond the end."""

    def top(self, start: int, count: int) -> Page:
        """Return as many entries as requested."""
        page = super().top(start, count)
        return page + [(1, 0)] * (count - len(page))


class MissingRows(StoredScores):
    """Leaves out rows that it does not find."""

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return scores of items that exist."""
        return super().scores([item for item in items if 1 <= item <= self.size])


class WrongSize(StoredScores):
    """Counts only items with votes."""

    def __init__(self, histogram: Sequence[int]) -> None:
        super().__init__(histogram)
        self.size = sum(score > 0 for score in histogram)

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores."""
        return [self._histogram[item - 1] for item in items]


@pytest.mark.parametrize("requirement", [ORDER, AGREEMENT, PAGES, REFUSALS])
def test_the_stored_list_passes(requirement: Requirement) -> None:
    """The specification's list satisfies every requirement."""
    case = run_case(stored_source, requirement, budget=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("requirement", [ORDER, AGREEMENT, PAGES])
def test_the_list_in_memory_passes(requirement: Requirement) -> None:
    """Our index in memory shows the same histogram through both doors."""
    case = run_case(memory, requirement, budget=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    ("source", "requirement", "message"),
    [
        (Ascending, ORDER, "h=(0, 1): scores must descend, got [0, 1]"),
        (Overlapping, ORDER, "h=(0, 0): must deliver each of m=2 items once, got [1, 1]"),
        (WrongSize, AGREEMENT, "h=(0,): size must be 1, got 0"),
        (Deduplicating, AGREEMENT, "h=(0,): items [1, 1] must have scores [0, 0], got [0]"),
        (
            Floating,
            AGREEMENT,
            "the subject raised TypeError: 'float' object cannot be interpreted as an integer",
        ),
    ],
)
def test_a_wrong_source_is_reported_by_the_smallest_histogram(
    source: Any, requirement: Requirement, message: str
) -> None:
    """The smallest histogram on which a source fails is reported."""
    case = run_case(source, requirement)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize(
    ("source", "requirement"),
    [
        (ByText, ORDER),
        (UnstableTies, ORDER),
        (UnstableTies, PAGES),
        (PageOrder, PAGES),
        (InOwnOrder, AGREEMENT),
        (Overlapping, PAGES),
    ],
)
def test_a_wrong_source_is_found(source: Any, requirement: Requirement) -> None:
    """Orders of digits, unstable ties and lost precision are found."""
    assert run_case(source, requirement, budget=4).verdict is CaseVerdict.FAIL


def test_lost_precision_shows_in_large_scores_only() -> None:
    """Scores in single precision are right until they are large."""
    case = run_case(SinglePrecision, AGREEMENT)
    assert case.failed_experiment is not None
    assert case.experiments[case.failed_experiment].name == "scores up to 2^53"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (FromTheEnd, "item 0 of m=1 must be refused, got [3, 3]"),
        (
            Padding,
            "6 entries from rank 1 of m=1 must be [(1, 3)], got [(1, 3), (1, 0), (1, 0), "
            "(1, 0), (1, 0), (1, 0)]",
        ),
        (MissingRows, "item 0 of m=1 must be refused, got [3]"),
    ],
)
def test_what_does_not_exist_is_not_made_up(source: Any, message: str) -> None:
    """An answer about an item or rank that does not exist is a breach."""
    case = run_case(source, REFUSALS)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)
