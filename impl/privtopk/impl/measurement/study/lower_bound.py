"""The lower bound in all figures: the cost of every private and accurate algorithm."""

from functools import lru_cache
from typing import Final

from privtopk.spec.lower_bounds.certificate_search import best_certificate

BETA: Final = 0.05
"""The probability with which an accurate algorithm may fail."""


def least_accesses(m: int, k: int, epsilon: float) -> float:
    """Return the certified number of accesses for a total budget; k are always needed."""
    return least_price(m, k, epsilon, (1, 1))


@lru_cache(maxsize=4096)
def least_price(m: int, k: int, epsilon: float, prices: tuple[int, int]) -> float:
    """Return the certified price; k accesses are always needed."""
    certified = best_certificate(m, k, epsilon, 0, BETA, prices)
    return max(float(k * min(prices)), certified.bound)
