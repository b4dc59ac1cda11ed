"""Noise has the resolution of a double: no float32, no coarse grid, no repetitions.

A test of the law cannot detect that values lie on a fine grid, but an attacker can: a grid
reveals which scores were possible. A right implementation is assumed to draw each value from at
least 40 random bits. So no value, and no uniform or exponential from which it is computed, has a
probability above 2^-40, and its first 40 binary digits are those of a continuous variable. Then
each sign of coarseness below has a probability of at most 2^-7 = 0.8 %. The null hypothesis
allows twice that:

- the last 20 bits of the value's significand are zero: 2^-20, and below 2^-7 even if the
  values were multiples of 2^-40 scales;
- ten decimal digits write the value, in units of 1 or of the scale: about 10^10/2^53;
- E or F(Z) is, up to rounding errors (2^-44 of it), a number that float32 can hold: 2^-19;
- F(Z) is, up to rounding errors, a multiple of 2^-32: 2^-8 if it is one of 2^-40, else 2^-9.

Among n values two are equal with probability at most n^2/2 2^-40. The rate is a power of 2,
because a division by it changes no digit.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from privtopk.conformance.evidence.e_process import MeanAtMost, Null, Observations
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.noise.residuals import (
    COMPARED,
    levels,
    no_repetition,
    repetitions,
)
from privtopk.conformance.requirements.noise.revealed_positions import RevealedPositions
from privtopk.conformance.requirements.noise.sampler import draw_values
from privtopk.conformance.requirements.noise.transcript import Transcript
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind, noise_of

RATE: Final = 0.25
SIZE: Final = 8
SIGNS: Final = (
    "20 zero bits",
    "10 decimal digits",
    "E is a float32",
    "F is a float32",
    "F is a multiple of 2^-32",
)
SIGN: Final = MeanAtMost(2.0**-6)
"""The null hypothesis on the share of values that show a sign."""

ZERO_BITS: Final = 2**20 - 1
PRINTED: Final = 64
"""Number of values per trial that are printed in decimal digits, which is slow."""


def is_float32(numbers: Observations) -> NDArray[np.bool_]:
    """Return which numbers equal a float32 up to rounding errors."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        rounded = numbers.astype(np.float32).astype(np.float64)
        close: NDArray[np.bool_] = np.abs(rounded - numbers) <= 2.0**-44 * np.abs(numbers)
    return close


def has_few_digits(number: float) -> bool:
    """Return whether at most ten decimal digits write a number exactly."""
    return float(f"{number:.9e}") == number


def signs(values: Sequence[float], noise: NoiseKind) -> dict[str, float]:
    """Return the share of values that show each sign of coarseness."""
    z = np.array(values)
    e = levels(noise_of(noise, RATE), values)
    f = np.exp(-e)
    multiple = np.abs(f * 2**32 - np.round(f * 2**32)) <= 2.0**-10
    printed = [has_few_digits(v) or has_few_digits(v * RATE) for v in values[:PRINTED]]
    found = (
        (z.view(np.int64) & ZERO_BITS) == 0,
        np.array(printed),
        is_float32(e),
        is_float32(f),
        multiple,
    )
    return {name: float(which.mean()) for name, which in zip(SIGNS, found, strict=True)}


class Representation(Requirement):
    """Values have the resolution of doubles."""

    statement = "Values have the resolution of a double: no float32, no grid, no repetitions."
    claims = ("def:noise", "erratum:atoms")
    bug = "noise is computed in float32, comes from a generator of 32 bits, or is rounded to a grid"

    trials: ClassVar[int]
    compared: ClassVar[int] = COMPARED
    """Number of values that are compared with each other."""

    @abstractmethod
    def values(self, trial: Trial) -> list[float]:
        """Return the values of one trial."""

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise."""
        streams: dict[str, Null] = dict.fromkeys(SIGNS, SIGN)
        streams["equal values"] = no_repetition(self.compared)
        return tuple(
            Experiment(str(noise), self.trials, noise, streams)
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Draw values, examine their digits, and compare them with each other."""
        calls = [self.values(trial) for _ in range(trial.count)]
        shares = [signs(values, trial.experiment.setting) for values in calls]
        seen = {name: np.array([share[name] for share in shares]) for name in SIGNS}
        all_values = [value for values in calls for value in values]
        return Observation(seen | {"equal values": repetitions(all_values, self.compared)})


class OracleRepresentation(Representation):
    """The noises of a list."""

    id = "noise-oracle.representation"
    kind = Kind.NOISE_ORACLE
    share = 15
    trials = 400

    def values(self, trial: Trial) -> list[float]:
        """Return noises from both doors."""
        seen = Transcript(trial, SIZE, RATE, trial.experiment.setting)
        for _ in range(2):
            seen.sorted_access()
            seen.random_access(seen.fresh_item())
        return list(seen.values.values())


class OrderStatisticsRepresentation(Representation):
    """The values at positions."""

    id = "order-statistics.representation"
    kind = Kind.ORDER_STATISTICS
    share = 25
    trials = 400

    def values(self, trial: Trial) -> list[float]:
        """Return the values at random positions."""
        seen = RevealedPositions(trial, SIZE, RATE, trial.experiment.setting)
        for position in trial.coins.sample(range(1, SIZE + 1), 4):
            seen.ask(position)
        return list(seen.values.values())


class SamplerRepresentation(Representation):
    """Many values of a sampler."""

    id = "noise-sampler.representation"
    kind = Kind.NOISE_SAMPLER
    share = 30
    trials = 96
    compared = 2**15

    def values(self, trial: Trial) -> list[float]:
        """Return the values of one call."""
        return draw_values(trial, RATE, trial.experiment.setting, 2**12)


REQUIREMENTS: Final = (
    OracleRepresentation(),
    OrderStatisticsRepresentation(),
    SamplerRepresentation(),
)
