"""Tests of the runner: whatever a worker does, a task without an outcome has failed."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.runner import run, terminal_progress
from privtopk.spec.proofs.gate.task import Outcome, Task, TaskKind

SOURCE = '''
import os
import threading
from privtopk.spec.proofs.gate.registry import Method, supports

STATE = []

@supports("a", method=Method.EXACT)
def counts() -> str:
    """It counts its own calls."""
    STATE.append(1)
    print("chatter")
    return f"{len(STATE)} calls"

@supports("a", method=Method.EXACT)
def hangs() -> str:
    """It waits for ever."""
    threading.Event().wait()
    return "done"

@supports("a", method=Method.EXACT)
def dies() -> str:
    """It ends its process."""
    os._exit(3)

def thm_hangs(x: int) -> bool:
    """It waits for ever.

    Claim: a
    post: _
    """
    while True:
        pass
'''


Writer = Callable[..., ModuleType]


@pytest.fixture
def module(write_module: Writer) -> str:
    """Return the name of a module of checks that behave badly."""
    return write_module(SOURCE).__name__


def outcomes(*tasks: Task, jobs: int = 2) -> list[Outcome]:
    """Return the outcomes of tasks, without the times."""
    return [replace(outcome, seconds=0.0) for outcome in run(tasks, jobs).values()]


def failed(name: str, evidence: str, kind: TaskKind = TaskKind.CHECK) -> Outcome:
    """Return a failed outcome."""
    return Outcome(name, kind, False, "failed", evidence)


@pytest.mark.slow
def test_tasks_share_no_state(module: str) -> None:
    """Every task starts afresh, and the outcomes come in the order of names."""
    tasks = [Task(name, TaskKind.CHECK, 1.0, 60.0, module, "counts") for name in ("b", "a", "c")]
    expected = [
        Outcome(name, TaskKind.CHECK, True, "passed", "1 calls") for name in ("a", "b", "c")
    ]
    assert outcomes(*tasks) == expected


@pytest.mark.slow
def test_a_hang_fails(module: str) -> None:
    """A task that does not end is killed at its deadline and has failed; others go on."""
    assert outcomes(
        Task("hang", TaskKind.CHECK, 2.0, 2.0, module, "hangs"),
        Task("other", TaskKind.CHECK, 1.0, 60.0, module, "counts"),
        jobs=1,
    ) == [
        failed("hang", "no end within 2 s"),
        Outcome("other", TaskKind.CHECK, True, "passed", "1 calls"),
    ]


@pytest.mark.slow
def test_a_theorem_that_hangs_fails(module: str) -> None:
    """A loop that CrossHair cannot leave is killed at its deadline."""
    task = Task("hang", TaskKind.THEOREM, 2.0, 5.0, module, "thm_hangs")
    assert outcomes(task) == [failed("hang", "no end within 5 s", TaskKind.THEOREM)]


@pytest.mark.slow
def test_a_crash_fails(module: str) -> None:
    """A worker that dies has failed its task."""
    task = Task("crash", TaskKind.CHECK, 1.0, 60.0, module, "dies")
    assert outcomes(task) == [failed("crash", "the worker died with exit code 3")]


@pytest.mark.slow
def test_a_module_that_is_missing_fails() -> None:
    """A task that cannot be imported has failed."""
    task = Task("it", TaskKind.CHECK, 1.0, 60.0, "no_such_module", "it")
    evidence = "raised ModuleNotFoundError: No module named 'no_such_module'"
    assert outcomes(task) == [failed("it", evidence)]


@pytest.mark.slow
def test_longest_first(module: str) -> None:
    """Tasks start in the order of their expected duration, the longest first."""
    seen: list[str] = []

    def note(finished: int, total: int, names: Iterable[str]) -> None:
        seen.extend(names)

    tasks = [Task(f"t{n}", TaskKind.CHECK, n, 60.0, module, "counts") for n in (1.0, 3.0, 2.0)]
    run(tasks, 1, note)
    assert seen == ["t3.0", "t2.0", "t1.0"]


def test_progress_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The progress line says how many tasks are done and which are running."""
    terminal_progress(3, 9, ["b", "a"])
    assert capsys.readouterr().err == "\r\x1b[K3/9  a  b"


def test_progress_ends_empty(capsys: pytest.CaptureFixture[str]) -> None:
    """The progress line is cleared at the end."""
    terminal_progress(9, 9, [])
    assert capsys.readouterr().err == "\r\x1b[K"
