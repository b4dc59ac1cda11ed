"""The items that an engine has read through both doors of a source, each item once.

An item may be opened by its noise first and delivered by sorted access later, or the reverse. Its
score shows which of these is possible: only ties with the last score must be looked up. A source
that contradicts itself is found along the way.
"""

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import Booleans, is_among
from privtopk.impl.scores.protocols import NOTHING, Page, source_fault
from privtopk.impl.scores.reader import Reader


class BothLists:
    """The items that sorted access has delivered, and those that were opened by their noise."""

    def __init__(self, reader: Reader) -> None:
        """Start with nothing read."""
        self._reader = reader
        self.last = 0
        # Items that were opened by their noise and not delivered since; each page ascends.
        self._opened: list[Page] = []

    @property
    def is_over(self) -> bool:
        """Whether sorted access has delivered everything."""
        return self._reader.sorted_accesses == self._reader.size

    def next_page(self, count: int) -> tuple[Page, Booleans]:
        """Return the next entries of the score list, and which of them were opened before."""
        page = self._reader.top(count)
        self.last = int(page.scores[-1])
        return page, self._were_opened(page)

    def read(self, candidates: Integers) -> tuple[Page, Page]:
        """Read those ascending candidates that were not opened before.

        Return two pages. The items of the first score below the last score read, so they are
        unseen. Sorted access may have delivered those of the second; it is faster to look up
        those of many reads together.
        """
        for page in self._opened:
            candidates = without(candidates, page.items)
        page = Page(candidates, self._reader.scores(candidates))
        return split_page(page, page.scores >= self.last)

    def undelivered_entries(self, page: Page) -> Page:
        """Return the undelivered ones of entries that sorted access may have delivered."""
        if len(page.items) == 0:
            return page
        undelivered, _ = split_page(page, self._reader.was_delivered(page.items))
        self._require_passed(undelivered.scores)
        return undelivered

    def note_opened(self, *pages: Page) -> None:
        """Remember pages of items that were opened by their noise, each ascending by item."""
        self._opened += [page for page in pages if len(page.items)]

    def require_consistent(self, winners: tuple[int, ...]) -> None:
        """Raise if an item was delivered twice, or if a winner was both delivered and opened.

        An item that was delivered and opened has two noises. It does harm only if it wins: if it
        does not, k other items are above it in any case.
        """
        self._reader.require_distinct()
        for page in self._opened:
            items = np.array(winners)
            if bool(self._reader.is_on_page(items[is_among(items, page.items)]).any()):
                raise source_fault("the source contradicts itself about an item that it delivered")

    def _were_opened(self, page: Page) -> Booleans:
        """Return which entries of a page were opened before, and forget them."""
        were_opened = np.zeros(len(page.items), dtype=np.bool_)
        for number, opened in enumerate(self._opened):
            (reached,) = (opened.scores >= self.last).nonzero()
            if len(reached) == 0:
                continue
            due = opened.items[reached]
            (known,) = is_among(page.items, due).nonzero()
            places = reached[due.searchsorted(page.items[known])]
            if not np.array_equal(opened.scores[places], page.scores[known]):
                raise source_fault("the two doors of the source disagree on a score")
            left = page_without(opened, places)
            self._require_passed(left.scores)
            self._opened[number] = left
            were_opened[known] = True
        return were_opened

    def _require_passed(self, scores: Integers) -> None:
        if bool((scores > self.last).any()):
            raise source_fault("an item that was not delivered scores above those that were")


def without(items: Integers, others: Integers) -> Integers:
    """Return the items that are not among the others; both lists ascend."""
    if len(items) == 0:
        return items
    first, last = others.searchsorted(items[0]), others.searchsorted(items[-1], side="right")
    if first == last:
        return items
    nearby = others[first:last]
    places = items.searchsorted(nearby)
    is_there = np.equal(items.take(places, mode="clip"), nearby)
    return np.delete(items, places[is_there]) if is_there.any() else items


def join_pages(pages: list[Page]) -> Page:
    """Return pages as one page."""
    if len(pages) <= 1:
        return pages[0] if pages else NOTHING
    return Page(
        np.concatenate([page.items for page in pages]),
        np.concatenate([page.scores for page in pages]),
    )


def split_page(page: Page, is_chosen: Booleans) -> tuple[Page, Page]:
    """Return a page without the chosen entries, and a page of the chosen ones."""
    (places,) = is_chosen.nonzero()
    return page_without(page, places), page.at(places)


def page_without(page: Page, places: Integers) -> Page:
    """Return a page without the entries at these places."""
    if len(places) == 0:
        return page
    is_left = np.ones(len(page.items), dtype=np.bool_)
    is_left[places] = False
    return page.at(is_left)
