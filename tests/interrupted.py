"""A store that calls a function just before the n-th question of a selection."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from privtopk.impl.engines.choice import Engine
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page, Source, Store
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError


class Interrupted:
    """A store that is disturbed once; question 0 opens the snapshot."""

    def __init__(self, store: Store, number: int, disturb: Callable[[], object]) -> None:
        """Take the number of the question, and the function to call before it."""
        self._store = store
        self._number = number
        self._disturb = disturb
        self.size = store.size
        self.asked = 0
        self.is_disturbed = False

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as they are now."""
        self._ask()
        with self._store.snapshot() as source:
            yield InterruptedSource(source, self._ask)
            self._ask()

    def _ask(self) -> None:
        if self.asked == self._number:
            self._disturb()
            self.is_disturbed = True
        self.asked += 1


class InterruptedSource:
    """A source that calls a function before it answers a question."""

    def __init__(self, source: Source, ask: Callable[[], None]) -> None:
        self._source = source
        self._ask = ask
        self.size = source.size

    @property
    def trip_price(self) -> float:
        """The number of entries that arrive in the time of one round trip."""
        return float(getattr(self._source, "trip_price", 0))

    def top(self, start: int, count: int) -> Page:
        """Return the entries at some ranks."""
        self._ask()
        return self._source.top(start, count)

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        self._ask()
        return self._source.scores(items)

    def name(self, item: int) -> object:
        """Return the caller's own name of an item."""
        return self._source.name(item)


def outcome(store: Store, k: int, engine: Engine) -> tuple[object, ...] | Reason:
    """Return the items selected with little noise, or the reason of the error."""
    try:
        return top_k(store, k, epsilon=k, engine=engine).items
    except SelectionError as error:
        return error.reason
