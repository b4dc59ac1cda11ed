"""Integrals of smooth functions by the Gauss-Legendre rule, panel by panel.

On a panel the rule with 16 nodes is exact for polynomials of degree 31. Take the ellipse with
foci at the ends of the panel whose half-axes add up to q >= 3 half-widths. For a function that is
analytic and bounded by M in it, the error is at most 5 M q^-32 half-widths. So a panel should be
at most as wide as the scale on which the function changes. All weights are positive: a positive
function is integrated without cancellation.

Ours: ours:utility-laplace.
"""

import math
from collections.abc import Callable
from typing import Final

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_at_least, require_number
from privtopk.spec.model.values import Number

NODES: Final = 16
"""Enough to reach the rounding error of doubles on panels as wide as that scale."""

NEWTON_STEPS: Final = 10
"""Each Newton step doubles the correct digits of a node; 5 steps suffice from this start."""


def legendre_rule(nodes: int) -> tuple[tuple[float, float], ...]:
    """Return the nodes on (-1, 1), from the largest down, each with its weight."""
    n = require_at_least("nodes", nodes, 1)
    rule: list[tuple[float, float]] = []
    for index in range(n):
        x = math.cos(math.pi * (index + 0.75) / (n + 0.5))
        for _ in range(NEWTON_STEPS):
            value, slope = _legendre(n, x)
            x -= value / slope
        _, slope = _legendre(n, x)
        rule.append((x, 2 / ((1 - x * x) * slope * slope)))
    return tuple(rule)


def _legendre(n: int, x: float) -> tuple[float, float]:
    """Return the Legendre polynomial of degree n at x, and its derivative."""
    before, value = 1.0, x
    for degree in range(2, n + 1):
        before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
    return value, n * (x * value - before) / (x * x - 1)


RULE: Final = legendre_rule(NODES)


def integral(
    function: Callable[[float], float], low: Number, high: Number, panel_width: Number
) -> float:
    """Return the integral of a function over [low, high] by panels of at most the given width."""
    start, end = float(require_number("low", low)), float(require_number("high", high))
    width = float(require_number("panel_width", panel_width))
    if not (math.isfinite(start) and math.isfinite(end) and start <= end and width > 0):
        raise SelectionError(
            Reason.NOT_AN_INTERVAL,
            f"low <= high must be finite and panel_width positive, "
            f"got {low}, {high} and {panel_width}",
        )
    panels = math.ceil((end - start) / width)
    half = (end - start) / 2 / max(panels, 1)
    centres = (start + (2 * panel + 1) * half for panel in range(panels))
    return half * math.fsum(
        weight * function(centre + half * x) for centre in centres for x, weight in RULE
    )
