"""Facts about the Gauss-Legendre rule."""

import math

import numpy as np
import pytest
from scipy import integrate

from privtopk.spec.laws.quadrature import RULE, integral, legendre_rule
from privtopk.spec.model.errors import Reason
from support import refusal


@pytest.mark.parametrize("nodes", [1, 2, 5, 16, 33])
def test_rule_is_that_of_numpy(nodes: int) -> None:
    """Nodes and weights agree with numpy's."""
    x, weights = np.polynomial.legendre.leggauss(nodes)
    rule = np.array(legendre_rule(nodes))
    assert rule[::-1, 0] == pytest.approx(x, abs=1e-15)
    assert rule[::-1, 1] == pytest.approx(weights, rel=1e-13)


def test_rule_is_exact_for_polynomials() -> None:
    """Sixteen nodes integrate x^30 over (-1, 1) to 2/31."""
    assert math.fsum(w * x**30 for x, w in RULE) == pytest.approx(2 / 31, rel=1e-13)


def test_double_exponential_integrand() -> None:
    """A Gumbel density on panels of width 1 is integrated to 14 digits."""
    assert integral(lambda x: math.exp(-x - math.exp(-x)), -4, 40, 1) == pytest.approx(
        math.exp(-math.exp(-40)) - math.exp(-math.exp(4)), rel=1e-14
    )


def test_agrees_with_scipy() -> None:
    """A smooth integrand without closed form agrees with scipy's adaptive rule."""
    expected, _ = integrate.quad(lambda x: math.exp(-x * x) * math.cos(x), 0, 3, epsabs=1e-14)
    assert integral(lambda x: math.exp(-x * x) * math.cos(x), 0, 3, 1) == pytest.approx(
        expected, rel=1e-13
    )


def test_empty_interval() -> None:
    """The integral over a point is 0."""
    assert integral(math.exp, 2, 2, 1) == 0


@pytest.mark.parametrize(
    ("low", "high", "width", "given"),
    [
        (1, 0, 1, "1, 0 and 1"),
        (0, math.inf, 1, "0, inf and 1"),
        (0, 1, 0, "0, 1 and 0"),
    ],
)
def test_bad_intervals_are_refused(low: float, high: float, width: float, given: str) -> None:
    """The interval must be finite and ordered, and the panels must have a width."""
    assert refusal(lambda: integral(math.exp, low, high, width)) == (
        Reason.NOT_AN_INTERVAL,
        f"low <= high must be finite and panel_width positive, got {given}",
    )


def test_zero_nodes_are_refused() -> None:
    """A rule has at least one node."""
    assert refusal(lambda: legendre_rule(0)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "nodes must be at least 1, got 0",
    )
