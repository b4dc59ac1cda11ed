"""Tapes and noise laws that serve given integers, so that a run is a function of integers.

A theorem is about all integers, instead of drawing them. Its premise says which of them a law
could have drawn. A tape refuses to serve more than it was given.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.values import Number
from privtopk.spec.noise.field import ServedNoise


class ServedTape:
    """A tape whose choices are given integers, served in order."""

    def __init__(self, draws: Sequence[int]) -> None:
        """Take the draws."""
        self._draws = tuple(draws)
        self._served = 0

    def uniform(self) -> Number:
        """Refuse: an integer is not a uniform."""
        raise SelectionError(Reason.WRONG_TYPE, "a tape of integers serves no uniforms")

    def below(self, n: int) -> int:
        """Return the next draw; the premise must say that it is below n."""
        if self._served == len(self._draws):
            raise SelectionError(Reason.TAPE_EXHAUSTED, "the tape has no more draws")
        self._served += 1
        return self._draws[self._served - 1]

    def choose(self, weights: Sequence[Number]) -> int:
        """Return the next draw as an index into the weights."""
        return self.below(len(weights))

    def subset(self, n: int, probability: Number) -> tuple[int, ...]:
        """Return the indices whose draws are not 0."""
        return tuple(index for index in range(n) if self.below(2))


@dataclass(frozen=True, slots=True)
class FlatNoise:
    """A noise law that answers every question with the same numbers."""

    chance: float = 1.0
    """The probability of any event."""

    value: float = 0.0
    """Any quantile."""

    def density(self, z: float) -> float:
        """Return the chance."""
        return self.chance

    def cdf(self, z: float) -> float:
        """Return the chance."""
        return self.chance

    def survival(self, z: float) -> float:
        """Return the chance."""
        return self.chance

    def quantile(self, u: float) -> float:
        """Return the value."""
        return self.value

    def upper_quantile(self, q: float) -> float:
        """Return the value."""
        return self.value

    def from_exponential(self, e: float) -> float:
        """Return the value."""
        return self.value

    def to_exponential(self, z: float) -> float:
        """Return 0."""
        return 0.0


class CertainNoise(ServedNoise):
    """Served noise whose chances are all 1: a stopping rule may use them, the result may not."""

    def __init__(self, noises: Sequence[Number]) -> None:
        """Take the noise of item 1, of item 2, and so on."""
        super().__init__(noises, FlatNoise())

    def chance_above(self, z: Number) -> float:
        """Return 1."""
        return 1.0
