"""The states that a writer gives a database one after the other, and what they allow.

In state n, two neighbouring items have all votes: items 2p + 1 and 2p + 2 with p = n mod 10. With
a huge lead the selection of two items is certain: these two, in this order. A mixture of two states
would select items of two pairs.
"""

from collections import Counter
from ctypes import c_longlong
from multiprocessing.context import SpawnContext
from typing import Any, Final, TypeAlias

PAIRS: Final = 10
M: Final = 2 * PAIRS
LEAD: Final = 10**6
Answer: TypeAlias = tuple[object, ...]


def pair_of(state: int) -> tuple[int, int]:
    """Return the two items that lead in a state, best first."""
    first = 2 * (state % PAIRS) + 1
    return first, first + 1


def scores_of(state: int) -> dict[int, int]:
    """Return the score of every item in a state."""
    best, second = pair_of(state)
    return {item: {best: 2 * LEAD, second: LEAD}.get(item, 0) for item in range(1, M + 1)}


def is_allowed(items: Answer, earliest: int, latest: int) -> bool:
    """Return whether some state from the earliest to the latest has this selection."""
    return any(items == pair_of(state) for state in range(earliest, latest + 1))


class Clock:
    """The states of one database, in memory that processes share.

    A state is `begun` before it is written and `done` after it was committed. So what a
    selection sees lies between what was done before it and what was begun before it ended.
    """

    def __init__(self, context: SpawnContext) -> None:
        """Start with state 0, which is written before anybody reads."""
        self._numbers: Any = context.Array(c_longlong, 2)

    def begin(self) -> int:
        """Return the next state, which is about to be written."""
        with self._numbers.get_lock():
            self._numbers[0] += 1
            return int(self._numbers[0])

    def finish(self, state: int) -> None:
        """Note that a state was committed."""
        self._numbers[1] = state

    @property
    def begun(self) -> int:
        """The last state that may have been written."""
        return int(self._numbers[0])

    @property
    def done(self) -> int:
        """The last state that certainly was committed."""
        return int(self._numbers[1])


Tally: TypeAlias = Counter[tuple[str, str]]
"""How often a database had an outcome: "selections", "refusals", "wrong", "kills", "restarts"."""
