"""The lower bound that all pictures show: what every private and accurate algorithm must pay.

There is one function for accesses and one for prices, so that a better certificate has one place
to go.
"""

from functools import lru_cache
from typing import Final

from privtopk.spec.certificate import best_certificate
from privtopk.spec.lower_bounds import unequal_price_lower_bound

BETA: Final = 0.05
"""How often an accurate algorithm may fail."""


@lru_cache(maxsize=4096)
def least_accesses(m: int, k: int, epsilon: float) -> float:
    """Return the certified number of accesses for a total budget; k are always needed."""
    return max(float(k), best_certificate(m, k, epsilon, 0, BETA).bound)


def least_price(m: int, k: int, epsilon: float, prices: tuple[int, int]) -> float:
    """Return the larger of two lower bounds of the price, for epsilon at most 1.

    One is proven for all ratios with a small constant; the other takes the certified number of
    accesses, each at the price of the cheaper door.
    """
    shaped = unequal_price_lower_bound(m, k, *prices, epsilon, 0, BETA)
    return max(shaped, min(prices) * least_accesses(m, k, epsilon))
