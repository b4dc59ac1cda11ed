"""Questions to z3 about whether real numbers can satisfy given constraints."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import z3

from privtopk.spec.proofs.gate.registry import expect

TIMEOUT: Final = 20_000
"""Milliseconds after which z3 gives up with `unknown`."""


def decide(*constraints: z3.BoolRef) -> z3.CheckSatResult:
    """Return `sat` if some numbers satisfy all constraints and `unsat` if none do."""
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT)
    solver.add(*constraints)
    return solver.check()


def expect_impossible(facts: Sequence[z3.BoolRef], violation: z3.BoolRef) -> None:
    """Refuse unless no numbers satisfy the facts and the violation."""
    found = decide(*facts, violation)
    expect(found == z3.unsat, f"{violation}: {found}")


def expect_possible(facts: Sequence[z3.BoolRef], control: z3.BoolRef) -> None:
    """Refuse unless some numbers satisfy the facts and the control."""
    found = decide(*facts, control)
    expect(found == z3.sat, f"{control}: {found}")


def rational(value: Fraction) -> z3.RatNumRef:
    """Return a fraction as a constant of z3."""
    return z3.RealVal(str(value))
