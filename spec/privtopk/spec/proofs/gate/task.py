"""Tasks and outcomes: what is handed to a worker process, and what comes back.

A task has the name of its function, so that the worker imports it afresh. An outcome is plain
text, so that no object of CrossHair or z3 is sent between processes.
"""

import importlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from privtopk.spec.proofs.gate import mutation
from privtopk.spec.proofs.gate.coq import CoqFinding, CoqTheorem, judge_coq, missing_compiler
from privtopk.spec.proofs.gate.registry import Check, CheckFailed
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.theorem import Theorem, theorem_of


class TaskKind(StrEnum):
    """What a task runs."""

    CHECK = "check"
    THEOREM = "theorem"
    COQ = "coq"
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
    coq: tuple[CoqTheorem, ...] = ()
    bug: SeededBug | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a task."""

    name: str
    kind: TaskKind
    is_success: bool

    finding: str
    """passed, confirmed, searched, refuted, proved, killed, survived, failed or not run."""

    evidence: str
    seconds: float = 0.0

    theorems: tuple[str, ...] = ()
    """The names of the Coq theorems of a file that was compiled."""

    axioms: tuple[str, ...] = ()
    """The axioms on which they rest."""

    @property
    def is_missing(self) -> bool:
        """Whether nothing was run, because the program that it needs is not installed."""
        return self.finding == CoqFinding.NOT_RUN


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


def coq_tasks(theorems: Iterable[CoqTheorem]) -> tuple[Task, ...]:
    """Return one task per Coq file, which compiles it once for all of its theorems."""
    files = groupby(sorted(theorems, key=lambda each: each.file), key=lambda each: each.file)
    return tuple(
        Task(f"coq.{file.stem}", TaskKind.COQ, 8.0, deadline=600.0, coq=tuple(group))
        for file, group in files
    )


def bug_task(bug: SeededBug) -> Task:
    """Return the task that seeds a bug and runs its killers."""
    deadline = 20.0 + mutation.TIMEOUT * len(bug.killers)
    return Task(bug.name, TaskKind.BUG, 1.0 * len(bug.killers), deadline, bug=bug)


def perform(task: Task) -> Outcome:
    """Run a task in this process; any error is a failed outcome."""
    start = time.monotonic()
    try:
        outcome = _perform(task)
    except Exception as error:
        evidence = f"raised {type(error).__name__}: {error}"
        outcome = Outcome(task.name, task.kind, False, "failed", evidence)
    return replace(outcome, seconds=time.monotonic() - start)


def _perform(task: Task) -> Outcome:
    """Return the outcome of a task, without its duration."""
    if task.bug is not None:
        return Outcome(task.name, task.kind, *_seed(task.bug))
    if task.coq:
        return _compile(task)
    target = getattr(importlib.import_module(task.module), task.function)
    if isinstance(target, Check):
        return Outcome(task.name, task.kind, *_run_check(target))
    from privtopk.spec.proofs.gate import crosshair as gate

    theorem = theorem_of(target)
    verdict = gate.judge(theorem)
    is_accepted = gate.is_accepted(theorem, verdict)
    return Outcome(task.name, task.kind, is_accepted, verdict.finding.value, verdict.evidence)


def _compile(task: Task) -> Outcome:
    """Return the outcome of the theorems of a Coq file."""
    found = judge_coq(task.coq)
    is_success = found.finding in (CoqFinding.PROVED, CoqFinding.NOT_RUN)
    names = tuple(theorem.name for theorem in task.coq)
    return Outcome(
        task.name,
        task.kind,
        is_success,
        found.finding.value,
        found.evidence,
        theorems=names,
        axioms=found.axioms,
    )


def _seed(bug: SeededBug) -> tuple[bool, str, str]:
    """Return success, finding and evidence of a seeded bug."""
    if bug.is_coq and (missing := missing_compiler()):
        return True, CoqFinding.NOT_RUN.value, missing
    kill = mutation.seed(bug)
    return kill.is_killed, "killed" if kill.is_killed else "survived", kill.account


def _run_check(check: Check) -> tuple[bool, str, str]:
    try:
        return True, "passed", check()
    except CheckFailed as failure:
        return False, "failed", str(failure)
