"""Tests of the questions to z3."""

from fractions import Fraction

import pytest
import z3

from privtopk.spec.proofs.gate.registry import CheckFailed
from privtopk.spec.proofs.instruments.solver import (
    decide,
    expect_impossible,
    expect_possible,
    rational,
)

X = z3.Real("x")


def test_constraints_are_decided() -> None:
    """Some real number has the square 2, and none has the square -1."""
    assert (decide(X * X == 2), decide(X * X == -1)) == (z3.sat, z3.unsat)


def test_a_violation_is_refused() -> None:
    """A statement that can be violated fails with the violation in its message."""
    expect_impossible([X > 1], X < 1)
    with pytest.raises(CheckFailed, match=r"^x < 2: sat$"):
        expect_impossible([X > 1], X < 2)


def test_a_control_without_counterexample_is_refused() -> None:
    """A control that no numbers satisfy fails."""
    expect_possible([X > 1], X < 2)
    with pytest.raises(CheckFailed, match=r"^x < 1: unsat$"):
        expect_possible([X > 1], X < 1)


def test_a_fraction_is_exact() -> None:
    """A third is the number whose triple is 1."""
    assert decide(rational(Fraction(1, 3)) * 3 != 1) == z3.unsat
