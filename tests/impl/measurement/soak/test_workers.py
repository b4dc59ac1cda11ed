"""Facts about how the soak judges a selection."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from privtopk.impl.measurement.soak.states import Clock, M, scores_of
from privtopk.impl.measurement.soak.workers import outcome_of
from privtopk.impl.scores.memory import ArrayScores
from privtopk.impl.scores.protocols import Source
from privtopk.spec.model.errors import Reason, SelectionError


class Numbered(ArrayScores):
    """Scores in memory whose items are numbered from 1, as in a database."""

    def name(self, item: int) -> int:
        """Return the number of an item."""
        return item + 1


class Rows:
    """A store whose snapshot has given rows, or raises."""

    def __init__(self, rows: dict[int, int] | Exception) -> None:
        self.rows = rows
        self.size = M

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the rows."""
        if isinstance(self.rows, Exception):
            raise self.rows
        yield Numbered([self.rows[item] for item in range(1, M + 1)])


TORN = {item: max(scores_of(0)[item], scores_of(1)[item]) for item in range(1, M + 1)}
"""Rows of two states at once, as a reader without a snapshot can see them."""


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        (scores_of(0), "selections"),
        (scores_of(9), "wrong: (19, 20)"),
        (SelectionError(Reason.UNREACHABLE_SOURCE, "gone"), "refusals"),
        (SelectionError(Reason.WRONG_TYPE, "odd"), "wrong: refused as wrong-type"),
    ],
)
def test_a_selection_is_judged(rows: dict[int, int] | Exception, outcome: str) -> None:
    """Only the current pair is right, and only a database that is gone may be refused."""
    clock = Clock(multiprocessing.get_context("spawn"))
    assert outcome_of(Rows(rows), clock) == outcome


def test_a_mixture_of_two_states_is_wrong() -> None:
    """Of two states that are read at once, the two largest scores are those of two pairs."""
    clock = Clock(multiprocessing.get_context("spawn"))
    assert outcome_of(Rows(TORN), clock) in ("wrong: (1, 3)", "wrong: (3, 1)")
