"""Tests of tasks: what a worker does and returns."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.coq import CoqTheorem
from privtopk.spec.proofs.gate.registry import Method, supports
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.task import (
    Outcome,
    Task,
    TaskKind,
    bug_task,
    check_task,
    coq_tasks,
    perform,
    theorem_task,
)
from privtopk.spec.proofs.gate.theorem import theorem_of

SOURCE = '''
from privtopk.spec.proofs.gate.registry import Method, expect, supports

@supports("a", method=Method.EXACT)
def passes() -> str:
    """It is so."""
    return "seen"

@supports("a", method=Method.EXACT)
def fails() -> str:
    """It is not so."""
    expect(False, "got 3")
    return "seen"

@supports("a", method=Method.EXACT)
def breaks() -> str:
    """It is broken."""
    raise KeyError("three")

def thm_holds(x: int) -> bool:
    """It is so.

    Claim: a
    post: _
    """
    return x == x

def refuted_holds(x: int) -> bool:
    """It is so.

    Claim: a
    post: _
    """
    return x == x
'''


Writer = Callable[..., ModuleType]


@pytest.mark.parametrize(
    ("function", "kind", "is_success", "finding", "evidence"),
    [
        ("passes", TaskKind.CHECK, True, "passed", "seen"),
        ("fails", TaskKind.CHECK, False, "failed", "got 3"),
        ("breaks", TaskKind.CHECK, False, "failed", "raised KeyError: 'three'"),
        ("thm_holds", TaskKind.THEOREM, True, "confirmed", "all 1 paths"),
        ("refuted_holds", TaskKind.THEOREM, False, "confirmed", "all 1 paths"),
    ],
)
def test_a_task_has_an_outcome(
    write_module: Writer,
    function: str,
    kind: TaskKind,
    is_success: bool,
    finding: str,
    evidence: str,
) -> None:
    """A check passes, fails or breaks; a theorem is judged by its policy."""
    module = write_module(SOURCE).__name__
    outcome = perform(Task("it", kind, 1.0, 9.0, module, function))
    assert replace(outcome, seconds=0.0) == Outcome("it", kind, is_success, finding, evidence)


def test_a_bug_that_is_not_applied_survives() -> None:
    """A bug whose text is not found is a failed task."""
    bug = SeededBug("it", "no such text", "", ("model.access.thm_it",), "model.access")
    evidence = "it: the text to change must occur once in model.access, got 0"
    outcome = replace(perform(bug_task(bug)), seconds=0.0)
    assert outcome == Outcome("it", TaskKind.BUG, False, "survived", evidence)


@pytest.fixture
def without_coqc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the programs on the path."""
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.mark.usefixtures("without_coqc")
def test_coq_theorems_without_coqc_are_not_run() -> None:
    """A Coq file that cannot be compiled here is reported with its theorems, and fails nothing."""
    theorems = [CoqTheorem(Path("box.v"), name, ("a",), "It is so.") for name in ("one", "two")]
    (task,) = coq_tasks(theorems)
    names = ("coq.box.one", "coq.box.two")
    assert replace(perform(task), seconds=0.0) == Outcome(
        "coq.box", TaskKind.COQ, True, "not run", "not run: coqc not found", theorems=names
    )


@pytest.mark.usefixtures("without_coqc")
def test_a_bug_of_a_coq_file_without_coqc_is_not_run() -> None:
    """A bug that cannot be seeded here is neither killed nor a survivor."""
    bug = SeededBug("it", "k", "k.-1", ("coq.threshold.any",), "proofs.coq.threshold")
    outcome = replace(perform(bug_task(bug)), seconds=0.0)
    assert outcome == Outcome("it", TaskKind.BUG, True, "not run", "not run: coqc not found")


def seen() -> str:
    """It is so."""
    return "seen"


def test_a_slow_check_starts_early() -> None:
    """A slow check is expected to take longer, and may take longer."""
    slow = check_task(supports("a", method=Method.EXACT, is_slow=True)(seen))
    fast = check_task(supports("a", method=Method.EXACT)(seen))
    assert (slow.seconds > fast.seconds, slow.deadline > fast.deadline) == (True, True)


def test_a_search_starts_early(write_module: Writer) -> None:
    """A search is expected to spend its whole budget."""
    module = write_module(SOURCE.replace("refuted_holds", "search_holds"))
    assert theorem_task(theorem_of(module.search_holds)).seconds == 3.0
