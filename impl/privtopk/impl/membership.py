"""Which items are in a list, and whether one is there twice: in few passes over arrays."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.randomness import Integers

LOWEST: Final = 2**32 - 1
LOW_BITS: Final = 2**16 - 1
MANY: Final = 2**10
SHORT: Final = 2**12
"""From so many items on, and for lists so short, a look at 16 low bits is worth its price."""

Booleans: TypeAlias = NDArray[np.bool_]


def is_among(items: Integers, ascending: Integers) -> Booleans:
    """Return for each item whether it is in an ascending list.

    Of many items most are told by their low bits not to be in a short list, without a search.
    """
    if len(ascending) == 0:
        return np.zeros(len(items), dtype=np.bool_)
    if len(items) < MANY or len(ascending) > SHORT:
        found = ascending.take(ascending.searchsorted(items), mode="clip")
        return np.equal(found, items)
    occupied = np.zeros(LOW_BITS + 1, dtype=np.bool_)
    occupied[ascending & LOW_BITS] = True
    is_there: Booleans = occupied[items & LOW_BITS]
    (doubtful,) = is_there.nonzero()
    found = ascending.take(ascending.searchsorted(items[doubtful]), mode="clip")
    is_there[doubtful] = found == items[doubtful]
    return is_there


def has_repeated(items: Integers) -> bool:
    """Return whether an item is there twice.

    Numbers half as wide are sorted in half the time: items that differ in their low bits differ.
    """
    low = items.astype(np.uint32)
    low.sort()
    repeated = low[1:][low[1:] == low[:-1]].astype(np.int64)
    if len(repeated) == 0:
        return False
    doubtful = np.sort(items[is_among(items & LOWEST, repeated)])
    return bool((doubtful[1:] == doubtful[:-1]).any())
