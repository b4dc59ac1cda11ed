"""The constants in the proof of Theorem S3.

Let tau = sqrt(mk), s = ceil(tau), a = ceil(s / 2k) and 100 k <= tau <= m / 100. A private and
accurate algorithm returns a low item with probability at least HIT. t accesses find one with
probability at most MEETING_RATE t / tau. The integral of the difference is SHARE tau.
"""

import math
from fractions import Fraction
from typing import Final

HIT: Final = Fraction(1263, 10_000)
"""e^-1 (1 - e^(-1/2) - 0.05), rounded down."""

LOW_RATE: Final = Fraction(5152, 10_000)
"""a k / tau is at most 1/2 + 1/200 + 1/100, rounded up."""

MEETING_RATE: Final = Fraction(5231, 10_000)
"""LOW_RATE over 0.985, rounded up."""

HORIZON: Final = Fraction(2414, 10_000)
"""HIT over MEETING_RATE, rounded down: beyond HORIZON tau the difference is not positive."""

SHARE: Final = Fraction(152, 10_000)
"""HIT^2 / (2 MEETING_RATE), rounded down."""

DISCOUNT: Final = Fraction(36_787, 100_000)
"""A fraction below e^-1. A smaller value makes every certificate smaller."""


def ceil_root(square: int | Fraction) -> int:
    """Return the smallest integer whose square is at least this number."""
    return 1 + math.isqrt(math.ceil(square) - 1)
