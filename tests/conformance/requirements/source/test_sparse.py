"""Facts about the requirement on items without votes, and how wrong sources are found."""

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.right.sources import Page, RowSource
from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.mutants.source import rows as source_rows
from privtopk.conformance.requirements.source.sparse import SIZES, VOTED, Sparse
from privtopk.conformance.subjects.reference import stored_source
from privtopk.impl.subjects import memory, sparse_memory, sqlite

SPARSE = Sparse()


class Doubling(RowSource):
    """Returns a score that the histogram does not have."""

    def sorted_rows(self) -> list[tuple[int, int]]:
        """Return wrong rows in the right order."""
        return [(item, 2 * score) for item, score in super().sorted_rows()]


class Numbered(RowSource):
    """Counts the items without a row from 0."""

    def fillers(self, passed: int, count: int) -> Page:
        """Return entries of the wrong items."""
        return [(item - 2, score) for item, score in super().fillers(passed, count)]


class OtherZerosFirst(HistogramSource):
    """Lists items without votes backwards until it has been read from the top."""

    is_known = False

    def top(self, start: int, count: int) -> Page:
        """Return entries in one of two orders."""
        self.is_known |= start == 1
        order = sorted(self.order, key=lambda item: (-self.histogram[item - 1], -item))
        entries = [(item, self.histogram[item - 1]) for item in order]
        return super().top(start, count) if self.is_known else entries[start - 1 :][:count]


class OtherZerosAgain(HistogramSource):
    """Reverses a page that is read again, unless it is the first."""

    def __init__(self, histogram: Sequence[int]) -> None:
        super().__init__(histogram)
        self.asked: set[tuple[int, int]] = set()

    def top(self, start: int, count: int) -> Page:
        """Return a page, or its entries backwards."""
        is_known = start > 1 and (start, count) in self.asked
        self.asked.add((start, count))
        return super().top(start, count)[:: -1 if is_known else 1]


@pytest.mark.parametrize("source", [stored_source, memory, sparse_memory, sqlite, RowSource])
def test_right_sources_pass(source: Any) -> None:
    """Arrays, sparse maps and tables with few rows pass."""
    case = run_case(source, SPARSE, budget=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_every_number_of_votes_is_tried_in_short_and_long_domains() -> None:
    """No item, three items, and all but one have votes, in short domains and in one of 1,200."""
    case = run_case(RowSource, SPARSE, budget=0.1)
    assert len(case.experiments) == len(VOTED) * len(SIZES) == 6
    assert {VOTED[votes](1200) for votes in VOTED} == {0, 3, 1199}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            source_rows.RowsOnly,
            "h=(0, 0): the page of 2 entries from rank 1 on has 1 entries",
        ),
        (
            source_rows.RowsOfZeroTwice,
            "h=(0, 0): item 1 comes again at rank 2",
        ),
        (
            source_rows.LookupsOfRowsOnly,
            "h=(0, 0): 6 items looked up gave 3 scores",
        ),
        (
            source_rows.MissingScoresOne,
            "h=(0, 0): item 2 must have score 0, random access returns 1",
        ),
        (
            source_rows.FillersBeforeSmallScores,
            "h=(3, 1, 0, 0, 3): item 2 with score 1 comes after 0 at rank 5",
        ),
        (
            source_rows.FillersOfOneList,
            "m=1200, votes for 0 items: the page of 1200 entries from rank 1 on has 1100 entries",
        ),
        (
            Numbered,
            "h=(0, 0): items must lie between 1 and m=2, rank 2 has item 0",
        ),
        (
            Doubling,
            "h=(3,): item 1 must have score 3, sorted access returns 6",
        ),
        (
            OtherZerosFirst,
            "h=(0, 0): the page top(2, 2) differs when it is read first",
        ),
    ],
)
def test_a_wrong_source_is_reported_by_a_small_histogram(source: Any, message: str) -> None:
    """The smallest histogram on which a source fails is reported."""
    case = run_case(source, SPARSE)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_a_page_is_asked_for_again_at_the_end() -> None:
    """A list that changes after it was read to its end is found."""
    case = run_case(OtherZerosAgain, SPARSE)
    message = (
        "h=(3, 0, 0, 2, 900): the page of 5 entries from rank 4 on was [(2, 0), (3, 0)] and is now "
        "[(3, 0), (2, 0)]"
    )
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("mutant", source_rows.MUTANTS, ids=lambda mutant: mutant.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_mutants_are_killed_whatever_the_seed(mutant: Any, seed: int) -> None:
    """Every mutant that fails where the rows end is killed with few trials."""
    source = getattr(source_rows, mutant.attribute)
    assert run_case(source, SPARSE, seed=seed).verdict is CaseVerdict.FAIL
