"""A process that starts children: it has loaded our modules, and nothing of a test or a subject.

To start a Python interpreter and to import the modules of an adapter takes a second; to fork a
process that has done so takes milliseconds. A worker forks its nursery before its first task, so
that no child inherits a score, a seed or another subject. Any other process starts a fresh
interpreter for it. A nursery forks one keeper per child and has nothing else to do.
"""

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any, Final

from privtopk.conformance.processes import adopt_orphans, descendants, end_descendants
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.wire.keeper import close_descriptors, keep

DESCRIPTORS: Final = 4
"""The child's input and output, the pipe for its end, and the pipe that the judge keeps open."""

PROGRAM: Final = """
import sys
sys.path[:] = {path!r}
from privtopk.conformance.wire import adapter, nursery
nursery.serve({descriptor})
"""


class Nursery:
    """The judge's end of a nursery."""

    def __init__(self, control: socket.socket, mebibytes: int | None) -> None:
        """Take the socket to it, and the memory limit of its children."""
        self.owner = os.getpid()
        self._control = control
        self.mebibytes = mebibytes

    def start(self, request: dict[str, Any], descriptors: Sequence[int]) -> None:
        """Start a child with its ends of four pipes; raise an OSError if the nursery has ended."""
        whole = {**request, "mebibytes": self.mebibytes, "processors": processors()}
        socket.send_fds(self._control, [json.dumps(whole).encode() + b"\n"], [*descriptors])
        if self._control.recv(1) != b"\n":
            raise BrokenPipeError("the nursery has ended")

    def close(self) -> None:
        """Let it end; its keepers end with the pipes that this process holds."""
        self._control.close()


def processors() -> list[int] | None:
    """Return the processors on which this process may run, if the system tells them."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


class _ThisProcess:
    """The nursery of this process."""

    nursery: Nursery | None = None
    mebibytes: int | None = None
    """The memory limit of all children, also of those of a second nursery."""

    lock = threading.Lock()


def fork_nursery(mebibytes: int) -> None:
    """Give this process a nursery that is a copy of it; to be called before there is any task."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        serve(theirs.detach())
    theirs.close()
    _ThisProcess.nursery, _ThisProcess.mebibytes = Nursery(ours, mebibytes), mebibytes


def current_nursery() -> Nursery:
    """Return the nursery of this process; start one in a fresh interpreter if there is none."""
    with _ThisProcess.lock:
        found = _ThisProcess.nursery
        if found is None or found.owner != os.getpid():
            _ThisProcess.nursery = found = _spawned_nursery()
        return found


def request_child(request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Start a child with its ends of four pipes.

    An earlier subject may have killed the nursery. That must not count against this one, so that
    another nursery is tried.
    """
    try:
        current_nursery().start(request, descriptors)
    except OSError:
        forget_nursery()
        start_in_second_nursery(request, descriptors)


def start_in_second_nursery(request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Start a child; if that fails again, no verdict on the subject is possible."""
    try:
        current_nursery().start(request, descriptors)
    except OSError as error:
        forget_nursery()
        raise AdapterError("the process that starts subjects has ended") from error


def forget_nursery() -> None:
    """Start another nursery for the next child, because this one has ended."""
    _ThisProcess.nursery = None


def _spawned_nursery() -> Nursery:
    ours, theirs = socket.socketpair()
    program = PROGRAM.format(path=sys.path, descriptor=theirs.fileno())
    process = subprocess.Popen(
        [sys.executable, "-c", program], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
    )
    theirs.close()
    found = Nursery(ours, _ThisProcess.mebibytes)

    def end() -> None:
        if os.getpid() == found.owner:
            found.close()
            process.wait()

    atexit.register(end)
    return found


def serve(descriptor: int) -> None:
    """Fork a keeper for every request, until the judge closes the socket; never return."""
    keepers: set[int] = set()

    def reap(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                keepers.discard(ended)
        # A process that is not a keeper has lost its keeper, which ends after all others.
        for stray in set(descendants(os.getpid())) - trees(keepers):
            with contextlib.suppress(ProcessLookupError):
                os.kill(stray, signal.SIGKILL)

    close_descriptors({0, 1, 2, descriptor})
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, reap)
    control = socket.socket(fileno=descriptor)
    with contextlib.suppress(OSError):
        while (received := receive_request(control)) is not None:
            # Until a keeper is listed, `reap` would take it for a stray.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            keepers.add(fork_keeper(*received))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            control.sendall(b"\n")
    end_descendants(os.getpid())
    os._exit(0)


def trees(keepers: set[int]) -> set[int]:
    """Return keepers and all processes below them."""
    return keepers.union(*(descendants(keeper) for keeper in keepers))


def receive_request(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return the next request with its descriptors, or None at the end."""
    text, descriptors, _, _ = socket.recv_fds(control, 1 << 16, DESCRIPTORS)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    while text and not text.endswith(b"\n"):
        text += control.recv(1 << 16)
    return (json.loads(text), descriptors) if text else None


def fork_keeper(request: dict[str, Any], descriptors: Sequence[int]) -> int:
    """Fork the keeper of one child and return its process id."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        close_descriptors({0, 1, 2, *descriptors})
        keep(request, *descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid
