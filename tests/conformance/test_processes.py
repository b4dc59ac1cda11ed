"""Facts about the processes below another one: listed, measured and ended, whatever they do."""

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.wire.support_processes import is_alive, wait_until
from privtopk.conformance.processes import descendants, end_descendants, used_memory

DETACHED = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(sys.argv[1], "w").write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
time.sleep(60)
"""
ADOPTING = "from privtopk.conformance.processes import adopt_orphans; adopt_orphans()\n"


def start_detached(where: Path, adopting: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start a process that detaches another one as a daemon does, and return both."""
    process = subprocess.Popen([sys.executable, "-c", adopting + DETACHED, str(where)])
    assert wait_until(lambda: where.exists() and where.read_text() != "")
    return process, int(where.read_text())


def test_a_process_that_adopts_orphans_has_them_below(tmp_path: Path) -> None:
    """A daemon stays below a process that adopts orphans, and ends with all others there."""
    process, daemon = start_detached(tmp_path / "number", ADOPTING)
    assert wait_until(lambda: descendants(process.pid) == [daemon])
    end_descendants(process.pid)
    assert not is_alive(daemon)
    process.kill()
    process.wait()


def test_without_adoption_a_daemon_escapes(tmp_path: Path) -> None:
    """A daemon of a process that adopts no orphans is not found below it."""
    process, daemon = start_detached(tmp_path / "number", "")
    assert wait_until(lambda: descendants(process.pid) == [])
    assert is_alive(daemon)
    os.kill(daemon, 9)
    process.kill()
    process.wait()


@pytest.mark.parametrize("kind", ["own", "shared", "file"])
def test_memory_of_every_kind_is_measured(kind: str) -> None:
    """Private memory, shared memory, and files in memory that nobody has mapped all count."""
    size = 1 << 25
    before = used_memory([os.getpid()])
    if kind == "file":
        file = os.memfd_create("test")
        os.write(file, b"x" * size)
    else:
        flags = mmap.MAP_PRIVATE if kind == "own" else mmap.MAP_SHARED
        mapped = mmap.mmap(-1, size, flags=flags | mmap.MAP_ANONYMOUS)
        mapped.write(b"x" * size)
    grown = used_memory([os.getpid()]) - before
    if kind == "file":
        os.close(file)
    else:
        mapped.close()
    assert grown >= 0.9 * size


def test_memory_of_a_process_that_has_ended_is_none() -> None:
    """A process that ends while it is measured counts as nothing."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert used_memory([process.pid]) == 0
