"""Facts about how the reports write numbers."""

import math

import pytest

from privtopk.conformance.report.numbers import domain, p_value, seconds, tenth_exponent


@pytest.mark.parametrize(
    ("log", "text"),
    [(0.0, "0.0"), (math.log(1e6), "6.0"), (-1.0, "−0.4"), (-1e-9, "0.0"), (math.inf, "∞")],
)
def test_exponents(log: float, text: str) -> None:
    """Evidence is written as a power of ten, to a tenth."""
    assert tenth_exponent(log) == text


@pytest.mark.parametrize(("time", "text"), [(0.123, "0.12 s"), (9.96, "10.0 s"), (61.0, "61.0 s")])
def test_times(time: float, text: str) -> None:
    """Long times have no hundredths."""
    assert seconds(time) == text


@pytest.mark.parametrize(
    ("p", "text"), [(None, "–"), (0.5, "0.500"), (1e-9, "1e-09"), (0.0, "0e+00")]
)
def test_p_values(p: float | None, text: str) -> None:
    """Small p-values are written with a power of ten."""
    assert p_value(p) == text


@pytest.mark.parametrize(("m", "text"), [(10_000, "10,000"), (2**60, "2^60"), (16, "16")])
def test_domains(m: int, text: str) -> None:
    """Large powers of two are written as powers."""
    assert domain(m) == text
