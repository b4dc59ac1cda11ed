"""What a caller may pass as scores: a source, a store, an array, a mapping, a column or a table."""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeGuard

from numpy.typing import ArrayLike

from privtopk.impl.scores.column import Numbers, score_list
from privtopk.impl.scores.declaration import declared_domain
from privtopk.impl.scores.memory import ArrayScores
from privtopk.impl.scores.named import NamedColumn
from privtopk.impl.scores.protocols import Source, Store, is_store
from privtopk.impl.scores.tables import column_of
from privtopk.spec.model.errors import Reason, SelectionError

Scores: TypeAlias = Source | Store | Mapping[Any, int] | ArrayLike
"""The type of scores; data frames have numpy's array protocol or are Any to type checkers."""


class ArrayColumn:
    """Scores whose number is known, whose values were not read yet and whose items are indices."""

    def __init__(self, scores: Numbers) -> None:
        """Take the scores."""
        self._scores = scores
        self.size = len(scores)

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores as a source; raise if a score is not allowed."""
        yield ArrayScores(self._scores)


def source_or_store(
    given: Any,
    domain: object = None,
    item: Hashable | None = None,
    score: Hashable | None = None,
) -> Source | Store:
    """Return a source or a store unchanged, and everything else as a column over its domain.

    item and score are the names of the columns of a table.
    """
    if is_source_or_store(given):
        if any(one is not None for one in (domain, item, score)):
            raise SelectionError(
                Reason.WRONG_TYPE,
                "a source has its own domain and columns: leave out domain, item and score",
            )
        return given
    column = column_of(given, item, score)
    if column.names is not None:
        return NamedColumn(column, declared_domain(domain))
    if domain is not None:
        raise SelectionError(
            Reason.WRONG_TYPE,
            "the items of an array are its indices 0, 1, ...: leave out domain, or pass a mapping "
            "from items to scores",
        )
    return ArrayColumn(score_list(column.scores))


def is_source_or_store(given: Any) -> TypeGuard[Source | Store]:
    """Return whether an object has snapshots, or the methods of a source.

    A pandas column with items called top and scores has these attributes too, as numbers. A
    mapping is a mapping, whatever its other methods.
    """
    if isinstance(given, Mapping):
        return False
    return is_store(given) or all(
        callable(getattr(given, door, None)) for door in ("top", "scores", "name")
    )
