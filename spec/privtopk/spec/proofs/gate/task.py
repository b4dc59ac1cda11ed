"""Tasks and outcomes: what is handed to a worker process, and what comes back.

A task has the name of its function, so that the worker imports it afresh. An outcome is plain
text, so that no object of CrossHair or z3 is sent between processes.
"""

import importlib
import time
from dataclasses import dataclass
from enum import StrEnum

from privtopk.spec.proofs.gate import mutation
from privtopk.spec.proofs.gate.registry import Check, CheckFailed
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.theorem import Theorem, theorem_of


class TaskKind(StrEnum):
    """What a task runs."""

    CHECK = "check"
    THEOREM = "theorem"
    BUG = "bug"


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of work for one process."""

    name: str
    kind: TaskKind

    seconds: float
    """A rough estimate of the duration; long tasks start first."""

    deadline: float
    """Seconds of wall time after which the process is killed and the task counts as failed."""

    module: str = ""
    function: str = ""
    bug: SeededBug | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a task."""

    name: str
    kind: TaskKind
    is_success: bool

    finding: str
    """One word: passed, confirmed, searched, refuted, killed, survived or failed."""

    evidence: str
    seconds: float = 0.0


def check_task(check: Check) -> Task:
    """Return the task that runs a check."""
    seconds, deadline = (8.0, 300.0) if check.is_slow else (0.5, 100.0)
    function = check.function
    return Task(
        check.name, TaskKind.CHECK, seconds, deadline, function.__module__, function.__name__
    )


def theorem_task(theorem: Theorem) -> Task:
    """Return the task that judges a theorem."""
    function = theorem.function
    return Task(
        theorem.name,
        TaskKind.THEOREM,
        seconds=theorem.seconds if theorem.is_slow else 2.0,
        deadline=100.0 + 4 * theorem.seconds,
        module=function.__module__,
        function=function.__name__,
    )


def bug_task(bug: SeededBug) -> Task:
    """Return the task that seeds a bug and runs its killers."""
    deadline = 20.0 + mutation.TIMEOUT * len(bug.killers)
    return Task(bug.name, TaskKind.BUG, 1.0 * len(bug.killers), deadline, bug=bug)


def perform(task: Task) -> Outcome:
    """Run a task in this process; any error is a failed outcome."""
    start = time.monotonic()
    try:
        is_success, finding, evidence = _perform(task)
    except Exception as error:
        is_success, finding = False, "failed"
        evidence = f"raised {type(error).__name__}: {error}"
    seconds = time.monotonic() - start
    return Outcome(task.name, task.kind, is_success, finding, evidence, seconds)


def _perform(task: Task) -> tuple[bool, str, str]:
    """Return success, finding and evidence of a task."""
    if task.bug is not None:
        kill = mutation.seed(task.bug)
        return kill.is_killed, "killed" if kill.is_killed else "survived", kill.account
    target = getattr(importlib.import_module(task.module), task.function)
    if isinstance(target, Check):
        return _run_check(target)
    from privtopk.spec.proofs.gate import crosshair as gate

    theorem = theorem_of(target)
    verdict = gate.judge(theorem)
    return gate.is_accepted(theorem, verdict), verdict.finding.value, verdict.evidence


def _run_check(check: Check) -> tuple[bool, str, str]:
    try:
        return True, "passed", check()
    except CheckFailed as failure:
        return False, "failed", str(failure)
