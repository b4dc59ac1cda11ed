"""Formats numbers for the reports."""

import math
from typing import Final

NONE: Final = "–"


def tenth_exponent(log: float) -> str:
    """Return the decimal exponent of a number given by its natural logarithm."""
    if math.isinf(log):
        return "∞"
    return f"{round(log / math.log(10), 1) + 0.0:.1f}".replace("-", "−")


def seconds(time: float) -> str:
    """Return a time in seconds."""
    return f"{time:.2f} s" if time < 9.95 else f"{time:.1f} s"


def p_value(p: float | None) -> str:
    """Return a p-value; a small one is rounded to one digit and a power of ten."""
    if p is None:
        return NONE
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def domain(m: int) -> str:
    """Return the size of a domain; a large power of two is written as a power."""
    is_power = m > 10**6 and m & (m - 1) == 0
    return f"2^{m.bit_length() - 1}" if is_power else f"{m:,}"
