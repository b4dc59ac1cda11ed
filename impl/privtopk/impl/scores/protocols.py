"""What an engine reads: the two doors of a score list, in batches.

A source numbers its items 0, ..., m - 1 and may give them names. `top` is sorted access,
`scores` is random access. `privtopk.impl.scores.reader` counts and checks what comes back.

A source may have two doors more. `block(start, stop)` returns the scores of a run of items,
charged as random access. `rank(items)` returns their places in the order of `top`; without
it, what was delivered is looked up among the items that came back. It may also say whether it
`is_indexed`, with `trip_price` how many entries take as long as asking at all, and with `costs`
what an entry through either door takes, where one is dearer than the other.

Scores that live elsewhere and may change are a `Store`: it shows each selection one consistent
source, and closes that afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final, Protocol, TypeGuard, TypeVar, cast, runtime_checkable

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import Booleans
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_cost
from privtopk.spec.model.values import Number

LARGEST_SCORE: Final = 2**53
"""Scores up to here are exact in doubles, and so are their differences."""

LARGEST_DOMAIN: Final = 2**62
"""Sums of a few item numbers stay within 64 bits."""

EVEN: Final = (1, 1)
"""The prices of the two doors where neither is dearer."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Page:
    """Entries of the score list: items and their scores, in step."""

    items: Integers
    scores: Integers

    def at(self, places: Integers | Booleans | slice) -> "Page":
        """Return the entries at some places."""
        return Page(self.items[places], self.scores[places])


NOTHING: Final = Page(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
"""A page without entries."""


@runtime_checkable
class Source(Protocol):
    """A score list with both doors."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""

    def top(self, start: int, count: int) -> Page:
        """Return the entries at the ranks start, ..., start + count - 1, best first."""

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items, in their order."""

    def name(self, item: int) -> object:
        """Return the caller's own name of an item."""


class Store(Protocol):
    """Scores that may change between selections, but not during one."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""

    def snapshot(self) -> AbstractContextManager[Source]:
        """Return the scores as they are now, for as long as the context lasts.

        If they cannot be held still, leaving the context must raise where they have changed.
        """


class Sized(Protocol):
    """Something with a number of items."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""


def size_of(source: Sized) -> int:
    """Return the number m of items of the declared domain."""
    return require_between("m", answer_of(lambda: source.size), 1, LARGEST_DOMAIN)


def costs_of(source: object) -> tuple[Number, Number]:
    """Return what a source says that a sorted and a random access take; 1 each, unless it does."""
    return required_costs(answer_of(lambda: getattr(source, "costs", EVEN)))


def required_costs(costs: object) -> tuple[Number, Number]:
    """Return the prices of a sorted and of a random access."""
    if not isinstance(costs, tuple | list) or len(costs) != 2:
        raise SelectionError(
            Reason.WRONG_TYPE, f"costs must be a pair (sorted, random), got {costs!r}"
        )
    return require_cost("sorted_cost", costs[0]), require_cost("random_cost", costs[1])


def is_store(given: object) -> TypeGuard[Store]:
    """Return whether something can show its scores as they are at one moment."""
    return callable(getattr(given, "snapshot", None))


def view_of(given: Source | Store) -> AbstractContextManager[Source]:
    """Return what one selection reads: a source as it is, a store as it is at this moment."""
    return _open_snapshot(given) if is_store(given) else nullcontext(cast("Source", given))


@contextmanager
def _open_snapshot(store: Store) -> Iterator[Source]:
    """Yield a snapshot; what goes wrong when it is opened or closed is the source's fault."""
    with ExitStack() as opened:
        yield answer_of(lambda: opened.enter_context(store.snapshot()))
        answer_of(opened.close)


def answer_of(question: Callable[[], Answer]) -> Answer:
    """Return a source's answer; whatever it raises becomes the cause of the selection's error."""
    try:
        return question()
    except SelectionError:
        raise
    except Exception as error:
        raise faulty(f"the source raised {type(error).__name__}") from error


def require_range(smallest: int | np.int64, largest: int | np.int64) -> None:
    """Refuse scores below 0 or above 2^53."""
    if not (smallest >= 0 and largest <= LARGEST_SCORE):
        raise faulty(f"scores must lie between 0 and {LARGEST_SCORE}")


def faulty(message: str) -> SelectionError:
    """Return the error of a source that breaks its promises."""
    return SelectionError(Reason.FAULTY_SOURCE, message)
