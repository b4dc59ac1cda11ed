"""Membership of items in a list, in few passes over arrays."""

from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

LOW_BITS: Final = 2**16 - 1
MANY: Final = 2**10
SHORT: Final = 2**12
"""From MANY items on, and for lists up to SHORT, a test of 16 low bits saves time."""

Booleans: TypeAlias = NDArray[np.bool_]

Whole = TypeVar("Whole", np.int64, np.uint32)


def is_among(items: NDArray[Whole], ascending: NDArray[Whole]) -> Booleans:
    """Return for each item whether it is in an ascending list.

    For many items and a short list, the low bits exclude most items without a search.
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
