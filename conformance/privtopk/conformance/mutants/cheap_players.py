"""Selectors that are too cheap to keep their promises: each loses the games that it can play.

`BROKEN` names the games that refute each selector and the promise that it breaks there. It
declines the other games, because they close the door that it reads through.
"""

import random
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.games.game import Promise
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    RightSelector,
    ScanSelector,
    look_up,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.loading import PYTHON
from privtopk.conformance.subjects.question import Question

CANDIDATES: Final = 4
"""Items considered per item wanted."""


class ExactTopK(RightSelector):
    """It returns the true k best items without any noise, after k sorted accesses."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Read k entries."""
        self.check(question, scores.size)
        return self.arrange_items([item for item, _ in scores.top(question.k)], question)


class RandomSubset(RightSelector):
    """It returns k random items, whatever their scores, after reading just these."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Choose items and read their scores."""
        self.check(question, scores.size)
        chosen = random.Random().sample(range(1, scores.size + 1), question.k)
        scores.values(chosen)
        return self.arrange_items(chosen, question)


class TruncatedDomain(ScanSelector):
    """It selects with the right noise, but only among the 4k items with the best scores."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Read a prefix of the list."""
        return scores.top(min(scores.size, CANDIDATES * question.k))


class FirstItemsOnly(ScanSelector):
    """It selects with the right noise, but only among the 4k items with the smallest numbers."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Look up the first items."""
        items = range(1, 1 + min(scores.size, CANDIDATES * question.k))
        return look_up(scores, items)


_SEEN_THROUGH: Final = dict.fromkeys(("S2", "S3", "thm-5.3", "thm-5.4"), Promise.PRIVACY)
_WRONG: Final = dict.fromkeys(("S1", "S3", "thm-5.1", "thm-5.4"), Promise.ACCURACY)

BROKEN: Final = {
    "ExactTopK": _SEEN_THROUGH,
    "RandomSubset": _WRONG,
    "TruncatedDomain": _SEEN_THROUGH,
    "FirstItemsOnly": _WRONG,
}
"""The games that refute each cheap selector, with the promise that it breaks."""


def cheap_address(name: str) -> str:
    """Return the address of a cheap selector."""
    return f"{PYTHON}{__name__}:{name}"
