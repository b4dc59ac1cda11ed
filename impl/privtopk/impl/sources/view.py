"""One snapshot of a database as the engines read it.

Rows hold the database's own items; the domain maps each to its number. An item without a row
has score 0, and sorted access delivers it after all rows.
"""

from functools import cached_property

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import Domain
from privtopk.impl.scores.memory import missing_numbers, scores_or_zero
from privtopk.impl.scores.protocols import EVEN, NOTHING, Page
from privtopk.impl.sources.rows import Query, Rows, duplicate_item_error, whole_scores
from privtopk.spec.model.values import Number


class View:
    """The score list of a snapshot, with both doors."""

    is_indexed = True

    def __init__(
        self,
        domain: Domain,
        query: Query,
        trip_price: float,
        costs: tuple[Number, Number] = EVEN,
    ) -> None:
        """Start at the first row."""
        self.size = domain.size
        self.trip_price = trip_price
        self.costs = costs
        self._domain = domain
        self._query = query
        self._rank = 0
        self._pages: list[Integers] = []
        # Invariant: None until sorted access has read the last row, then all items with a row,
        # ascending.
        self._stored: Integers | None = None

    def top(self, start: int, count: int) -> Page:
        """Return the entries at some ranks; a start before the last read begins the list again."""
        if start < self._rank:
            self._rewind()
        self._advance(start - self._rank)
        return self._advance(min(count, self.size - start))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items, 0 for those without a row."""
        if len(items) == 0:
            return NOTHING.scores
        wanted = items if bool((items[:-1] < items[1:]).all()) else np.unique(items)
        found = self._by_item(self._query.of(self._domain.names(wanted)))
        return scores_or_zero(items, found)

    def block(self, start: int, stop: int) -> Integers:
        """Return the scores of consecutive items; the first call fetches every row."""
        return scores_or_zero(np.arange(start, stop), self._all_rows)

    def name(self, item: int) -> object:
        """Return the database's own name of an item."""
        return self._domain.names(np.array([item], dtype=np.int64))[0]

    @cached_property
    def _all_rows(self) -> Page:
        """Return all rows by ascending item, fetched once."""
        return self._by_item(self._query.all())

    def _rewind(self) -> None:
        """Go back to the first entry."""
        self._query.rewind()
        self._rank, self._pages, self._stored = 0, [], None

    def _advance(self, count: int) -> Page:
        """Return the next entries: first the rows, then the items without a row."""
        if count <= 0:
            return NOTHING
        page = self._rows(count) if self._stored is None else NOTHING
        if self._stored is not None:
            page = self._pad_with_zeros(page, count, self._stored)
        self._rank += count
        return page

    def _rows(self, count: int) -> Page:
        """Return the next rows; a short page means that all rows have been read."""
        page = self._page(self._query.best(count))
        self._pages.append(page.items)
        if len(page.items) < count:
            self._stored = np.sort(np.concatenate(self._pages))
            require_distinct(self._stored)
        return page

    def _pad_with_zeros(self, page: Page, count: int, stored: Integers) -> Page:
        """Return a page of `count` entries, completed with items that have no row."""
        passed = self._rank + len(page.items) - len(stored)
        missing = missing_numbers(stored, passed, count - len(page.items))
        zeros = np.zeros(len(missing), dtype=np.int64)
        return Page(np.append(page.items, missing), np.append(page.scores, zeros))

    def _page(self, rows: Rows) -> Page:
        """Return rows with the engines' numbers of their items."""
        return Page(self._domain.numbers(rows.items), whole_scores(rows.scores))

    def _by_item(self, rows: Rows) -> Page:
        """Return rows by ascending item, or refuse an item with two rows."""
        page = self._page(rows)
        order = np.argsort(page.items)
        items = page.items[order]
        require_distinct(items)
        return Page(items, page.scores[order])


def require_distinct(ascending: Integers) -> None:
    """Refuse an item with two rows."""
    if bool((ascending[1:] == ascending[:-1]).any()):
        raise duplicate_item_error()
