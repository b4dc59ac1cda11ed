"""Sizes of the input of S3 for which the summed certificate is large.

The specification's search maximises the certificate that counts hits, whose bound on the plain
mean is more than twice as large. The games need a bound on the cost *counted up to a horizon*.
The summed certificate is such a bound, so the games search for the sizes that maximise it.
"""

import math
from collections.abc import Iterator
from typing import Final

from privtopk.spec.lower_bounds.certificate import Certificate, certificate
from privtopk.spec.lower_bounds.hard_families import both_access_sizes

FIRST_ZOOM: Final = 64.0
"""The search starts with sizes up to 64 times smaller or larger than those of S3."""

LAST_ZOOM: Final = 1.02
"""The search ends when it looks at most 2 percent away."""

GRID: Final = (-1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0)
"""Where the search looks at each zoom, in logarithms to the base of the zoom."""


def best_sizes(m: int, k: int, epsilon: float, delta: float, beta: float) -> Certificate:
    """Return the largest summed certificate that a search finds; all that it tries are valid."""
    best = certificate(m, k, *both_access_sizes(m, k), epsilon, delta, beta)
    zoom = FIRST_ZOOM
    while zoom > LAST_ZOOM:
        looks = [
            certificate(m, k, *sizes, epsilon, delta, beta)
            for sizes in nearby_sizes(m, k, best, zoom)
        ]
        best = max((best, *looks), key=lambda found: found.bound)
        zoom = math.sqrt(zoom)
    return best


def nearby_sizes(m: int, k: int, centre: Certificate, zoom: float) -> Iterator[tuple[int, int]]:
    """Yield sizes around a certificate, up to `zoom` times smaller or larger."""
    sizes = {min(max(round(centre.size * zoom**x), k), m) for x in GRID}
    low_sizes = {max(round(centre.low_size * zoom**x), 1) for x in GRID}
    yield from ((s, a) for s in sorted(sizes) for a in sorted(low_sizes) if a <= s)
