"""One selection's view of a source: every answer is checked and counted when it arrives.

An unsorted page, an unknown item, a missing row, a score that is not a whole number or an
exception of the source ends the selection with an error and no result. No message contains a
score. Each entry that a source returns counts as one access.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.delivered import Delivered
from privtopk.impl.scores.membership import Booleans
from privtopk.impl.scores.protocols import (
    NOTHING,
    Page,
    Source,
    answer_of,
    costs_of,
    require_range,
    size_of,
    source_fault,
)
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.values import Number


class Reader:
    """Checks what a source returns, and counts what is read."""

    def __init__(self, source: Source) -> None:
        """Start at the top of the score list with nothing read."""
        self._source = source
        self.size = size_of(source)
        self.sorted_accesses = 0
        self.random_accesses = 0
        self.round_trips = 0
        self._last_score: int | None = None
        self._delivered = Delivered(self.size)

    def top(self, count: int) -> Page:
        """Return the next `count` entries of the score list, or fewer at its end."""
        wanted = min(count, self.size - self.sorted_accesses)
        if wanted == 0:
            return NOTHING
        items, scores = self._next_page(wanted)
        self._require_items(items)
        self._require_order(scores)
        self._delivered.add(items)
        self._advance(wanted, int(scores[-1]))
        return Page(items, scores)

    def entries(self, count: int) -> list[tuple[int, int]]:
        """Return the same as pairs of item and score; faster for a single entry."""
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
        """Return the same as Python integers; faster for a single item."""
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
        """Return the caller's names of items."""
        return answer_of(lambda: tuple(map(self._source.name, items)))

    @property
    def is_indexed(self) -> bool:
        """Whether the cost of sorted access is proportional to what it returns; True by default."""
        return bool(getattr(self._source, "is_indexed", True))

    @property
    def trip_price(self) -> float:
        """The number of entries that take as long as one round trip; 0 by default."""
        return float(getattr(self._source, "trip_price", 0))

    @property
    def costs(self) -> tuple[Number, Number]:
        """The prices of a sorted and a random access, as the source states them."""
        return costs_of(self._source)

    @property
    def last_score(self) -> int | None:
        """The score that sorted access delivered last: no unseen item exceeds it."""
        return self._last_score

    def was_delivered(self, items: Integers) -> Booleans:
        """Return for each item whether sorted access has delivered it."""
        rank: Callable[[Integers], Integers] | None = getattr(self._source, "rank", None)
        if rank is None or len(items) == 0:
            return self.is_on_page(items)
        ranks = integers("ranks", answer_of(partial(rank, items)))
        self.round_trips += 1
        if len(ranks) != len(items):
            raise source_fault(f"the source must return {len(items)} ranks, got {len(ranks)}")
        if not (ranks.min() >= 0 and ranks.max() < self.size):
            raise source_fault(f"ranks must lie between 0 and {self.size - 1}")
        return ranks < self.sorted_accesses

    def is_on_page(self, items: Integers) -> Booleans:
        """Return the same from the delivered pages, without the ranks of the source."""
        return self._delivered.contains(items)

    def require_distinct(self) -> None:
        """Raise if the source has delivered an item twice."""
        if self._delivered.has_repeated():
            raise source_fault("the source delivered an item twice")

    def _next_page(self, wanted: int) -> tuple[Integers, Integers]:
        """Return the wanted number of items and scores; only number and type are checked."""
        page = answer_of(partial(self._source.top, self.sorted_accesses, wanted))
        self.round_trips += 1
        if not isinstance(page, Page):
            raise source_fault(f"the source must return a Page, got {type(page).__name__}")
        items, scores = integers("items", page.items), integers("scores", page.scores)
        if len(items) != wanted or len(scores) != wanted:
            raise source_fault(
                f"the source must return {wanted} entries, "
                f"got {len(items)} items and {len(scores)} scores"
            )
        return items, scores

    def _next_entry(self) -> tuple[int, int]:
        """Return the next entry: `top` for one entry, with the same checks on Python integers."""
        items, scores = self._next_page(1)
        item, score = items.item(), scores.item()
        if not 0 <= item < self.size:
            raise self._unknown_item()
        if self._last_score is not None and score > self._last_score:
            raise unsorted_error()
        require_range(score, score)
        self._delivered.add_one(item)
        self._advance(1, score)
        return item, score

    def _advance(self, count: int, last_score: int) -> None:
        """Count sorted accesses and remember the last score."""
        self.sorted_accesses += count
        self._last_score = last_score

    def _read(self, count: int, question: Callable[[], Integers]) -> Integers:
        scores = self._answer(count, question)
        require_range(0, largest_unsigned(scores))
        return scores

    def _answer(self, count: int, question: Callable[[], Integers]) -> Integers:
        """Return `count` scores by random access; their range is not checked."""
        scores = integers("scores", answer_of(question))
        self.round_trips += 1
        self.random_accesses += count
        if len(scores) != count:
            raise source_fault(f"the source must return {count} scores, got {len(scores)}")
        return scores

    def _require_items(self, items: Integers) -> None:
        if largest_unsigned(items) >= self.size:
            raise self._unknown_item()

    def _require_order(self, scores: Integers) -> None:
        is_descending = bool((scores[:-1] >= scores[1:]).all())
        if not is_descending or (self._last_score is not None and scores[0] > self._last_score):
            raise unsorted_error()
        require_range(scores[-1], scores[0])

    def _unknown_item(self) -> SelectionError:
        return source_fault(
            f"the source returned an item outside its domain of m={self.size} items"
        )


def integers(name: str, numbers: ArrayLike) -> Integers:
    """Return a source's answer as one list of whole numbers; raise if it is not one."""
    if type(numbers) is np.ndarray and numbers.dtype == np.int64 and numbers.ndim == 1:
        return numbers
    if answer_of(lambda: np.ma.is_masked(numbers)):
        raise source_fault(f"{name} must be one list of whole numbers, got missing ones")
    array = answer_of(lambda: np.asarray(numbers))
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise source_fault(
            f"{name} must be one list of whole numbers, "
            f"got {array.ndim} dimensions of {array.dtype}"
        )
    # An unsigned number beyond 63 bits becomes negative, and so is refused as out of range.
    return array.astype(np.int64, copy=False)


def largest_unsigned(numbers: Integers) -> int:
    """Return the largest number as unsigned: a negative one is huge, so one pass finds both."""
    return int(numbers.view(np.uint64).max())


def unsorted_error() -> SelectionError:
    """Return the error for a source whose scores ascend."""
    return source_fault("the source must deliver entries by descending score")
