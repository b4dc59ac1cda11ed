"""Both doors of a noise list, in E-levels.

Sorted access returns the next item by ascending E, that is by descending noise. Random access
returns the E of an item. Engines map E-levels to noise. The two oracles here store the whole list;
`online_oracle` and `rank_free` draw it on demand.

Paper: algo:private-threshold, lem:permutation-and-independence.
"""

from typing import Final, Protocol

import numpy as np

from privtopk.impl.randomness.generators import Floats, Randomness
from privtopk.spec.model.errors import Reason, SelectionError, exhausted_error
from privtopk.spec.model.parameters import require_size

LONGEST_LIST: Final = 1 << 27
"""Levels and order of a whole noise list take 4 GB for this number of items while it is made."""


class NoiseOracle(Protocol):
    """A list of m i.i.d. noises that can be read through both doors."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by ascending E-level, and the level."""

    def random_access(self, item: int) -> float:
        """Return the E-level of an item."""


def unknown_item_error(item: int, m: int) -> SelectionError:
    """Return the error for a random access outside the domain."""
    return SelectionError(Reason.UNKNOWN_ITEM, f"item must be between 0 and {m - 1}, got {item}")


class ServedOracle:
    """Both doors of a given table of E-levels; of tied items the smaller comes first."""

    def __init__(self, levels: Floats) -> None:
        """Take the levels of the items 0, 1, ..."""
        self.size = require_size(len(levels))
        self._levels = levels
        self._order = np.argsort(levels, kind="stable")
        self._delivered = 0

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by ascending E-level, and the level."""
        if self._delivered == self.size:
            raise exhausted_error(self.size)
        item = int(self._order[self._delivered])
        self._delivered += 1
        return item, float(self._levels[item])

    def random_access(self, item: int) -> float:
        """Return the E-level of an item."""
        if not 0 <= item < self.size:
            raise unknown_item_error(item, self.size)
        return float(self._levels[item])


class FullNoiseList(ServedOracle):
    """Line 1 of Algorithm 3: all m noises drawn and sorted."""

    def __init__(self, m: int, randomness: Randomness) -> None:
        """Draw the whole list; raise if it has too many items."""
        if require_size(m) > LONGEST_LIST:
            raise SelectionError(
                Reason.SIZE_OUT_OF_RANGE,
                f"the noise of at most m={LONGEST_LIST} items is drawn in advance, got m={m}; "
                "use an engine that draws it on demand, such as batched or rank-free",
            )
        super().__init__(randomness.exponentials(m))
