"""Scores in a database, and the fastest way found to fetch all of them."""

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
    """Returns every entry, in any order, through a connection of its own."""

    def scan(self, k: int, epsilon: float, generator: np.random.Generator) -> Integers:
        """Select as people do today: fetch everything, and add noise in numpy."""
        page = self.fetch()
        return page.items[block_scan(page.scores, k, epsilon, generator)]


StoreScores: TypeAlias = Callable[[Integers, Path], AbstractContextManager[Stored]]
"""Puts the scores of items 0, ..., m - 1 into a database, with its files in a folder."""


def page_by_item(scores: Sequence[Any] | Integers) -> Page:
    """Return the scores of items 0, 1, ... as a page."""
    values = np.asarray(scores, dtype=SCORES)
    return Page(np.arange(len(values)), values)
