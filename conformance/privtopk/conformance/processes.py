"""Processes below another one: adopting orphans, listing, measuring and ending all of them.

A process that starts a session of its own leaves the group of its parent, but not the tree of
processes: when its parent ends, the nearest ancestor that adopts orphans becomes its parent. So
whoever adopts orphans can end everything that was ever started below it. This needs Linux; on
other systems there is no list, and only process groups are ended.
"""

import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_CHILD_SUBREAPER: Final = 36
"""Numbers of the Linux system call prctl."""

MEBIBYTE: Final = 1 << 20
PATIENCE: Final = 5.0
"""Seconds after which processes that do not end are given up."""

SHARED_FILES: Final = ("/memfd:", "/dev/shm/")
"""Names of open files whose content lies in memory."""


def adopt_orphans() -> None:
    """Make this process the parent of every process below it whose parent ends."""
    _process_control(PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent() -> None:
    """Let the operating system kill this process as soon as its parent has ended."""
    _process_control(PR_SET_PDEATHSIG, signal.SIGKILL)


def hide_memory() -> None:
    """Keep other processes of the same user from reading or changing the memory of this one."""
    _process_control(PR_SET_DUMPABLE, 0)


def _process_control(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Return all processes below one, parents first; those that have ended are left out."""
    found: list[int] = []
    waiting = _children(pid)
    while waiting:
        child = waiting.pop()
        if _is_running(child):
            found.append(child)
        waiting += _children(child)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def end_descendants(pid: int) -> None:
    """Kill all processes below one, and those that they start meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = descendants(pid)
        if not found:
            return
        for one in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        time.sleep(0.001)


def used_memory(pids: Iterable[int]) -> int:
    """Return the bytes of memory that processes use: their own, and shared memory.

    Shared memory counts once more for each process that has mapped it; shared files that nobody
    has mapped count once.
    """
    own = shared = 0
    files: dict[tuple[int, int], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = _status_fields(pid)
            own += fields.get("RssAnon", 0)
            shared += fields.get("RssShmem", 0)
            files |= _shared_files(pid)
    return own + max(shared, sum(files.values()))


def _status_fields(pid: int) -> dict[str, int]:
    """Return the fields of /proc/PID/status that are given in kB, in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    words = [line.split() for line in lines if line.endswith(" kB")]
    return {name.rstrip(":"): 1024 * int(number) for name, number, _ in words}


def _shared_files(pid: int) -> dict[tuple[int, int], int]:
    """Return the bytes in memory of the open files that lie there, by device and number."""
    found: dict[tuple[int, int], int] = {}
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(link).startswith(SHARED_FILES):
                file = link.stat()
                found[file.st_dev, file.st_ino] = 512 * file.st_blocks
    return found


def limit_memory(mebibytes: int) -> None:
    """Limit the memory that this process, and each that it starts, can take from now on.

    Only private writable memory counts. Address space does not: the runtimes of other languages
    reserve hundreds of mebibytes of it that they never use.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (writable_memory() + mebibytes * MEBIBYTE, hard))


def writable_memory() -> int:
    """Return the bytes of writable memory that this process has taken so far."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0
