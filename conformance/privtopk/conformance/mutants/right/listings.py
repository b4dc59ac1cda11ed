"""Right selectors that list a set in an unusual order, each of which reveals nothing."""

import random
from collections.abc import Sequence

from privtopk.conformance.mutants.right.selectors import ScanSelector
from privtopk.conformance.subjects.question import Question


class ReversedSelector(ScanSelector):
    """Lists a set by number, largest first."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items in reverse."""
        return ranking if question.is_ranked else sorted(ranking, reverse=True)


class HashedSelector(ScanSelector):
    """Lists a set as a hash table holds it that was filled by number."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items as Python iterates over them."""
        return ranking if question.is_ranked else list(frozenset(sorted(ranking)))


class ShuffledSelector(ScanSelector):
    """Lists a set in a fresh uniform order each time."""

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items shuffled."""
        return ranking if question.is_ranked else random.sample(ranking, len(ranking))


class AlternatingSelector(ScanSelector):
    """Lists sets by number, upwards and downwards in turn."""

    def __init__(self) -> None:
        """Start upwards."""
        self.is_downwards = True

    def arrange_items(self, ranking: list[int], question: Question) -> Sequence[int]:
        """Return the items the other way round than last time."""
        self.is_downwards = not self.is_downwards
        return ranking if question.is_ranked else sorted(ranking, reverse=self.is_downwards)
