"""Facts about the required resolution of noise."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.noise.representation import (
    SIGNS,
    OracleRepresentation,
    OrderStatisticsRepresentation,
    SamplerRepresentation,
    has_few_digits,
    is_float32,
    signs,
)
from privtopk.impl.subjects import (
    full_noise_list,
    noise_sampler,
    online_oracle,
    order_statistics,
    rank_free_oracle,
)
from privtopk.spec.noise.distributions import NoiseKind, noise_of

GENERATOR = np.random.default_rng()
Change = Callable[[float], float]


def float32(z: float) -> float:
    """Return a float32."""
    return float(np.float32(z))


def binary_grid(z: float) -> float:
    """Return a multiple of 2^-28."""
    return round(z * 2**28) / 2**28


def decimal_grid(z: float) -> float:
    """Return a number of eight decimals."""
    return round(z, 8)


CHANGES = (float32, binary_grid, decimal_grid)


class CoarseSampler:
    """Our sampler, with each value changed."""

    kind = "noise-sampler"
    noises = tuple(NoiseKind)

    def __init__(self, change: Change) -> None:
        """Take the change."""
        self._change = change

    def __call__(self, rate: float, noise: NoiseKind, n: int) -> list[float]:
        """Return n values."""
        return [self._change(z) for z in noise_sampler(rate, noise, n)]


class CoarseOracle:
    """Our oracle, with each value changed."""

    kind = "noise-oracle"
    noises = tuple(NoiseKind)

    def __init__(self, change: Change) -> None:
        """Take the change."""
        self._change = change

    def __call__(self, m: int, rate: float, noise: NoiseKind) -> "CoarseList":
        """Return a fresh list."""
        return CoarseList(self._change, m, rate, noise)


class CoarseList:
    """A list of ours, with each value changed."""

    def __init__(self, change: Change, m: int, rate: float, noise: NoiseKind) -> None:
        """Make the list."""
        self._change = change
        self._doors = rank_free_oracle(m, rate, noise)
        self._positions = order_statistics(m, rate, noise)

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item."""
        item, value = self._doors.sorted_access()
        return item, self._change(value)

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return self._change(self._doors.random_access(item))

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self._change(self._positions.value(position))


class FromUniforms:
    """A sampler by inversion of coarse uniforms."""

    kind = "noise-sampler"
    noises = tuple(NoiseKind)

    def __init__(self, uniforms: Callable[[int], list[float]]) -> None:
        """Take what draws the uniforms."""
        self._uniforms = uniforms

    def __call__(self, rate: float, noise: NoiseKind, n: int) -> list[float]:
        """Return n values."""
        law = noise_of(noise, rate)
        return [law.quantile(u) for u in self._uniforms(n)]


def words(n: int) -> list[float]:
    """Return uniforms of 32 bits."""
    drawn: list[float] = ((GENERATOR.integers(1, 2**32, size=n)) / 2**32).tolist()
    return drawn


def doubles(n: int) -> list[float]:
    """Return uniforms of 53 bits."""
    drawn: list[float] = (GENERATOR.integers(1, 2**53, size=n) / 2**53).tolist()
    return drawn


def floats(n: int) -> list[float]:
    """Return uniforms in float32."""
    drawn: list[float] = (1 - GENERATOR.random(n, dtype=np.float32)).astype(np.float64).tolist()
    return [min(u, 1 - 2.0**-24) for u in drawn]


def exponential_floats(rate: float, noise: NoiseKind, n: int) -> list[float]:
    """Return noise whose levels are float32."""
    law = noise_of(noise, rate)
    levels = GENERATOR.standard_exponential(n, dtype=np.float32).astype(np.float64)
    return [law.from_exponential(e) for e in np.maximum(levels, 1e-9).tolist()]


exponential_floats.kind = "noise-sampler"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ours", "requirement"),
    [
        (rank_free_oracle, OracleRepresentation()),
        (online_oracle, OracleRepresentation()),
        (full_noise_list, OracleRepresentation()),
        (order_statistics, OrderStatisticsRepresentation()),
        (noise_sampler, SamplerRepresentation()),
        (FromUniforms(doubles), SamplerRepresentation()),
    ],
)
def test_doubles_are_accepted(ours: object, requirement: Requirement) -> None:
    """Our noise, and inversion of 53-bit uniforms, have the resolution of doubles."""
    case = run_case(ours, requirement)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("change", CHANGES)
def test_coarse_values_are_killed(change: Change) -> None:
    """Float32 and grids, binary and decimal, fail in every kind of subject."""
    assert (
        run_case(CoarseSampler(change), SamplerRepresentation(), budget=4).verdict
        is CaseVerdict.FAIL
    )
    assert (
        run_case(CoarseOracle(change), OracleRepresentation(), budget=4).verdict is CaseVerdict.FAIL
    )
    order = OrderStatisticsRepresentation()
    assert (
        run_case(CoarseOracle(change), order, kind=order.kind, budget=4).verdict is CaseVerdict.FAIL
    )


@pytest.mark.parametrize("wrong", [FromUniforms(words), FromUniforms(floats), exponential_floats])
def test_coarse_uniforms_are_killed(wrong: object) -> None:
    """Values in double precision from 32-bit uniforms or float32 uniforms fail."""
    assert run_case(wrong, SamplerRepresentation(), budget=4).verdict is CaseVerdict.FAIL


def test_uneven_grid_is_killed_by_repetitions() -> None:
    """A grid that is neither binary nor decimal is found by values that come twice."""
    subject = CoarseSampler(lambda z: round(z * 31415927) / 31415927)
    case = run_case(subject, SamplerRepresentation())
    assert case.verdict is CaseVerdict.FAIL
    assert "equal values" in case.message


def test_float32_up_to_rounding() -> None:
    """A number near a float32 counts as one, and a double between two does not."""
    numbers = np.array([0.1, float32(0.1), float32(0.1) * (1 + 2.0**-50), math.inf])
    assert is_float32(numbers).tolist() == [False, True, True, False]


def test_few_digits() -> None:
    """Ten digits are few, seventeen are not."""
    assert [has_few_digits(x) for x in (0.1234567891, 1.5, 0.1 + 0.2)] == [True, True, False]


def test_signs_of_a_float32() -> None:
    """The share of values that are float32 shows in the trailing bits."""
    shown = signs([float32(0.3), 0.3 + 1e-16, 0.1 / 3, math.pi], NoiseKind.GUMBEL)
    assert shown == dict(zip(SIGNS, (0.25, 0.0, 0.0, 0.0, 0.0), strict=True))
