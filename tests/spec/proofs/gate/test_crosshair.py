"""Tests of the CrossHair gate: what it accepts and, above all, what it does not."""

from collections.abc import Callable
from types import ModuleType
from typing import Protocol

import pytest

from privtopk.spec.proofs.gate.crosshair import Finding, Verdict, is_accepted, judge
from privtopk.spec.proofs.gate.theorem import theorem_of

SOURCE = '''
import sys
from dataclasses import dataclass
from enum import Enum

class Door(Enum):
    SORTED = 1
    RANDOM = 2

@dataclass(frozen=True, slots=True)
class Entry:
    item: int
    value: int

class Box:
    calls = 0

def never(x: int) -> bool:
    """No x is unequal to itself."""
    return x != x

def raises_at_three(x: int) -> bool:
    """Decide in a way that fails for x = 3."""
    return 1 // (x - 3) != 7

def {name}{signature} -> bool:
    """It is so.

    Claim: a
    Seconds: 2
    {contract}
    """
    {body}
'''


Writer = Callable[..., ModuleType]


class Judge(Protocol):
    """Judge a theorem made of a body and a contract."""

    def __call__(
        self,
        body: str,
        contract: str = "post: _",
        name: str = "thm_it",
        signature: str = "(x: int)",
    ) -> tuple[Verdict, bool]:
        """Return the verdict, and whether the gate accepts it."""


@pytest.fixture
def judged(write_module: Writer) -> Judge:
    """Return a function that writes a theorem and judges it."""

    def judge_it(
        body: str,
        contract: str = "post: _",
        name: str = "thm_it",
        signature: str = "(x: int)",
    ) -> tuple[Verdict, bool]:
        lines = contract.replace("|", "\n    ")
        module = write_module(
            SOURCE.format(name=name, signature=signature, contract=lines, body=body)
        )
        theorem = theorem_of(getattr(module, name))
        verdict = judge(theorem)
        return verdict, is_accepted(theorem, verdict)

    return judge_it


def test_a_true_theorem_is_confirmed(judged: Judge) -> None:
    """A theorem that holds on every path is confirmed and accepted."""
    verdict = Verdict(Finding.CONFIRMED, "all 2 paths")
    assert judged("return x > 3 or x <= 3") == (verdict, True)


def test_a_confirmed_search_is_accepted(judged: Judge) -> None:
    """A search that ends early is confirmed, and accepted."""
    verdict = Verdict(Finding.CONFIRMED, "all 2 paths")
    assert judged("return x > 3 or x <= 3", name="search_it") == (verdict, True)


@pytest.mark.slow
def test_a_search_that_finds_nothing_is_accepted(judged: Judge) -> None:
    """A search that is not exhausted is searched only, and accepted."""
    verdict, is_ok = judged("return len({x, 0}) <= 2", name="search_it")
    assert (verdict.finding, is_ok) == (Finding.SEARCHED, True)


@pytest.mark.slow
def test_a_theorem_that_is_only_searched_is_not_accepted(judged: Judge) -> None:
    """A theorem must be confirmed; not refuted is not enough."""
    verdict, is_ok = judged("return len({x, 0}) <= 2")
    assert (verdict.finding, is_ok) == (Finding.SEARCHED, False)


def test_a_refuted_theorem_is_not_accepted(judged: Judge) -> None:
    """A theorem with a counterexample is refuted and not accepted."""
    verdict = Verdict(Finding.REFUTED, "thm_it(77) returns False")
    assert judged("return x != 77") == (verdict, False)


def test_a_refuted_search_is_not_accepted(judged: Judge) -> None:
    """A search that finds a counterexample is refuted and not accepted."""
    verdict = Verdict(Finding.REFUTED, "search_it(77) returns False")
    assert judged("return x != 77", name="search_it") == (verdict, False)


def test_a_raising_theorem_is_refuted(judged: Judge) -> None:
    """An exception is a counterexample, whatever its message says."""
    raising = 'if x == 77: raise ValueError("when calling f(1)")\n    return True'
    verdict = Verdict(Finding.REFUTED, "thm_it(77) raises ValueError: when calling f(1)")
    assert judged(raising) == (verdict, False)


def test_an_expected_refutation_is_accepted(judged: Judge) -> None:
    """A wrong statement that is refuted, and replays, is accepted."""
    verdict = Verdict(Finding.REFUTED, "refuted_it(77) returns False")
    assert judged("return x != 77", name="refuted_it") == (verdict, True)


def test_arguments_of_every_kind_replay(judged: Judge) -> None:
    """Tuples, dataclasses, enumerations and keywords survive the printed call."""
    verdict = Verdict(
        Finding.REFUTED, "refuted_it((4, 9), Entry(0, 4), Door.RANDOM, k=6) returns False"
    )
    assert judged(
        "return not (x == (4, 9) and e.value == 4 and e.item == 0 and d is Door.RANDOM and k == 6)",
        name="refuted_it",
        signature="(x: tuple[int, int], e: Entry, d: Door, *, k: int)",
    ) == (verdict, True)


def test_a_wrong_statement_that_is_confirmed_is_not_accepted(judged: Judge) -> None:
    """A statement that must be refuted and is confirmed fails the gate."""
    verdict = Verdict(Finding.CONFIRMED, "all 2 paths")
    assert judged("return x > 3 or x <= 3", name="refuted_it") == (verdict, False)


@pytest.mark.parametrize("name", ["thm_it", "search_it", "refuted_it"])
@pytest.mark.parametrize(
    ("body", "contract", "evidence"),
    [
        ("return True", "post: _|post: _", "a theorem needs exactly one `post: _`, got 2"),
        ("return False", "pre: x > 0", "a theorem needs exactly one `post: _`, got 0"),
        (
            "return 1 // x != 7",
            "raises: ZeroDivisionError|post: _",
            "only `pre: ...` and `post: _` are allowed, got `raises: ZeroDivisionError`",
        ),
        (
            "return False",
            "pre: never(x)|post: _",
            "pre_unsat: Unable to meet precondition.",
        ),
        (
            "return x != 3",
            "pre: raises_at_three(x)|post: _",
            "precondition raises_at_three(x) raised ZeroDivisionError",
        ),
        (
            "return x != 3",
            "pre: unknown(x)|post: _",
            "precondition unknown(x) raised NameError",
        ),
        ("return False", "pre: x >|post: _", "CrossHair does not read one condition from it"),
        (
            "Box.calls += 1\n    return x > 3 or x < 4 if Box.calls % 2 else x == 3 or x != 3",
            "post: _",
            "exec_err: NotDeterministic: Found a different execution paths "
            "after making the same decisions",
        ),
    ],
    ids=["two-posts", "no-post", "excuse", "vacuous", "raises", "unknown", "syntax", "random"],
)
def test_a_doubtful_theorem_fails_under_every_policy(
    judged: Judge, name: str, body: str, contract: str, evidence: str
) -> None:
    """Every doubtful verdict of CrossHair is a failure, even if a refutation is expected."""
    assert judged(body, contract, name) == (Verdict(Finding.FAILED, evidence), False)


@pytest.mark.parametrize("name", ["thm_it", "refuted_it"])
def test_a_refutation_must_replay(judged: Judge, name: str) -> None:
    """A counterexample that does not fail in plain Python is a failure, not a refutation."""
    verdict = Verdict(Finding.FAILED, f"the counterexample does not replay: {name}(0) returns True")
    assert judged('return "crosshair" not in sys.modules', name=name) == (verdict, False)


def test_a_directive_cannot_switch_a_theorem_off(judged: Judge) -> None:
    """A comment in the source does not weaken the analysis."""
    verdict = Verdict(Finding.REFUTED, "thm_it(77) returns False")
    assert judged("# crosshair: off\n    return x != 77") == (verdict, False)
