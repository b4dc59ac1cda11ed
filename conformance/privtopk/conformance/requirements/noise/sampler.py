"""A noise sampler draws i.i.d. values of the requested noise.

F(Z) is uniform. Each tail is tested at 2^-5, 2^-6, ..., 2^-21 of the mass. So a tail that is
cut off, or made of too few random bits, is found as far as the number of draws allows.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from privtopk.conformance.evidence.e_process import Null, Observations, Uniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.noise.residuals import (
    PAIRS,
    QUARTERS,
    levels,
    require_refusal,
)
from privtopk.conformance.subjects.answers import plain_noises
from privtopk.conformance.subjects.calls import AnswerError
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind, noise_of

MANY: Final = 4096
SETTINGS: Final = ((0.3, 1, 500), (40.0, 1, 500), (2.5, 7, 400), (0.3, 256, 200), (2.5, MANY, 256))
"""Rate, values per call, and calls: one value at a time, an odd number, and many at once."""

TAILS: Final = tuple((0.0, 2.0**-power, 1.0) for power in range(5, 22))
"""Two cells each: with many cells, the few values of a tail would hardly count."""

BAD_RATES: Final = (0.0, -0.5, math.nan, math.inf)


def draw_values(trial: Trial, rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return n values of the subject; raise `ViolationError` unless they are finite numbers."""
    where = f"rate {rate:.3g}, {noise}, n={n}"
    answer: Any = trial.call(trial.subject.thing, rate, noise, n)
    try:
        values = plain_noises(answer, n)
    except AnswerError as fault:
        raise ViolationError(f"{where}: {fault}") from fault
    infinite = next((value for value in values if not math.isfinite(value)), None)
    if infinite is not None:
        raise ViolationError(f"{where}: noise must be finite, got {infinite}")
    return values


def probabilities(rate: float, noise: NoiseKind, values: Sequence[float]) -> Observations:
    """Return F(z) of each value."""
    uniforms: Observations = np.exp(-levels(noise_of(noise, rate), values))
    return uniforms


class SamplerShape(Requirement):
    """A call returns as many numbers as it is asked for."""

    id = "noise-sampler.shape"
    kind = Kind.NOISE_SAMPLER
    statement = (
        "A sampler returns as many finite numbers as it is asked for, and refuses an invalid rate."
    )
    claims = ("def:noise", "erratum:parameter-ranges")
    bug = "the answer has a wrong length, a value is infinite, or the rate is not checked"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise."""
        return tuple(Experiment(str(noise), 1, noise) for noise in subject.abilities.noises)

    def observe(self, trial: Trial) -> Observation:
        """Ask for different numbers of values, then with invalid rates."""
        noise = trial.experiment.setting
        for n in (1, 2, 3, 10, 1000):
            draw_values(trial, 0.5, noise, n)
        for rate in BAD_RATES:
            require_refusal(trial, f"the rate {rate}", trial.subject.thing, rate, noise, 1)
        return Observation()


class SamplerLaw(Requirement):
    """The values have the law of the noise, in both tails."""

    id = "noise-sampler.law"
    kind = Kind.NOISE_SAMPLER
    statement = "Every value has the law of the noise with scale 1/rate, far into both tails."
    claims = ("def:noise", "fact:inversion", "erratum:quantile")
    share = 50
    bug = "the noise has a wrong scale or shape, or a tail is cut off"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise, rate and number of values per call."""
        return tuple(
            Experiment(f"{noise}, rate {rate}, n={n}", calls, (noise, rate, n), streams_of(n))
            for noise in subject.abilities.noises
            for rate, n, calls in SETTINGS
        )

    def observe(self, trial: Trial) -> Observation:
        """Draw values and map them to uniforms."""
        noise, rate, n = trial.experiment.setting
        values = [z for _ in range(trial.count) for z in draw_values(trial, rate, noise, n)]
        exponentials = levels(noise_of(noise, rate), values)
        below, above = np.exp(-exponentials), -np.expm1(-exponentials)
        seen = {"F": below, "lower tail": below, "upper tail": above}
        return Observation({name: seen[name] for name in trial.experiment.streams})


def streams_of(n: int) -> dict[str, Null]:
    """Return the streams of an experiment with n values per call; tails need many values."""
    if n < MANY:
        return {"F": Uniform()}
    return {"F": Uniform(), "lower tail": Uniform(TAILS), "upper tail": Uniform(TAILS)}


class SamplerIndependence(Requirement):
    """No value depends on another."""

    id = "noise-sampler.independence"
    kind = Kind.NOISE_SAMPLER
    statement = "All values are independent, within a call and between calls."
    claims = ("algo:one-shot", "erratum:parameter-ranges")
    share = 20
    bug = "values come in opposite pairs, are reused, or each call starts from the same seed"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise and size, with a stream per way to pair values."""
        names = ("next to each other", "half a call apart", "from both ends", "in two calls")
        streams: dict[str, Null] = dict.fromkeys(names, PAIRS)
        return tuple(
            Experiment(f"{noise}, n={n}", calls, (noise, n), streams)
            for noise in subject.abilities.noises
            for n, calls in ((2, 400), (128, 160))
        )

    def observe(self, trial: Trial) -> Observation:
        """Draw pairs of calls."""
        noise, n = trial.experiment.setting
        seen: dict[str, list[Observations]] = {name: [] for name in trial.experiment.streams}
        for _ in range(trial.count):
            u, v = (probabilities(0.3, noise, draw_values(trial, 0.3, noise, n)) for _ in range(2))
            half = n // 2
            seen["next to each other"].append(pair_categories(u[::2], u[1::2]))
            seen["half a call apart"].append(pair_categories(u[:half], u[half:]))
            seen["from both ends"].append(pair_categories(u[:half], u[: half - 1 : -1]))
            seen["in two calls"].append(pair_categories(u, v))
        return Observation({name: np.concatenate(parts) for name, parts in seen.items()})


def pair_categories(first: Observations, second: Observations) -> Observations:
    """Return the categories of pairs of uniforms."""
    quarters = [np.minimum(QUARTERS - 1, np.floor(QUARTERS * u)) for u in (first, second)]
    categories: Observations = QUARTERS * quarters[0] + quarters[1]
    return categories


REQUIREMENTS: Final = (SamplerShape(), SamplerLaw(), SamplerIndependence())
