"""Tests of the replay of counterexamples in plain Python."""

from collections.abc import Callable
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.replay import Replay, replay, replay_here
from privtopk.spec.proofs.gate.theorem import Theorem, theorem_of

SOURCE = '''
import sys
from dataclasses import dataclass
from enum import Enum

class Door(Enum):
    SORTED = 1

@dataclass(frozen=True)
class Entry:
    item: int
    values: tuple[int, int]

def is_good(x: int) -> bool:
    """Decide whether x is good."""
    return 10 // x > 0

def thm_it(x: int, entry: Entry, door: Door = Door.SORTED, *, k: int = 1) -> bool:
    """It is so.

    Claim: a
    pre: is_good(x)
    post: _
    """
    if k == 5:
        raise ValueError("five")
    return entry.values[0] != x or door is not Door.SORTED

def thm_plain(x: int) -> bool:
    """CrossHair is not here.

    Claim: a
    post: _
    """
    return "crosshair" in sys.modules
'''


Writer = Callable[..., ModuleType]


@pytest.fixture
def theorem(write_module: Writer) -> Theorem:
    """Return a theorem with arguments of many kinds."""
    return theorem_of(write_module(SOURCE).thm_it)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("thm_it(2, Entry(1, (2, 0)), Door.SORTED)", Replay(True, "returns False")),
        ("thm_it(2, entry=Entry(item=1, values=(2, 0)))", Replay(True, "returns False")),
        ("thm_it(2, Entry(1, (3, 0)), k=5)", Replay(True, "raises ValueError: five")),
        ("thm_it(2, Entry(1, (v1:=3, v1)))", Replay(False, "returns True")),
        (
            "thm_it(20, Entry(1, (20, 0)))",
            Replay(False, "does not meet the precondition is_good(x)"),
        ),
        (
            "thm_it(0, Entry(1, (0, 0)))",
            Replay(
                False,
                "breaks the precondition is_good(x): "
                "ZeroDivisionError: integer division or modulo by zero",
            ),
        ),
        (
            "thm_it(Unknown())",
            Replay(False, "cannot be evaluated: NameError: name 'Unknown' is not defined"),
        ),
        (
            "thm_it(2)",
            Replay(False, "cannot be evaluated: TypeError: missing a required argument: 'entry'"),
        ),
        ("is_good(2)", Replay(False, "is not a call of the theorem")),
    ],
)
def test_a_call_is_replayed(theorem: Theorem, call: str, expected: Replay) -> None:
    """A call refutes if it meets the preconditions and then returns false or raises."""
    assert replay_here(theorem, call) == expected


def test_a_replay_has_a_process_of_its_own(write_module: Writer) -> None:
    """A replay runs where CrossHair was never imported."""
    theorem = theorem_of(write_module(SOURCE).thm_plain)
    assert replay(theorem, "thm_plain(1)") == Replay(True, "returns False")


def test_a_crash_is_no_refutation(write_module: Writer) -> None:
    """A process that dies refutes nothing."""
    source = SOURCE.replace('raise ValueError("five")', "import os; os._exit(7)")
    theorem = theorem_of(write_module(source).thm_it)
    assert replay(theorem, "thm_it(2, Entry(1, (3, 0)), k=5)") == Replay(False, "crashes: ")
