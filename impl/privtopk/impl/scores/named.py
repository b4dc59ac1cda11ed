"""Scores in memory whose items have names, over a declared domain.

With a list or a range as the domain, an item without a score scores 0 and can be selected like any
other. With the domain "public" the items are those that the data has, and the guarantee holds only
if everybody may know them.
"""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.column import distinct_items, whole_scores
from privtopk.impl.scores.declaration import DomainLike, declared_domain
from privtopk.impl.scores.domain import ItemDomain, ItemList
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.protocols import NOTHING, Page, Source
from privtopk.impl.scores.tables import ScoreColumn, column_of
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_size


class LabelledScores:
    """A score list whose items have the names of a domain."""

    def __init__(self, inner: ArrayScores | SparseScores, domain: ItemDomain) -> None:
        """Take the scores of the numbered items, and their names."""
        self._inner = inner
        self.domain = domain
        self.size: int = domain.size

    @property
    def is_indexed(self) -> bool:
        """Whether the cost of sorted access is proportional to what it returns."""
        return self._inner.is_indexed

    def top(self, start: int, count: int) -> Page:
        """Return `count` entries from rank `start` on."""
        return self._inner.top(start, count)

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return self._inner.scores(items)

    def block(self, start: int, stop: int) -> Integers:
        """Return the scores of the items start, ..., stop - 1."""
        return self._inner.block(start, stop)

    def name(self, item: int) -> object:
        """Return the domain's name of an item."""
        return self.domain.names(np.array([item], dtype=np.int64))[0]


class NamedScores(LabelledScores):
    """Scores by item, from a mapping or a table, sorted once for many selections."""

    def __init__(
        self,
        scores: Mapping[Any, int] | ArrayLike,
        *,
        domain: DomainLike,
        item: Hashable | None = None,
        score: Hashable | None = None,
    ) -> None:
        """Read the scores; item and score are the names of the columns of a table."""
        column = column_of(scores, item, score)
        require_names(column)
        super().__init__(*number_items(column, declared_domain(domain), IndexedScores))


class NamedColumn:
    """Scores with names whose number is known, and whose values were not read yet."""

    def __init__(self, column: ScoreColumn, domain: ItemDomain | Literal["public"]) -> None:
        """Take the domain; no score is read."""
        self._column = column
        self.domain = domain
        self.size: int = require_size(len(column.names)) if isinstance(domain, str) else domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as a source; raise if an item or a score is not allowed."""
        yield LabelledScores(*number_items(self._column, self.domain, ArrayScores))


def require_names(column: ScoreColumn) -> None:
    """Refuse scores whose items are indices."""
    if column.names is None:
        raise SelectionError(
            Reason.WRONG_TYPE,
            "NamedScores takes a mapping, a column with an index or a table with a column of "
            f"items, got {column.kind}: IndexedScores takes scores whose items are indices",
        )


def number_items(
    column: ScoreColumn, domain: ItemDomain | Literal["public"], dense: type[ArrayScores]
) -> tuple[ArrayScores | SparseScores, ItemDomain]:
    """Return the scores by the numbers of their items, and the domain of these numbers."""
    if isinstance(domain, str):
        return dense(column.scores), ItemList(column.names, is_public=True)
    names = distinct_items(column.names)
    if not names:
        return SparseScores.from_page(domain.size, NOTHING), domain
    page = Page(domain.numbers(names), whole_scores(column.scores))
    return SparseScores.from_page(domain.size, page), domain
