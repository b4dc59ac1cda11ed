"""The order statistics of a list under test, with all the values revealed so far.

Let j be a new position and ell < j < r its nearest revealed neighbours, with the virtual ends
U_0 = 1 and U_(m+1) = 0. Given all that is revealed, W = (U_ell - U_j)/(U_ell - U_r) has the law
Beta(j - ell, r - j). So the distribution function of this law at W is uniform, for every order
of positions and whatever was revealed before.

Values are doubles, so neighbours in the middle of a huge list cannot be distinguished. A
position is asked for only if the spread of its value is at least 2^20 rounding errors of a value
there. Rounding then moves a residual by at most 1e-5 of its distance from 0 or 1, which no run
has enough trials to detect.
"""

import math
from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import Final

from scipy.special import betainc

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.noise.list_under_test import ListUnderTest
from privtopk.spec.noise.distributions import NoiseKind

CASES: Final = ("no neighbour", "a left neighbour", "a right neighbour", "two neighbours")
NEAR: Final = 16
"""Largest distance of a near neighbour: samplers treat small and large shapes differently."""

DISTANCES: Final = ("both near", "left near", "right near", "both far")
COARSEST: Final = 2.0**-28
"""The smallest spread of a value, as a share of its distance from the nearer end of the list."""


@dataclass(frozen=True, slots=True)
class PositionGap:
    """A position between its nearest revealed neighbours, 0 and m + 1 if there are none."""

    left: int
    position: int
    right: int
    m: int

    @property
    def case(self) -> str:
        """Which neighbours are revealed."""
        return CASES[(self.left > 0) + 2 * (self.right <= self.m)]

    @property
    def distance(self) -> str:
        """Which neighbours are near."""
        left, right = self.position - self.left <= NEAR, self.right - self.position <= NEAR
        return DISTANCES[0 if left and right else 1 if left else 2 if right else 3]

    @property
    def is_resolved(self) -> bool:
        """Whether doubles resolve the value, whose spread is sqrt(ab/(a + b)) ranks."""
        a, b = self.position - self.left, self.right - self.position
        end = min(self.position, self.m + 1 - self.position)
        return math.sqrt(a / (a + b) * b) >= COARSEST * end

    def residual(self, e_left: float, e: float, e_right: float) -> float:
        """Return the Beta distribution function at W, from levels E = -log U."""
        a, b = self.position - self.left, self.right - self.position
        if not e_left < e_right:
            return 0.5
        whole = -math.expm1(e_left - e_right)
        if a <= b:
            return float(betainc(a, b, min(1.0, -math.expm1(e_left - e) / whole)))
        rest = math.exp(e_left - e) * -math.expm1(e - e_right) / whole
        return 1 - float(betainc(b, a, min(1.0, rest)))


class RevealedPositions(ListUnderTest):
    """Fresh order statistics and the values revealed so far; every answer is checked."""

    place = "position"

    def __init__(self, trial: Trial, m: int, rate: float, kind: NoiseKind) -> None:
        """Ask the subject for a list."""
        super().__init__(trial, m, rate, kind)
        self._positions: list[int] = []

    def gap(self, position: int) -> PositionGap:
        """Return a position with its nearest revealed neighbours."""
        place = bisect_left(self._positions, position)
        left = self._positions[place - 1] if place else 0
        right = self._positions[place] if place < len(self._positions) else self.m + 1
        return PositionGap(left, position, right, self.m)

    def ask(self, position: int) -> float:
        """Reveal a new position and return its residual."""
        gap = self.gap(position)
        value = self._answer("position", self._list.value, position)
        low = self.values.get(gap.right, -math.inf)
        high = self.values.get(gap.left, math.inf)
        if not low <= value <= high:
            raise ViolationError(
                f"{self._where}: position {position} has the noise {value}, but it lies between "
                f"positions {gap.left} and {gap.right} with {high} and {low}"
            )
        self.values[position] = value
        insort(self._positions, position)
        e_left, e, e_right = (self._noise.to_exponential(z) for z in (high, value, low))
        return gap.residual(e_left, e, e_right)

    def require_unchanged(self) -> None:
        """Raise `ViolationError` unless every revealed position still has its value."""
        for position in self.values:
            value = self._answer("position", self._list.value, position)
            self._require_same_value(position, value)

    def require_domain(self) -> None:
        """Raise `ViolationError` unless positions outside the list are refused."""
        self._require_bounds("position", self._list.value)
