"""Facts about the requirements on a noise sampler."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.noise.sampler import (
    SamplerIndependence,
    SamplerLaw,
    SamplerShape,
)
from privtopk.impl.subjects import noise_sampler
from privtopk.spec.noise.distributions import NoiseKind, noise_of

GENERATOR = np.random.default_rng()
Sampler = Callable[[float, NoiseKind, int], object]


class Subject:
    """A function as a sampler of both noises."""

    kind = "noise-sampler"
    noises = tuple(NoiseKind)

    def __init__(self, draw: Sampler) -> None:
        """Take the function."""
        self._draw = draw

    def __call__(self, rate: float, noise: NoiseKind, n: int) -> object:
        """Return n values."""
        return self._draw(rate, noise, n)


def right_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return n values, from exponentials."""
    law = noise_of(noise, rate)
    return [law.from_exponential(e) for e in GENERATOR.standard_exponential(n).tolist()]


def wide_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return noise five percent too large."""
    return right_noise(rate / 1.05, noise, n)


def gaussian_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return normal noise with the mean and the spread of Gumbel noise."""
    return [(0.5772 + 1.2825 * z) / rate for z in GENERATOR.standard_normal(n).tolist()]


def scale_for_rate(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return noise of scale rate."""
    return right_noise(1 / rate, noise, n)


def truncated_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return noise that stops at 10 scales."""
    return [min(z, 10 / rate) for z in right_noise(rate, noise, n)]


def opposite_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return values by opposite pairs."""
    law = noise_of(noise, rate)
    uniforms = GENERATOR.random((n + 1) // 2) * 0.999999 + 1e-7
    return [law.quantile(u) for v in uniforms.tolist() for u in (v, 1 - v)][:n]


def mirrored_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return values whose second half repeats the ranks of the first, slightly shifted."""
    half = right_noise(rate, noise, (n + 1) // 2)
    return [*half, *(z + 1e-9 for z in half[: n // 2])]


def reseeded_noise(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return values from one seed."""
    law = noise_of(noise, rate)
    exponentials = np.random.default_rng(3).standard_exponential(n).tolist()
    return [law.from_exponential(e) for e in exponentials]


@pytest.mark.parametrize("sampler", [noise_sampler, Subject(right_noise)])
def test_shape_accepts(sampler: object) -> None:
    """A sampler that returns n finite numbers and checks the rate is accepted."""
    case = run_case(sampler, SamplerShape())
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([1.0, 2.0], "rate 0.5, gumbel, n=1: must return n=1 values, got 2"),
        ("1", "rate 0.5, gumbel, n=1: must return a sequence, got str"),
        (["1"], "rate 0.5, gumbel, n=1: noise must be a number, got str"),
        ([math.inf], "rate 0.5, gumbel, n=1: noise must be finite, got inf"),
    ],
)
def test_shape_kills(answer: object, text: str) -> None:
    """An answer of a wrong length or type, and infinite noise, fail."""
    case = run_case(Subject(lambda rate, noise, n: answer), SamplerShape())
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, text)


def test_shape_kills_unchecked_rates() -> None:
    """A sampler that accepts a negative rate fails."""
    case = run_case(
        Subject(lambda rate, noise, n: right_noise(abs(rate), noise, n)), SamplerShape()
    )
    text = "the rate -0.5 was accepted; it must be refused"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, text)


@pytest.mark.parametrize("requirement", [SamplerLaw(), SamplerIndependence()])
def test_laws_accept_ours(requirement: Requirement) -> None:
    """Our sampler draws i.i.d. noise."""
    case = run_case(noise_sampler, requirement, budget=0.3)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    "wrong",
    [
        wide_noise,
        gaussian_noise,
        scale_for_rate,
        pytest.param(truncated_noise, marks=pytest.mark.slow),
    ],
)
def test_law_kills(wrong: Sampler) -> None:
    """A wrong scale, a wrong shape and a tail that is cut off fail."""
    assert run_case(Subject(wrong), SamplerLaw(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("wrong", [opposite_noise, mirrored_noise, reseeded_noise])
def test_independence_kills(wrong: Sampler) -> None:
    """Values that come in pairs, or again in each call, fail."""
    assert run_case(Subject(wrong), SamplerIndependence(), budget=4).verdict is CaseVerdict.FAIL
