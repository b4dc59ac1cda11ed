"""The order statistics of a list under test, with all the values told so far.

Let ell < j < r be a new position and its nearest revealed neighbours, with the virtual ends
U_0 = 1 and U_(m+1) = 0. Given all that is revealed, W = (U_l - U_j)/(U_l - U_r) has the law
Beta(j - ell, r - j), so its distribution function of W is uniform: for every order of
positions, whatever was revealed before.

Values are doubles, so neighbours in the middle of a huge list cannot be told apart. A
position is asked for only if the spread of its value is at least 2^20 roundings of a value
there; they then move a residual by at most a hundred thousandth of its distance from 0 or 1,
too little to be seen in any number of trials that a run makes.
"""

import math
from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import Any, Final

from scipy.special import betainc

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.noise.residuals import finite_float, require_refusal
from privtopk.spec.noise.distributions import NoiseKind, noise_of

CASES: Final = ("no neighbour", "a left neighbour", "a right neighbour", "two neighbours")
NEAR: Final = 16
"""A neighbour is near up to this distance: small and large shapes are drawn differently."""

DISTANCES: Final = ("both near", "left near", "right near", "both far")
COARSEST: Final = 2.0**-28
"""The smallest spread of a value, in parts of its distance from the nearer end of the list."""


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
        """Whether doubles resolve the value: its spread is sqrt(ab/(a + b)) ranks."""
        a, b = self.position - self.left, self.right - self.position
        end = min(self.position, self.m + 1 - self.position)
        return math.sqrt(a / (a + b) * b) >= COARSEST * end

    def residual(self, e_left: float, e: float, e_right: float) -> float:
        """Return the Beta distribution function of W, from levels E = -log U."""
        a, b = self.position - self.left, self.right - self.position
        if not e_left < e_right:
            return 0.5
        whole = -math.expm1(e_left - e_right)
        if a <= b:
            return float(betainc(a, b, min(1.0, -math.expm1(e_left - e) / whole)))
        rest = math.exp(e_left - e) * -math.expm1(e - e_right) / whole
        return 1 - float(betainc(b, a, min(1.0, rest)))


class RevealedPositions:
    """Fresh order statistics and the values told so far; every answer is checked."""

    def __init__(self, trial: Trial, m: int, rate: float, kind: NoiseKind) -> None:
        """Ask the subject for a list."""
        self.m = m
        self._trial = trial
        self._where = f"m={m}, rate {rate:.3g}, {kind}"
        self._noise = noise_of(kind, rate)
        self._list: Any = trial.call(trial.subject.thing, m, rate, kind)
        self.values: dict[int, float] = {}
        self._positions: list[int] = []

    def gap(self, position: int) -> PositionGap:
        """Return a position with its nearest revealed neighbours."""
        place = bisect_left(self._positions, position)
        left = self._positions[place - 1] if place else 0
        right = self._positions[place] if place < len(self._positions) else self.m + 1
        return PositionGap(left, position, right, self.m)

    def ask(self, position: int) -> float:
        """Return the residual of a position that was not revealed before."""
        gap = self.gap(position)
        value = self._value(position)
        low = self.values.get(gap.right, -math.inf)
        high = self.values.get(gap.left, math.inf)
        if not low <= value <= high:
            raise ViolationError(
                f"{self._where}: position {position} has the noise {value}, between positions "
                f"{gap.left} and {gap.right} with {high} and {low}"
            )
        self.values[position] = value
        insort(self._positions, position)
        e_left, e, e_right = (self._noise.to_exponential(z) for z in (high, value, low))
        return gap.residual(e_left, e, e_right)

    def ask_again(self) -> None:
        """Fail unless every position has the value that it had."""
        for position, value in self.values.items():
            again = self._value(position)
            if again != value:
                raise ViolationError(
                    f"{self._where}: position {position} had the noise {value} and then {again}"
                )

    def require_domain(self) -> None:
        """Fail unless positions outside the list are refused."""
        for position in (0, -1, self.m + 1):
            what = f"{self._where}: position {position}"
            require_refusal(self._trial, what, self._list.value, position)

    def _value(self, position: int) -> float:
        told = self._trial.call(self._list.value, position)
        return finite_float(told, f"{self._where}, position {position}")
