"""Residuals: noises turned into numbers that are uniform for every right implementation.

A noise Z is represented by its level E = -log F(Z), so that the top of a list of 2^60 keeps its
digits. The residuals of one list, and of several lists, are independent: pairs of them fall into
sixteen cells of equal probability.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories, MeanAtMost, Observations
from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.subjects.answers import plain_number
from privtopk.conformance.subjects.calls import AnswerError, SubjectError
from privtopk.spec.noise.distributions import Noise

QUARTERS: Final = 4
PAIRS: Final = Categories(
    (1 / QUARTERS**2,) * QUARTERS**2,
    tuple(f"quarters {i} and {j}" for i in range(1, 5) for j in range(1, 5)),
)
"""Two independent uniforms, by the quarters in which they lie."""

RANDOM_BITS: Final = 40
"""A right implementation returns no value with a probability above 2^-40, given the others.

Doubles from 53 random bits stay below 2^-50, and below 2^-43 at the top of 1000 noises.
"""

COMPARED: Final = 2048
"""Number of values that are compared with each other, unless more can be drawn quickly."""

BAD_PARAMETERS: Final[tuple[tuple[int, float], ...]] = (
    (0, 0.5),
    (-1, 0.5),
    (4, 0.0),
    (4, -0.5),
    (4, math.nan),
    (4, math.inf),
)
"""Pairs (m, rate) for which there is no list."""


def finite_float(value: object, where: str) -> float:
    """Return a value of the subject as a float; raise `ViolationError` if it is not finite."""
    try:
        number = plain_number(value)
    except AnswerError as fault:
        raise ViolationError(f"{where}: {fault}") from fault
    if not math.isfinite(number):
        raise ViolationError(f"{where}: noise must be finite, got {number}")
    return number


def levels(noise: Noise, values: Iterable[float]) -> Observations:
    """Return the level E = -log F(z) of each value."""
    return np.array([noise.to_exponential(z) for z in values])


def quarter(uniform: float) -> int:
    """Return the quarter of the unit interval that contains a number, counted from 0."""
    return min(QUARTERS - 1, int(QUARTERS * uniform))


def pair_category(first: float, second: float) -> float:
    """Return the category of a pair of uniforms."""
    return float(QUARTERS * quarter(first) + quarter(second))


def consecutive_pairs(uniforms: Sequence[float], coins: random.Random) -> list[float]:
    """Return the categories of the pairs (first, second), (third, fourth) and so on.

    Whether there is another uniform may depend on the last one. A random number replaces the one
    that is missing. Otherwise the value of the last uniform would decide whether it is counted.
    """
    seconds = [*uniforms[1::2], coins.random()]
    return [pair_category(u, v) for u, v in zip(uniforms[::2], seconds, strict=False)]


def no_repetition(compared: int) -> MeanAtMost:
    """Return the null hypothesis of `repetitions`: compared^2/2 pairs, each with 2^-40."""
    return MeanAtMost(compared**2 / 2 / 2**RANDOM_BITS)


def repetitions(values: Sequence[float], compared: int = COMPARED) -> Observations:
    """Return for each block of `compared` values 1 if two of them are equal, else 0."""
    blocks = (values[start : start + compared] for start in range(0, len(values), compared))
    return np.array([float(len(set(block)) < len(block)) for block in blocks])


def nonempty_streams(seen: dict[str, list[float]]) -> dict[str, Observations]:
    """Return the streams as arrays, without the empty ones."""
    return {name: np.array(values) for name, values in seen.items() if values}


def require_refusal(
    trial: Trial, what: str, function: Callable[..., Any], *arguments: object
) -> None:
    """Raise `ViolationError` unless a call raises an error; to hang or to exit is no refusal."""
    try:
        trial.call(function, *arguments)
    except SubjectError as fault:
        if not isinstance(fault.cause, Exception):
            raise
        return
    raise ViolationError(f"{what} was accepted; it must be refused")
