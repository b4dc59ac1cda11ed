"""Facts about sources and stores: what they are, and what one selection reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from privtopk.impl.scores.memory import IndexedScores, SparseScores
from privtopk.impl.scores.protocols import Source, costs_of, is_store, size_of, view_of
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal


def test_what_a_source_is() -> None:
    """A source has both doors, a size and names; an array is not one."""
    found = [
        isinstance(thing, Source)
        for thing in (SparseScores(2, {}), IndexedScores([1]), np.zeros(3), [1])
    ]
    assert found == [True, True, False, False]


class Store:
    """A store that records when it is opened and closed, and may fail at either."""

    size = 3

    def __init__(self, opening: Exception | None = None, closing: Exception | None = None) -> None:
        self._opening = opening
        self._closing = closing
        self.happened: list[str] = []

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield three scores."""
        self.happened.append("opened")
        if self._opening is not None:
            raise self._opening
        try:
            yield IndexedScores([9000, 5, 1])
        finally:
            self.happened.append("closed")
        if self._closing is not None:
            raise self._closing


def test_a_store_shows_a_snapshot() -> None:
    """An object with snapshots is a store; a selection opens one and closes it."""
    store = Store()
    assert (is_store(store), is_store(IndexedScores([1]))) == (True, False)
    assert top_k(store, 1, epsilon=1).items == (0,)
    assert store.happened == ["opened", "closed"]


def test_a_source_is_its_own_snapshot() -> None:
    """A source is read itself, without a snapshot."""
    source = IndexedScores([1, 2])
    with view_of(source) as seen:
        assert seen is source


def test_a_snapshot_is_closed_after_an_error() -> None:
    """A snapshot is closed after every error during a selection."""
    store = Store()
    with pytest.raises(KeyError), view_of(store):
        raise KeyError
    assert store.happened == ["opened", "closed"]


@pytest.mark.parametrize("moment", ["opening", "closing"])
def test_a_store_that_fails_is_the_cause(moment: str) -> None:
    """An exception on opening or closing a store is the cause of the error; nothing is selected."""
    fault = OSError("gone")
    store = Store(**{moment: fault})
    with pytest.raises(SelectionError) as caught:
        top_k(store, 1, epsilon=1)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.FAULTY_SOURCE,
        "the source raised OSError",
    )
    assert caught.value.__cause__ is fault


def test_a_store_may_refuse_what_was_read() -> None:
    """A selection error on leaving the snapshot is raised unchanged; nothing is selected."""
    store = Store(closing=SelectionError(Reason.CHANGED_SOURCE, "it changed"))
    assert refusal(lambda: top_k(store, 1, epsilon=1)) == (Reason.CHANGED_SOURCE, "it changed")


def test_a_size_that_cannot_be_asked_for() -> None:
    """A store whose size raises is at fault."""

    class Sizeless:
        @property
        def size(self) -> int:
            """The size."""
            raise OSError

    assert refusal(lambda: size_of(Sizeless())) == (
        Reason.FAULTY_SOURCE,
        "the source raised OSError",
    )


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        (3, "costs must be a pair (sorted, random), got 3"),
        ((1, 0), "random_cost must be positive and finite, got 0"),
        ((1e101, 1), "sorted_cost must be between 1e-100 and 1e+100, got 1e+101"),
        ((1, 1e-101), "random_cost must be between 1e-100 and 1e+100, got 1e-101"),
    ],
)
def test_costs_that_cannot_be(stated: object, message: str) -> None:
    """The costs that a source states must be two positive numbers."""
    source = SimpleNamespace(costs=stated)
    assert refusal(lambda: costs_of(source))[1] == message


def test_a_source_without_costs_has_even_ones() -> None:
    """Both doors of a source without costs have the same price."""
    assert costs_of(SimpleNamespace()) == (1, 1)


def test_costs_that_cannot_be_asked_for() -> None:
    """An exception in the costs of a source is the cause of the error."""

    class Failing:
        @property
        def costs(self) -> object:
            raise ConnectionError

    with pytest.raises(SelectionError, match="the source raised ConnectionError"):
        costs_of(Failing())
