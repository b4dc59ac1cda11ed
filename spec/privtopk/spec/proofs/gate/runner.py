"""Running tasks in parallel, each in a process of its own that can be killed.

The processes are forked from a server that has imported the solvers and the checks but has run
none of them. So a process starts quickly, and no state passes from task to task. If a worker dies
or exceeds its deadline, its task has failed.
"""

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess

from privtopk.spec.proofs.gate.task import Outcome, Task, perform

SOLVERS = ["crosshair.core_and_libs", "z3", "sympy", "flint"]
"""What the server imports before it forks the first worker, besides the modules of the tasks."""

Progress = Callable[[int, int, Iterable[str]], None]
"""Called with the numbers of finished and of all tasks, and the names of the running ones."""


@dataclass(frozen=True, slots=True)
class _Running:
    """A task in its process."""

    task: Task
    process: ForkServerProcess
    started: float

    @property
    def remaining(self) -> float:
        """Seconds until the deadline."""
        return self.started + self.task.deadline - time.monotonic()

    def failure(self, reason: str) -> Outcome:
        """Return the outcome of a task whose worker sent none."""
        seconds = time.monotonic() - self.started
        return Outcome(self.task.name, self.task.kind, False, "failed", reason, seconds)

    def kill(self) -> None:
        """End the process and all processes that it has started."""
        if self.process.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


def run(
    tasks: Iterable[Task], jobs: int | None = None, progress: Progress | None = None
) -> dict[str, Outcome]:
    """Run all tasks, the longest first, and return their outcomes in the order of names."""
    waiting = sorted(tasks, key=lambda task: (task.seconds, task.name))
    total = len(waiting)
    running: dict[Connection, _Running] = {}
    outcomes: dict[str, Outcome] = {}
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*SOLVERS, *sorted({task.module for task in waiting} - {""})])
    try:
        while waiting or running:
            while waiting and len(running) < (jobs or os.cpu_count() or 1):
                connection, started = _start(context, waiting.pop())
                running[connection] = started
            if progress:
                progress(len(outcomes), total, [each.task.name for each in running.values()])
            for connection, outcome in _wait_for_outcomes(running):
                outcomes[outcome.name] = outcome
                del running[connection]
    finally:
        for each in running.values():
            each.kill()
    if progress:
        progress(total, total, [])
    return dict(sorted(outcomes.items()))


def _start(context: ForkServerContext, task: Task) -> tuple[Connection, _Running]:
    """Start a task in a new process."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(task, theirs), daemon=True)
    process.start()
    theirs.close()
    return ours, _Running(task, process, time.monotonic())


def _work(task: Task, connection: Connection) -> None:
    """Perform a task in a worker process; its output is dropped."""
    os.setsid()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        outcome = perform(task)
    connection.send(outcome)


def _wait_for_outcomes(running: dict[Connection, _Running]) -> list[tuple[Connection, Outcome]]:
    """Wait until a task ends or exceeds its deadline; return the outcomes."""
    patience = max(0.0, min(each.remaining for each in running.values()))
    ready = wait(list(running), timeout=patience)
    finished: list[tuple[Connection, Outcome]] = []
    for connection, each in running.items():
        if connection in ready:
            finished.append((connection, _receive_outcome(connection, each)))
        elif each.remaining <= 0:
            finished.append((connection, each.failure(f"no end within {each.task.deadline:.0f} s")))
        else:
            continue
        each.kill()
        connection.close()
    return finished


def _receive_outcome(connection: Connection, each: _Running) -> Outcome:
    """Return what a worker sent; if it sent nothing, it has crashed."""
    try:
        outcome = connection.recv()
    except (EOFError, OSError):
        each.process.join(timeout=1.0)
        return each.failure(f"the worker died with exit code {each.process.exitcode}")
    if not isinstance(outcome, Outcome) or outcome.name != each.task.name:
        return each.failure("the worker sent something other than its outcome")
    return outcome


def terminal_progress(finished: int, total: int, names: Iterable[str]) -> None:
    """Print one line that overwrites the last one, and an empty line at the end."""
    line = "" if finished == total else f"{finished}/{total}  {'  '.join(sorted(names))}"
    print(f"\r\x1b[K{line[:99]}", end="", file=sys.stderr, flush=True)
