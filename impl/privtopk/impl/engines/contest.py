"""What an engine asks of the items that it has met: who is in, and who could still enter."""

from typing import Protocol

from privtopk.impl.noise.hidden_noise import Level, Levels
from privtopk.impl.randomness.generators import Integers


class Contest(Protocol[Level]):
    """The items that may be among the k with the largest noisy scores.

    The k-th best of them sets the bar. Before there are k items there is none, and every item
    could enter.
    """

    def level(self, score: int) -> Level:
        """Return a level from which on no item with at most this score can enter."""

    def least_score(self, level: Level) -> int:
        """Return a score below which no item can enter if its level is at least this one.

        Invariant: a score that is too small does no harm, and 0 is always allowed.
        """

    def admit(self, items: Integers, scores: Integers, levels: Levels, ceiling: int) -> None:
        """Take in more items, each of them once; none of the scores exceeds the ceiling."""

    def ranking(self) -> tuple[int, ...]:
        """Return the k items with the largest noisy scores, best first."""
