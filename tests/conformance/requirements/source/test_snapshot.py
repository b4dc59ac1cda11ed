"""Facts about the requirement on snapshots, and how wrong sources are found."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.right.sources import (
    LockedSource,
    OptimisticSource,
    Page,
    SnapshotSource,
)
from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.mutants.source import snapshots as source_snapshots
from privtopk.conformance.requirements.source.snapshot import (
    BACK,
    CHANGES,
    LONG_LIST,
    Interleaving,
    Snapshot,
    interleavings,
    reversed_long_list,
)
from privtopk.conformance.requirements.source.states import (
    ItemQuery,
    Query,
    RankQuery,
    is_one_state,
)
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.impl.subjects import memory, sparse_memory, sqlite

SNAPSHOT = Snapshot()
SCRIPT: tuple[Query, ...] = (RankQuery(1, 1), ItemQuery((2,)))


class Cautious(OptimisticSource):
    """Compares the version before every answer too."""

    def top(self, start: int, count: int) -> Page:
        """Refuse a page after a change."""
        self.require_unchanged()
        return super().top(start, count)

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Refuse a lookup after a change."""
        self.require_unchanged()
        return super().scores(items)


class LateSnapshot(SnapshotSource):
    """Begins its transaction with the first query, through either door."""

    begun: HistogramSource | None = None

    def top(self, start: int, count: int) -> Page:
        """Return entries as they were at the first query."""
        self.begun = self.begun or self.live
        return self.begun.top(start, count)

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores as they were at the first query."""
        self.begun = self.begun or self.live
        return self.begun.scores(items)


class LockedLate(OptimisticSource):
    """Locks out writers after the first read."""

    has_begun = False

    def top(self, start: int, count: int) -> Page:
        """Lock, and read."""
        self.has_begun = True
        return super().top(start, count)

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Lock, and read."""
        self.has_begun = True
        return super().scores(items)

    def rewrite(self, histogram: Sequence[int]) -> bool:  # type: ignore[override]
        """Write, if no reader holds the lock."""
        if self.has_begun:
            return False
        super().rewrite(histogram)
        return True

    def close(self) -> None:
        """Return without an error, because what was read was locked."""


@pytest.mark.parametrize(
    "source",
    [
        *(SnapshotSource, OptimisticSource, Cautious, LateSnapshot, LockedLate),
        *(memory, sparse_memory, sqlite),
    ],
)
def test_right_sources_pass(source: Any) -> None:
    """A copy, a snapshot, a refusal at the end or at once, and a lock all pass."""
    case = run_case(source, SNAPSHOT, budget=0.2)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_a_source_that_keeps_writers_out_is_not_tested() -> None:
    """A source that always kept the writer out has not been tested."""
    case = run_case(LockedSource, SNAPSHOT, budget=0.1)
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "declined 7 of 7 experiments: the source keeps other writers out while it is open",
    )


def test_without_a_writer_it_is_skipped() -> None:
    """The reason to skip a subject without another writer says how to offer one."""
    case = run_case(HistogramSource, SNAPSHOT)
    assert case.verdict is CaseVerdict.SKIP
    assert case.message.startswith("the subject does not offer rewrite: ")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            source_snapshots.LookupsReadLive,
            "h=(1, 0), h=(0, 1) before query 1: the answers come from no single state: "
            "top(1, 1) = [(1, 1)] is old; scores([2, 1]) = [1, 0] is new; top(2, 1) = [(2, 0)] is "
            "old; scores([1, 2]) = [0, 1] is new; top(1, 2) = [(1, 1), (2, 0)] is old",
        ),
        (
            source_snapshots.ChangesSoughtByContent,
            "h=(1, 0), h=(0, 1) before query 1, h=(1, 0) before query 2: the answers come "
            "from no single state: top(1, 1) = [(2, 1)] is new; scores([2, 1]) = [0, 1] is old; "
            "top(2, 1) = [(2, 0)] is old; scores([1, 2]) = [1, 0] is old; top(1, 2) = [(1, 1), "
            "(2, 0)] is old",
        ),
    ],
)
def test_a_mixture_is_reported_by_a_small_histogram(source: Any, message: str) -> None:
    """The message has the states, the moments of the writes, and the state of each answer."""
    case = run_case(source, SNAPSHOT)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("mutant", source_snapshots.MUTANTS, ids=lambda mutant: mutant.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_mutants_are_killed_by_a_tenth_of_the_trials(mutant: Any, seed: int) -> None:
    """Every moment is tried in every trial, so one trial of each experiment finds them."""
    source = getattr(source_snapshots, mutant.attribute)
    assert run_case(source, SNAPSHOT, budget=0.1, seed=seed).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize(
    ("source", "experiment"),
    [
        (source_snapshots.ChangesSoughtByContent, BACK),
        (source_snapshots.FirstFetchIsOld, LONG_LIST),
    ],
)
def test_some_mutants_show_in_one_experiment_only(source: Any, experiment: str) -> None:
    """Changes that are undone, and entries beyond the first fetch, have their own experiments."""
    case = run_case(source, SNAPSHOT, budget=0.1)
    assert case.failed_experiment is not None
    assert case.experiments[case.failed_experiment].name == experiment


class RefusingEarly(SnapshotSource):
    """Refuses before anything has changed."""

    def top(self, start: int, count: int) -> Page:
        """Refuse."""
        raise ValueError("changed, I suppose")


class HangingAfterwards(SnapshotSource):
    """Hangs after a write."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Answer, or hang after a write."""
        while self.version:
            time.sleep(0.01)
        return super().scores(items)


class FloatingAfterwards(SnapshotSource):
    """Answers with doubles after a write."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Answer with doubles after a write."""
        scores = super().scores(items)
        return [score + 0.5 for score in scores] if self.version else scores  # type: ignore[misc]


class RefusingWhatWasNotStored(LockedSource):
    """Keeps a writer out, and nevertheless refuses what was read."""

    is_disturbed = False

    def rewrite(self, histogram: Sequence[int]) -> bool:
        """Store nothing."""
        self.is_disturbed = True
        return False

    def close(self) -> None:
        """Raise if a writer was kept out."""
        if self.is_disturbed:
            raise ValueError("somebody was here")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (RefusingWhatWasNotStored, "the subject raised ValueError: somebody was here"),
        (RefusingEarly, "the subject raised ValueError: changed, I suppose"),
        (HangingAfterwards, "the subject gave no answer within 0.2 s"),
        (
            FloatingAfterwards,
            "an answer must consist of whole numbers: 'float' object cannot be interpreted as an "
            "integer",
        ),
    ],
)
def test_what_is_no_refusal_of_a_change(source: Any, message: str) -> None:
    """An error without any change, a call that hangs and a wrong type are faults."""
    case = run_case(source, SNAPSHOT, budget=0.1, seconds=0.2)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


class Unwritable(SnapshotSource):
    """Has a writer that fails."""

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Raise."""
        raise OSError("database is locked")


def test_a_writer_that_fails_is_the_adapters_fault() -> None:
    """If the writer raises, the source cannot be tested."""
    with pytest.raises(AdapterError, match=r"^rewrite raised OSError: database is locked$"):
        run_case(Unwritable, SNAPSHOT, budget=0.1)


@pytest.mark.parametrize(("kind", "change"), CHANGES.items())
def test_changes_keep_what_careless_comparisons_look_at(kind: str, change: Any) -> None:
    """Places are exchanged and ties broken with the same number of votes and of voted items."""
    before, after = change((4, 0, 3), 0, 1)
    is_same = (sum(before), before.count(0)) == (sum(after), after.count(0))
    assert is_same == (kind not in ("an item vanishes", "an item appears"))
    assert (before == after) == (kind == "the same is written again")


def test_writers_come_at_every_moment() -> None:
    """The writer comes before each query and before the closing."""
    found = list(interleavings((1, 0), (0, 1), SCRIPT, is_undone=False))
    assert found == [Interleaving((1, 0), SCRIPT, {moment: (0, 1)}) for moment in range(3)]
    assert [str(interleaving) for interleaving in found] == [
        "h=(1, 0), h=(0, 1) before query 1",
        "h=(1, 0), h=(0, 1) before query 2",
        "h=(1, 0), h=(0, 1) before closing",
    ]


def test_what_is_undone_lasts_for_one_question() -> None:
    """The change is undone before the next query, or before the closing."""
    found = [
        interleaving.writes
        for interleaving in interleavings((1, 0), (0, 1), SCRIPT, is_undone=True)
    ]
    assert found == [{0: (0, 1), 1: (1, 0)}, {1: (0, 1), 2: (1, 0)}, {2: (0, 1)}]


def test_a_long_list_is_reported_by_its_length() -> None:
    """A long list is reported by its length, without its scores."""
    before, after, script = reversed_long_list(1)
    assert str(Interleaving(before, script, {2: after})) == "m=1200, other scores before query 3"


def test_a_long_list_has_nothing_in_common_with_its_change() -> None:
    """No page of a long list fits both states."""
    before, after, script = reversed_long_list(7)
    pages = [asked for asked in script if isinstance(asked, RankQuery)]
    for asked in pages:
        page = HistogramSource(before).top(asked.start, asked.count)
        assert is_one_state([(asked, page)], before)
        assert not is_one_state([(asked, page)], after)
