"""The lower bound that all pictures show: what every private and accurate algorithm must pay.

There is one function for it, so that a better certificate has one place to go.
"""

from functools import lru_cache
from typing import Final

from privtopk.spec.certificate import best_certificate

BETA: Final = 0.05
"""How often an accurate algorithm may fail."""


@lru_cache(maxsize=4096)
def least_accesses(m: int, k: int, epsilon: float) -> float:
    """Return the certified number of accesses for a total budget; k are always needed."""
    return max(float(k), best_certificate(m, k, epsilon, 0, BETA).bound)
