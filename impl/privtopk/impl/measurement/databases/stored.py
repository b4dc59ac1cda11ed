"""Scores that were put into a database, and the fastest way found to fetch all of them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from privtopk.impl.measurement.baselines import block_scan
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page, Store

TABLE: Final = "votes"

SCORES: Final = np.dtype(np.int64)


@dataclass(frozen=True, slots=True)
class Stored:
    """A score list in a database."""

    store: Store
    fetch: Callable[[], Page]
    """Returns every entry, in any order, through a connection that is not that of the store."""

    def scan(self, k: int, epsilon: float, generator: np.random.Generator) -> Integers:
        """Return what people compute today: everything is fetched, and noise is added in numpy."""
        page = self.fetch()
        return page.items[block_scan(page.scores, k, epsilon, generator)]


Storing: TypeAlias = Callable[[Integers, Path], AbstractContextManager[Stored]]
"""Puts the scores of the items 0, ..., m - 1 into a database in a folder."""


def numbered(scores: Sequence[Any] | Integers) -> Page:
    """Return scores that come in the order of their items."""
    values = np.asarray(scores, dtype=SCORES)
    return Page(np.arange(len(values)), values)
