"""How a source is read: page after page and item by item, and what its answers must be."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from privtopk.conformance.evidence.trial import Trial, ViolationError

LONG: Final = 1200
"""A list longer than the pages that drivers and servers fetch at once."""

SHOWN: Final = 300
"""Characters of a page that a message repeats."""

Page = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """A histogram, and how it is read."""

    histogram: tuple[int, ...]
    pages: tuple[int, ...]
    """Sizes of consecutive pages; they are repeated until the list ends."""

    starts: tuple[int, ...]
    """Ranks at which further pages begin."""

    items: tuple[int, ...]
    """Items that are looked up together, some of them twice."""

    def __str__(self) -> str:
        """Return it as a person would write it down."""
        m = len(self.histogram)
        return f"h={self.histogram}" if m < LONG else f"m={m}"


def require_scores(trial: Trial, source: Any, reading: ReadingPlan, items: Sequence[int]) -> None:
    """Compare the scores of some items with the histogram."""
    scores = trial.call(lambda: [whole(score) for score in source.scores(list(items))])
    right = [reading.histogram[item - 1] for item in items]
    if scores != right:
        raise ViolationError(f"{reading}: items {list(items)} score {right}, got {scores}")


def require_page(
    trial: Trial, source: Any, reading: ReadingPlan, entries: Page, start: int, count: int
) -> None:
    """Compare a page with the list as it was read before."""
    page, right = page_of(trial, source, start, count), entries[start - 1 :][:count]
    if page != right:
        raise ViolationError(
            f"{reading}: {count} entries from rank {start} on were {right!s:.{SHOWN}} "
            f"and are {page!s:.{SHOWN}}"
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
                f"{reading}: {count} entries from rank {len(entries) + 1} on must be {count} "
                f"entries, got {len(page)}"
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
    """Return a plain integer; refuse what is none, as a fraction or a text."""
    return operator.index(number)
