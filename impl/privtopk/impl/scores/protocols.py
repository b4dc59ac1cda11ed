"""What an engine reads: the two doors of a score list, in batches.

A source numbers its items 0, ..., m - 1 and may give them names. `top` is sorted access,
`scores` is random access. `privtopk.impl.scores.reader` counts and checks the answers.

A source may have two more methods. `block(start, stop)` returns the scores of consecutive items,
counted as random accesses. `rank(items)` returns their places in the order of `top`; without it,
delivered items are looked up in the pages. A source may also have four attributes: `is_indexed`,
whether the cost of sorted access is proportional to what it returns; `trip_price`, the number of
entries that take as long as one round trip; `costs`, the prices of an entry through the two doors,
if one is more expensive; and `domain`, which is "public", or an object whose `is_public` is True,
if the items were taken from the votes because everybody may know them.

Scores that are stored elsewhere and may change are a `Store`: it opens one consistent source per
selection, and closes it afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final, Protocol, TypeGuard, TypeVar, cast, runtime_checkable

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import Booleans
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_between,
    require_cost,
    require_integer,
    require_k,
)
from privtopk.spec.model.values import Number

LARGEST_SCORE: Final = 2**53
"""Scores up to here are exact in doubles, and so are their differences."""

LARGEST_DOMAIN: Final = 2**62
"""Sums of a few item numbers stay within 64 bits."""

EVEN: Final = (1, 1)
"""The prices of the two doors if neither is more expensive."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Page:
    """Entries of the score list: items and their scores, in the same order."""

    items: Integers
    scores: Integers

    def at(self, places: Integers | Booleans | slice) -> "Page":
        """Return the entries at these places."""
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
        """Return the caller's name of an item."""


class Store(Protocol):
    """Scores that may change between selections, but not during one."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""

    def snapshot(self) -> AbstractContextManager[Source]:
        """Return the scores as they are now; they must not change while the context is open.

        If a store cannot prevent changes, leaving the context must raise if there was one.
        """


class Sized(Protocol):
    """An object with a number of items."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""


def size_of(source: Sized) -> int:
    """Return the number m of items of the declared domain."""
    return require_between("m", answer_of(lambda: source.size), 1, LARGEST_DOMAIN)


def has_public_domain(source: object) -> bool:
    """Return whether the items were taken from the votes because everybody may know them."""
    domain = answer_of(lambda: getattr(source, "domain", None))
    if isinstance(domain, str):
        return domain == "public"
    return bool(getattr(domain, "is_public", False))


def require_k_of(source: Sized, k: object) -> tuple[int, int]:
    """Return k and the number m of items; refuse a k that is not between 1 and m.

    If the items were taken from the votes, the message does not say how many there are.
    """
    m = size_of(source)
    if not has_public_domain(source):
        return require_k(k, m), m
    count = require_integer("k", k)
    if not 1 <= count <= m:
        raise SelectionError(
            Reason.K_OUT_OF_RANGE,
            f"k must be between 1 and the number of items, got {count}",
        )
    return count, m


def costs_of(source: object) -> tuple[Number, Number]:
    """Return the prices of the two doors as a source states them; 1 and 1 by default."""
    return required_costs(answer_of(lambda: getattr(source, "costs", EVEN)))


def required_costs(costs: object) -> tuple[Number, Number]:
    """Return the prices of a sorted and a random access; raise if they are not allowed."""
    if not isinstance(costs, tuple | list) or len(costs) != 2:
        raise SelectionError(
            Reason.WRONG_TYPE, f"costs must be a pair (sorted, random), got {costs!r}"
        )
    return require_cost("sorted_cost", costs[0]), require_cost("random_cost", costs[1])


def is_store(given: object) -> TypeGuard[Store]:
    """Return whether an object has snapshots."""
    return callable(getattr(given, "snapshot", None))


def view_of(given: Source | Store) -> AbstractContextManager[Source]:
    """Return what one selection reads: a source itself, or a snapshot of a store."""
    return _open_snapshot(given) if is_store(given) else nullcontext(cast("Source", given))


@contextmanager
def _open_snapshot(store: Store) -> Iterator[Source]:
    """Yield a snapshot; errors while it is opened or closed are errors of the source."""
    with ExitStack() as opened:
        yield answer_of(lambda: opened.enter_context(store.snapshot()))
        answer_of(opened.close)


def answer_of(question: Callable[[], Answer]) -> Answer:
    """Return a source's answer; an exception of it becomes the cause of a selection error."""
    try:
        return question()
    except SelectionError:
        raise
    except Exception as error:
        raise source_fault(f"the source raised {type(error).__name__}") from error


def require_range(smallest: int | np.int64, largest: int | np.int64) -> None:
    """Raise if a score is below 0 or above 2^53."""
    if not (smallest >= 0 and largest <= LARGEST_SCORE):
        raise source_fault(f"scores must lie between 0 and {LARGEST_SCORE}")


def source_fault(message: str) -> SelectionError:
    """Return the error for a source that breaks its protocol."""
    return SelectionError(Reason.FAULTY_SOURCE, message)
