"""A list of noises under test: what noise oracles and order statistics have in common."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.noise.residuals import finite_float, require_refusal
from privtopk.spec.noise.distributions import NoiseKind, noise_of

RATES: Final = (0.3, 2.5)
"""Rates 1/scale of lists; a rate of 1 would hide a confusion of the two."""


class ListUnderTest:
    """A fresh list of the subject, and the values that it has returned so far."""

    place: ClassVar[str]
    """What has a value: an item or a position."""

    def __init__(self, trial: Trial, m: int, rate: float, kind: NoiseKind) -> None:
        """Ask the subject for a list."""
        self.m = m
        self.values: dict[int, float] = {}
        self._trial = trial
        self._where = f"m={m}, rate {rate:.3g}, {kind}"
        self._noise = noise_of(kind, rate)
        self._list: Any = trial.call(trial.subject.thing, m, rate, kind)

    def _answer(self, where: str, access: Callable[[int], object], place: int) -> float:
        """Return the value at a place as a finite float."""
        return finite_float(self._trial.call(access, place), f"{self._where}, {where} {place}")

    def _require_same_value(self, place: int, value: float) -> None:
        """Raise `ViolationError` if a place had another value before."""
        before = self.values[place]
        if value != before:
            raise ViolationError(
                f"{self._where}: {self.place} {place} had the noise {before} and then {value}"
            )

    def _require_bounds(self, where: str, access: Callable[[int], object]) -> None:
        """Raise `ViolationError` unless places outside the list are refused."""
        for place in (0, -1, self.m + 1):
            require_refusal(self._trial, f"{self._where}: {where} {place}", access, place)
