"""Reads a source page by page and item by item, and compares its answers with the histogram."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from privtopk.conformance.evidence.trial import Trial, ViolationError

LONG: Final = 1200
"""Length of a list that drivers and servers do not fetch in one page."""

MESSAGE_LENGTH: Final = 300
"""Characters of a page that a message shows."""

Page = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """A histogram, and the order in which it is read."""

    histogram: tuple[int, ...]
    pages: tuple[int, ...]
    """Sizes of consecutive pages, repeated until the list ends."""

    starts: tuple[int, ...]
    """Ranks at which further pages begin."""

    items: tuple[int, ...]
    """Items that are looked up together, some of them twice."""

    def __str__(self) -> str:
        """Return the histogram, or its size if it is long."""
        m = len(self.histogram)
        return f"h={self.histogram}" if m < LONG else f"m={m}"


def require_scores(trial: Trial, source: Any, reading: ReadingPlan, items: Sequence[int]) -> None:
    """Compare the scores of some items with the histogram."""
    scores = trial.call(lambda: [whole(score) for score in source.scores(list(items))])
    right = [reading.histogram[item - 1] for item in items]
    if scores != right:
        raise ViolationError(
            f"{reading}: items {list(items)} must have scores {right}, got {scores}"
        )


def require_page(
    trial: Trial, source: Any, reading: ReadingPlan, entries: Page, start: int, count: int
) -> None:
    """Compare a page with the list that was read before."""
    page, right = page_of(trial, source, start, count), entries[start - 1 :][:count]
    if page != right:
        raise ViolationError(
            f"{reading}: the page of {count} entries from rank {start} on was "
            f"{right!s:.{MESSAGE_LENGTH}} and is now {page!s:.{MESSAGE_LENGTH}}"
        )


def read_through(trial: Trial, source: Any, reading: ReadingPlan) -> Page:
    """Return all entries, read in pages of the given sizes."""
    entries: Page = []
    m, turn = len(reading.histogram), 0
    while len(entries) < m:
        count = min(reading.pages[turn % len(reading.pages)], m - len(entries))
        page = page_of(trial, source, len(entries) + 1, count)
        if len(page) != count:
            raise ViolationError(
                f"{reading}: the page of {count} entries from rank {len(entries) + 1} on has "
                f"{len(page)} entries"
            )
        entries, turn = entries + page, turn + 1
    return entries


def page_of(trial: Trial, source: Any, start: int, count: int) -> Page:
    """Return a page as pairs of plain integers."""
    return trial.call(lambda: [entry_of(entry) for entry in source.top(start, count)])


def entry_of(entry: Iterable[Any]) -> tuple[int, int]:
    """Return an item and its score."""
    item, score = entry
    return whole(item), whole(score)


def whole(number: Any) -> int:
    """Return a plain integer; raise `TypeError` for anything else, such as a fraction or a text."""
    return operator.index(number)
