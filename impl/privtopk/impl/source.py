"""What an engine reads: the two doors of a score list, in batches, with every access counted.

A source numbers its items 0, ..., m - 1 and may give them names. `top` is sorted access,
`scores` is random access; the ledger charges one for each entry that comes back. What a
source returns is checked as it arrives: an unsorted page, an unknown item, a missing row,
a score that is not a whole number or an exception of its own ends the selection with an
error and no result. No message tells a score.

A source may have two doors more. `block(start, stop)` returns the scores of a run of items,
charged as random access. `rank(items)` returns their places in the order of `top`; without
it, what was delivered is looked up among the items that came back. It may also say whether it
`is_indexed`, and with `trip_price` how many entries take as long as asking at all.

Scores that live elsewhere and may change are a `Store`: it shows each selection one consistent
source, and closes that afterwards.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeGuard, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privtopk.impl.randomness import Integers
from privtopk.spec.errors import Reason, SelectionError
from privtopk.spec.parameters import require_between

LARGEST_SCORE: Final = 2**53
"""Scores up to here are exact in doubles, and so are their differences."""

LARGEST_DOMAIN: Final = 2**62
"""Sums of a few item numbers stay within 64 bits."""

LOWEST: Final = 2**32 - 1
LOW_BITS: Final = 2**16 - 1
MANY: Final = 2**14
SHORT: Final = 2**12
"""From so many items on, and for lists so short, a look at 16 low bits is worth its price."""

Answer = TypeVar("Answer")
Booleans: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Page:
    """Entries of the score list: items and their scores, in step."""

    items: Integers
    scores: Integers


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


class Reader:
    """One selection's view of a source: checks what it returns and counts what it reads."""

    def __init__(self, source: Source) -> None:
        """Start at the top of the score list with nothing read."""
        self._source = source
        self.size = size_of(source)
        self.sorted_accesses = 0
        self.random_accesses = 0
        self.round_trips = 0
        self._last_score: int | None = None
        self._pages: list[Integers] = []
        self._singles: list[int] = []
        self._lookup: Integers | None = None

    def top(self, count: int) -> Page:
        """Return the next entries of the score list, fewer at its end."""
        wanted = min(count, self.size - self.sorted_accesses)
        if wanted == 0:
            return NOTHING
        items, scores = self._next_page(wanted)
        self._require_items(items)
        self._require_order(scores)
        self._pages.append(items)
        self._advance(wanted, int(scores[-1]))
        return Page(items, scores)

    def entries(self, count: int) -> list[tuple[int, int]]:
        """Return the same as plain pairs of item and score, in less time for a single one."""
        if count == 1 and self.sorted_accesses < self.size:
            return [self._next_entry()]
        page = self.top(count)
        return list(zip(page.items.tolist(), page.scores.tolist(), strict=True))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        if len(items) == 0:
            return np.empty(0, dtype=np.int64)
        return self._read(len(items), partial(self._source.scores, items))

    def scores_of(self, items: list[int]) -> list[int]:
        """Return the same as plain numbers, in less time for a single one."""
        asked = np.array(items, dtype=np.int64)
        if len(items) == 1:
            score: int = self._answer(1, partial(self._source.scores, asked)).item()
            require_range(score, score)
            return [score]
        scores: list[int] = self.scores(asked).tolist()
        return scores

    def block(self, start: int, stop: int) -> Integers:
        """Return the scores of the items start, ..., stop - 1."""
        block: Callable[[int, int], Integers] | None = getattr(self._source, "block", None)
        if block is None:
            return self.scores(np.arange(start, stop))
        return self._read(stop - start, partial(block, start, stop))

    def names(self, items: Iterable[int]) -> tuple[object, ...]:
        """Return the caller's own names of items."""
        return answer_of(lambda: tuple(map(self._source.name, items)))

    @property
    def is_indexed(self) -> bool:
        """Whether sorted access costs no more than what it returns; yes, unless it says no."""
        return bool(getattr(self._source, "is_indexed", True))

    @property
    def trip_price(self) -> float:
        """How many entries come in the time of one round trip; none, unless it says so."""
        return float(getattr(self._source, "trip_price", 0))

    @property
    def last_score(self) -> int | None:
        """The score last delivered by sorted access: no unseen item exceeds it."""
        return self._last_score

    def was_delivered(self, items: Integers) -> Booleans:
        """Return for each item whether sorted access has delivered it."""
        rank: Callable[[Integers], Integers] | None = getattr(self._source, "rank", None)
        if rank is None or len(items) == 0:
            return self.is_on_page(items)
        ranks = integers("ranks", answer_of(partial(rank, items)))
        self.round_trips += 1
        if len(ranks) != len(items):
            raise faulty(f"the source must return {len(items)} ranks, got {len(ranks)}")
        if not (ranks.min() >= 0 and ranks.max() < self.size):
            raise faulty(f"ranks must lie between 0 and {self.size - 1}")
        return ranks < self.sorted_accesses

    def is_on_page(self, items: Integers) -> Booleans:
        """Return the same by a look at the pages themselves, whatever a source says of ranks.

        Few items are looked for with one pass over the pages, many in a list that is sorted.
        """
        if len(items) == 0:
            return np.zeros(0, dtype=np.bool_)
        if self._lookup is None and len(items) > SHORT:
            self._lookup = np.sort(self._delivered())
        if self._lookup is not None:
            return is_among(items, self._lookup)
        delivered = self._delivered()
        return is_among(items, np.sort(delivered[is_among(delivered, np.sort(items))]))

    def require_distinct(self) -> None:
        """Refuse a source that has delivered an item twice."""
        if has_repeated(self._delivered()):
            raise faulty("the source delivered an item twice")

    def _delivered(self) -> Integers:
        """Return the items delivered by sorted access, in the order of their delivery."""
        if len(self._pages) != 1 or self._singles:
            singles = np.array(self._singles, dtype=np.int64)
            self._pages, self._singles = [np.concatenate([*self._pages, singles])], []
        return self._pages[0]

    def _next_page(self, wanted: int) -> tuple[Integers, Integers]:
        """Return so many items and scores; nothing but their number and kind is checked."""
        page = answer_of(partial(self._source.top, self.sorted_accesses, wanted))
        self.round_trips += 1
        if not isinstance(page, Page):
            raise faulty(f"the source must return a Page, got {type(page).__name__}")
        items, scores = integers("items", page.items), integers("scores", page.scores)
        if len(items) != wanted or len(scores) != wanted:
            raise faulty(
                f"the source must return {wanted} entries, "
                f"got {len(items)} items and {len(scores)} scores"
            )
        return items, scores

    def _next_entry(self) -> tuple[int, int]:
        """Return the next entry: `top` for one, with the checks of its page on plain numbers."""
        items, scores = self._next_page(1)
        item, score = items.item(), scores.item()
        if not 0 <= item < self.size:
            raise self._unknown_item()
        if self._last_score is not None and score > self._last_score:
            raise unsorted()
        require_range(score, score)
        self._singles.append(item)
        self._advance(1, score)
        return item, score

    def _advance(self, count: int, last_score: int) -> None:
        """Note how far sorted access has come."""
        self.sorted_accesses += count
        self._last_score = last_score
        self._lookup = None

    def _read(self, count: int, question: Callable[[], Integers]) -> Integers:
        scores = self._answer(count, question)
        require_range(0, largest_unsigned(scores))
        return scores

    def _answer(self, count: int, question: Callable[[], Integers]) -> Integers:
        """Return so many scores by random access; their range is not checked."""
        scores = integers("scores", answer_of(question))
        self.round_trips += 1
        self.random_accesses += count
        if len(scores) != count:
            raise faulty(f"the source must return {count} scores, got {len(scores)}")
        return scores

    def _require_items(self, items: Integers) -> None:
        if largest_unsigned(items) >= self.size:
            raise self._unknown_item()

    def _require_order(self, scores: Integers) -> None:
        is_descending = bool((scores[:-1] >= scores[1:]).all())
        if not is_descending or (self._last_score is not None and scores[0] > self._last_score):
            raise unsorted()
        require_range(scores[-1], scores[0])

    def _unknown_item(self) -> SelectionError:
        return faulty(f"the source returned an item outside its m={self.size}")


class Sized(Protocol):
    """Something with a number of items."""

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""


def size_of(source: Sized) -> int:
    """Return the number m of items of the declared domain."""
    return require_between("m", answer_of(lambda: source.size), 1, LARGEST_DOMAIN)


def is_store(given: object) -> TypeGuard[Store]:
    """Return whether something can show its scores as they are at one moment."""
    return callable(getattr(given, "snapshot", None))


def view_of(given: Source | Store) -> AbstractContextManager[Source]:
    """Return what one selection reads: a source as it is, a store as it is at this moment."""
    return _still(given) if is_store(given) else nullcontext(cast("Source", given))


@contextmanager
def _still(store: Store) -> Iterator[Source]:
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


def integers(name: str, numbers: ArrayLike) -> Integers:
    """Return what a source sent as one list of whole numbers."""
    if type(numbers) is np.ndarray and numbers.dtype == np.int64 and numbers.ndim == 1:
        return numbers
    if answer_of(lambda: np.ma.is_masked(numbers)):
        raise faulty(f"{name} must be one list of whole numbers, got missing ones")
    array = answer_of(lambda: np.asarray(numbers))
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise faulty(
            f"{name} must be one list of whole numbers, "
            f"got {array.ndim} dimensions of {array.dtype}"
        )
    # An unsigned number beyond 63 bits becomes negative, and so is refused as out of range.
    return array.astype(np.int64, copy=False)


def is_among(items: Integers, ascending: Integers) -> Booleans:
    """Return for each item whether it is in an ascending list.

    Of many items most are told by their low bits not to be in a short list, without a search.
    """
    if len(ascending) == 0:
        return np.zeros(len(items), dtype=np.bool_)
    if len(items) < MANY or len(ascending) > SHORT:
        found = ascending.take(np.searchsorted(ascending, items), mode="clip")
        return np.equal(found, items)
    occupied = np.zeros(LOW_BITS + 1, dtype=np.bool_)
    occupied[ascending & LOW_BITS] = True
    is_there: Booleans = occupied[items & LOW_BITS]
    (doubtful,) = is_there.nonzero()
    found = ascending.take(np.searchsorted(ascending, items[doubtful]), mode="clip")
    is_there[doubtful] = found == items[doubtful]
    return is_there


def has_repeated(items: Integers) -> bool:
    """Return whether an item is there twice.

    Numbers half as wide are sorted in half the time: items that differ in their low bits differ.
    """
    low = items.astype(np.uint32)
    low.sort()
    repeated = low[1:][low[1:] == low[:-1]].astype(np.int64)
    if len(repeated) == 0:
        return False
    doubtful = np.sort(items[is_among(items & LOWEST, repeated)])
    return bool((doubtful[1:] == doubtful[:-1]).any())


def largest_unsigned(numbers: Integers) -> int:
    """Return the largest number; a negative one is a huge unsigned one, so one pass finds both."""
    return int(numbers.view(np.uint64).max())


def require_range(smallest: int | np.int64, largest: int | np.int64) -> None:
    """Refuse scores below 0 or above 2^53."""
    if not (smallest >= 0 and largest <= LARGEST_SCORE):
        raise faulty(f"scores must lie between 0 and {LARGEST_SCORE}")


def unsorted() -> SelectionError:
    """Return the error of a source whose sorted access goes up."""
    return faulty("the source must deliver entries by descending score")


def faulty(message: str) -> SelectionError:
    """Return the error of a source that breaks its promises."""
    return SelectionError(Reason.FAULTY_SOURCE, message)
