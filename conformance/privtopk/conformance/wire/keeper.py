"""The parent of one child: it starts the child, watches it, and ends all that the child started.

A keeper adopts the orphans below it. When the child ends, uses too much memory, or is no longer
wanted, the keeper kills every process that is left, whatever session that has started, and then
reports how the child ended. It also reads what the child prints and keeps the end of it, so that
no file grows and no pipe fills. The judge holds one end of a pipe, the lease: when the judge
closes it, or dies, the keeper ends the child.
"""

import atexit
import contextlib
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection
from typing import Any, Final, NoReturn

from privtopk.conformance.processes import (
    MEBIBYTE,
    adopt_orphans,
    descendants,
    end_descendants,
    end_with_parent,
    limit_memory,
    used_memory,
)
from privtopk.conformance.subjects.kinds import Kind

PAGE: Final = 1 << 16
INTERVAL: Final = 0.1
"""Seconds between two measurements of memory."""

KEPT: Final = 4096
"""The last bytes of what a child prints that are kept."""

LAST_WORDS: Final = 400
"""The last characters of them that a report repeats."""

NOT_STARTED: Final = 127
"""The exit code of a child whose command does not exist, as in a shell."""


def keep(request: dict[str, Any], stdin: int, stdout: int, status: int, lease: int) -> NoReturn:
    """Start a child, watch it until it ends or its lease does, and end all that it has started."""
    os.setsid()
    adopt_orphans()
    if request["processors"] is not None:
        os.sched_setaffinity(0, request["processors"])
    printed, prints = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(lease)
        become_child(request, stdin, stdout, prints, status)
    for descriptor in (stdin, stdout, prints):
        os.close(descriptor)
    tell(status, pid=pid)
    watch = Watch(pid, printed, lease, request["mebibytes"])
    watch.wait()
    end_descendants(os.getpid())
    # Until it is reaped, its number belongs to no other process.
    os.kill(pid, signal.SIGKILL)
    watch.read_to_the_end()
    code = exit_code(pid)
    tell(status, code=code, printed=watch.last_words(), exceeded=watch.has_exceeded_memory)
    os._exit(0)


class Watch:
    """What a keeper sees of its child."""

    def __init__(self, pid: int, source: int, lease: int, mebibytes: int | None) -> None:
        """Take the child, the pipe to which it prints, the lease and the memory limit."""
        self.printed = b""
        self.has_exceeded_memory = False
        self._source, self._lease = source, lease
        self._mebibytes = mebibytes
        self._first_memory = used_memory([pid])
        self._measured = time.monotonic()
        os.set_blocking(source, False)
        # Without such a descriptor, a child has ended when it has closed what it prints to.
        self._child = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else source
        self._poll = select.poll()
        for descriptor in {source, lease, self._child}:
            self._poll.register(descriptor, select.POLLIN)

    def wait(self) -> None:
        """Return when the child has ended, uses too much memory, or is no longer wanted."""
        while not self.has_exceeded_memory:
            events = dict(self._poll.poll(1000 * INTERVAL))
            is_closed = self._source in events and self.read_page() == b""
            if self._lease in events or (self._child in events and self._child != self._source):
                return
            if is_closed:
                self._poll.unregister(self._source)
                if self._child == self._source:
                    return
            self._measure()

    def read_page(self) -> bytes | None:
        """Read a page of what the child has printed: None if there is none yet, b"" at the end."""
        try:
            page = os.read(self._source, PAGE)
        except BlockingIOError:
            return None
        self.printed = (self.printed + page)[-KEPT:]
        return page

    def read_to_the_end(self) -> None:
        """Read what is left after all processes that could print have ended."""
        while self.read_page():
            pass

    def last_words(self) -> str:
        """Return the end of what the child printed, in one line that a pipe takes as a whole."""
        text = self.printed.decode(errors="backslashreplace")
        return " ".join(text.split())[-LAST_WORDS:]

    def _measure(self) -> None:
        now = time.monotonic()
        if self._mebibytes is None or now < self._measured + INTERVAL:
            return
        used = used_memory(descendants(os.getpid())) - self._first_memory
        self.has_exceeded_memory = used > self._mebibytes * MEBIBYTE
        self._measured = now


def exit_code(pid: int) -> int:
    """Reap all children, and return how one of them ended; a signal is a negative number."""
    code = 0
    with contextlib.suppress(ChildProcessError):
        while True:
            ended, how = os.waitpid(-1, 0)
            if ended == pid:
                code = os.waitstatus_to_exitcode(how)
    return code


def tell(status: int, **fields: Any) -> None:
    """Send the judge a line; it may have gone away."""
    with contextlib.suppress(OSError):
        os.write(status, json.dumps(fields, ensure_ascii=False).encode() + b"\n")


def become_child(
    request: dict[str, Any], stdin: int, stdout: int, prints: int, status: int
) -> NoReturn:
    """Turn this process into the child."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A child that kills its keeper must not go on to kill whoever adopts it.
    end_with_parent()
    os.dup2(prints, 2)
    code = 1
    try:
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        if request["mebibytes"] is not None:
            limit_memory(request["mebibytes"])
        if "words" in request:
            become_command(request["words"], stdin, stdout, status)
        code = serve_subject(request, stdin, stdout)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code & 0xFF)


def become_command(words: list[str], stdin: int, stdout: int, status: int) -> NoReturn:
    """Replace this process by a command."""
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(words[0], words)
    except OSError as error:
        tell(status, failed=str(OSError(error.errno, error.strerror, words[0])))
        os._exit(NOT_STARTED)


def serve_subject(request: dict[str, Any], stdin: int, stdout: int) -> int:
    """Serve a Python subject; what it prints or reads by the usual streams is not the protocol."""
    from privtopk.conformance.wire.adapter import serve_address

    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    close_descriptors({0, 1, 2, stdin, stdout})
    atexit._clear()
    sys.path[:] = request["path"]
    draw_fresh_seeds()
    kind = Kind(request["kind"]) if request["kind"] else None
    with os.fdopen(stdin, "rb") as input, os.fdopen(stdout, "wb") as output:
        serve_address(request["address"], kind, input, output)
    atexit._run_exitfuncs()
    return 0


def draw_fresh_seeds() -> None:
    """Seed the global generator of NumPy, of which every fork would have the same copy."""
    seed: Callable[[], None] | None = getattr(sys.modules.get("numpy.random"), "seed", None)
    if seed is not None:
        seed()


def close_descriptors(kept: Collection[int]) -> None:
    """Close all descriptors of this process except some."""
    for name in os.listdir("/dev/fd"):
        if int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))
