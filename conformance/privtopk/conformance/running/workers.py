"""Processes that run pieces of a test and can be ended one by one.

An executor like those of `concurrent.futures`, with one difference: if a call hangs or kills its
process, only that call fails. Each thread owns one child process. It ends the child if a piece
exceeds its deadline, and starts a new one if the child has died; the future of that piece then
raises. What the subject prints goes to a file; the error repeats the end of it.
"""

import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from privtopk.conformance.processes import (
    adopt_orphans,
    end_descendants,
    hide_memory,
    limit_memory,
)
from privtopk.conformance.processor import become_worker
from privtopk.conformance.wire.nursery import fork_nursery
from privtopk.conformance.wire.remote import close_sessions

Answer = TypeVar("Answer")

LAST_WORDS: Final = 400
"""The report repeats at most this many of the last characters that a dead process printed."""

GRACE: Final = 2.0
"""Seconds that a process has to end by itself, with the children that it talks to."""

PRELOADED: Final = ["privtopk.conformance.running.tasks"]
"""What the fork server imports once, for all processes."""


class WorkerError(Exception):
    """The process of a piece died, or had to be ended."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        """Take how it ended, and the seconds that the piece had run."""
        super().__init__(message)
        self.seconds = seconds


@dataclass(slots=True)
class _Child:
    """A process, the pipe to it, and the file it prints to."""

    process: BaseProcess
    pipe: Connection
    printed: Path

    def dismiss(self) -> None:
        """Close the pipe, so that the process can end by itself, and end it if it does not."""
        self.pipe.close()
        self.process.join(GRACE)
        self.end()

    def end(self) -> str:
        """End the process and all that it has started, and return what it printed last."""
        assert self.process.pid is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.process.is_alive():
                # A process that is stopped starts no others, and still adopts orphans.
                os.kill(self.process.pid, signal.SIGSTOP)
                end_descendants(self.process.pid)
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        words = self._last_words()
        self.printed.unlink(missing_ok=True)
        return words

    def _last_words(self) -> str:
        """Return the end of what the process printed, in one line; the rest is not read."""
        with self.printed.open("rb") as printed:
            printed.seek(max(0, printed.seek(0, os.SEEK_END) - 8 * LAST_WORDS))
            text = printed.read().decode(errors="replace")
        return " ".join(text.split())[-LAST_WORDS:]


@dataclass(slots=True)
class _Children:
    """The children of all threads, so that shutdown can end them."""

    mebibytes: int
    own: threading.local = field(default_factory=threading.local)
    by_pid: dict[int, _Child] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def current_child(self) -> _Child:
        """Return the child of this thread, started if there is none."""
        child: _Child | None = getattr(self.own, "child", None)
        if child is None:
            self.own.child = child = start_child(self.mebibytes, self._number())
            self.by_pid[child.process.pid or 0] = child
        return child

    def _number(self) -> int:
        """Return the number of this thread, which all its children share."""
        if not hasattr(self.own, "number"):
            self.own.number = next(self.numbers)
        number: int = self.own.number
        return number

    def drop(self) -> str:
        """End the child of this thread and return what it printed last."""
        child: _Child = self.own.child
        self.own.child = None
        is_ours = self.by_pid.pop(child.process.pid or 0, None) is not None
        return child.end() if is_ours else ""

    def take_all(self) -> list[_Child]:
        """Return the children of all threads; from now on the caller ends them."""
        taken = [self.by_pid.pop(pid, None) for pid in list(self.by_pid)]
        return [child for child in taken if child is not None]


@dataclass(slots=True)
class GuardedExecutor(Executor):
    """Runs calls in child processes that may hang or die."""

    def __init__(self, jobs: int, seconds: float, mebibytes: int) -> None:
        """Take the number of processes, the deadline of a call and the memory of a process."""
        self._seconds = seconds
        self._children = _Children(mebibytes)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="privtopk-worker")

    def submit(
        self, function: Callable[..., Answer], /, *arguments: Any, **named: Any
    ) -> Future[Answer]:
        """Run a call in a child; its future raises `WorkerError` if the child fails."""
        return self._threads.submit(self._run, function, arguments, named)

    def _run(self, function: Callable[..., Answer], arguments: Any, named: Any) -> Answer:
        child = self._children.current_child()
        started = time.perf_counter()
        try:
            child.pipe.send((function, arguments, named))
            if not child.pipe.poll(self._seconds):
                self._children.drop()
                raise WorkerError(
                    f"the process did not finish within {self._seconds:g} s and was ended",
                    self._seconds,
                )
            is_answer, answer = child.pipe.recv()
        except (EOFError, OSError) as error:
            child.process.join(1)
            code = child.process.exitcode
            printed = self._children.drop()
            seconds = time.perf_counter() - started
            raise WorkerError(death_notice(code, printed), seconds) from error
        if not is_answer:
            raise answer
        found: Answer = answer
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all children."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for child in self._children.take_all():
            child.dismiss()

    def abort(self) -> None:
        """End all children at once, whatever they do; no call runs any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for child in self._children.take_all():
            child.end()


def death_notice(code: int | None, printed: str) -> str:
    """Return how a process ended, in one line."""
    if code is None:
        how = "stopped answering"
    elif code < 0:
        how = f"was ended by signal {-code}"
    else:
        how = f"ended with exit code {code}"
    return f"the process {how}" + (f"; it had printed: {printed}" if printed else "")


def start_child(mebibytes: int, number: int) -> _Child:
    """Start a process that waits for calls; its number decides on which processor it runs."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    ours, theirs = context.Pipe()
    descriptor, printed = tempfile.mkstemp(prefix="privtopk-")
    os.close(descriptor)
    with contextlib.ExitStack() as stack:
        stack.callback(theirs.close)
        process = context.Process(
            target=serve,
            args=(theirs, printed, mebibytes, number, sys.path),
            daemon=True,
        )
        process.start()
    return _Child(process, ours, Path(printed))


def serve(pipe: Connection, printed: str, mebibytes: int, number: int, path: list[str]) -> None:
    """Answer calls until the pipe closes."""
    os.setpgrp()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    become_worker(number)
    sys.path[:] = path
    redirect(printed)
    adopt_orphans()
    fork_nursery(mebibytes)
    hide_memory()
    limit_memory(mebibytes)
    while True:
        try:
            function, arguments, named = pipe.recv()
        except EOFError:
            close_sessions()
            return
        try:
            answer = True, function(*arguments, **named)
        except Exception as error:
            answer = False, error
        pipe.send(answer)


def redirect(printed: str) -> None:
    """Send what this process prints to a file, so that it reaches no report by accident."""
    with contextlib.suppress(OSError):
        target = os.open(printed, os.O_WRONLY | os.O_APPEND)
        os.dup2(target, 1)
        os.dup2(target, 2)
