"""What an engine has met through both doors of a source, each item once.

An item that was opened by its noise before it came by sorted access is recognised by its score,
and so is one that comes the other way round: only ties with the last score read must be looked
up. A source that contradicts itself is found out on the way.
"""

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.membership import Booleans, is_among
from privtopk.impl.scores.protocols import NOTHING, Page, faulty
from privtopk.impl.scores.reader import Reader


class BothLists:
    """The items that sorted access has delivered, and those that were opened by their noise."""

    def __init__(self, reader: Reader) -> None:
        """Start with nothing met."""
        self._reader = reader
        self.last = 0
        # What was opened by its noise and not delivered since; each page by ascending item.
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

        Return the ones below the last score read, which are unseen, and the others, which
        sorted access may have delivered: those of many reads are best looked up together.
        """
        for page in self._opened:
            candidates = without(candidates, page.items)
        page = Page(candidates, self._reader.scores(candidates))
        return parted(page, page.scores >= self.last)

    def undelivered(self, page: Page) -> Page:
        """Return what sorted access has not delivered of entries whose scores it has reached."""
        if len(page.items) == 0:
            return page
        undelivered, _ = parted(page, self._reader.was_delivered(page.items))
        self._require_passed(undelivered.scores)
        return undelivered

    def note_opened(self, *pages: Page) -> None:
        """Note what was opened by its noise, in pages by ascending item."""
        self._opened += [page for page in pages if len(page.items)]

    def require_consistent(self, winners: tuple[int, ...]) -> None:
        """Refuse a source that delivered an item twice, or both delivered it and let it be opened.

        The latter has two noises, and does harm only if it wins: k others above the bar are
        above it whatever else is there.
        """
        self._reader.require_distinct()
        for page in self._opened:
            items = np.array(winners)
            if bool(self._reader.is_on_page(items[is_among(items, page.items)]).any()):
                raise faulty("the source contradicts itself about an item that it delivered")

    def _were_opened(self, page: Page) -> Booleans:
        """Return which entries of a page were opened before, and forget that they were."""
        were_opened = np.zeros(len(page.items), dtype=np.bool_)
        for number, opened in enumerate(self._opened):
            (reached,) = (opened.scores >= self.last).nonzero()
            if len(reached) == 0:
                continue
            due = opened.items[reached]
            (known,) = is_among(page.items, due).nonzero()
            places = reached[due.searchsorted(page.items[known])]
            if not np.array_equal(opened.scores[places], page.scores[known]):
                raise faulty("the two doors of the source disagree on a score")
            left = omitting(opened, places)
            self._require_passed(left.scores)
            self._opened[number] = left
            were_opened[known] = True
        return were_opened

    def _require_passed(self, scores: Integers) -> None:
        if bool((scores > self.last).any()):
            raise faulty("an item that was not delivered scores above those that were")


def without(items: Integers, others: Integers) -> Integers:
    """Return items that are not among others; both ascend."""
    if len(items) == 0:
        return items
    first, last = others.searchsorted(items[0]), others.searchsorted(items[-1], side="right")
    if first == last:
        return items
    nearby = others[first:last]
    places = items.searchsorted(nearby)
    is_there = np.equal(items.take(places, mode="clip"), nearby)
    return np.delete(items, places[is_there]) if is_there.any() else items


def joined(pages: list[Page]) -> Page:
    """Return pages as one."""
    if len(pages) <= 1:
        return pages[0] if pages else NOTHING
    return Page(
        np.concatenate([page.items for page in pages]),
        np.concatenate([page.scores for page in pages]),
    )


def parted(page: Page, is_chosen: Booleans) -> tuple[Page, Page]:
    """Return a page without its chosen entries, and these."""
    (places,) = is_chosen.nonzero()
    return omitting(page, places), page.at(places)


def omitting(page: Page, places: Integers) -> Page:
    """Return a page without the entries at some places."""
    if len(places) == 0:
        return page
    is_left = np.ones(len(page.items), dtype=np.bool_)
    is_left[places] = False
    return page.at(is_left)
