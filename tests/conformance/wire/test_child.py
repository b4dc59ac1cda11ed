"""Facts about child processes: lines in and out, and no process left behind."""

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from conformance.wire.support_processes import is_alive, wait_until
from privtopk.conformance.running.workers import GuardedExecutor, WorkerError
from privtopk.conformance.wire.child import Child
from privtopk.conformance.wire.faults import LONGEST_COMMAND, ProtocolError, reproduction_command
from privtopk.conformance.wire.origin import ChildOrigin


def address_of(program: str) -> str:
    """Return the address of a Python program without the harness."""
    return "stdio:" + shlex.join([sys.executable, "-I", "-c", program])


ECHO = address_of("import sys; [print(l, end='') for l in sys.stdin]")
ONCE = address_of("import sys; print(sys.stdin.readline(), end='')")
DEAF = address_of("import time; time.sleep(60)")


def test_a_long_line_goes_through() -> None:
    """A line longer than a pipe holds arrives whole, both ways."""
    child = Child(ChildOrigin(ONCE))
    line = b"x" * 300_000 + b"\n"
    child.send(line, 5.0)
    assert child.receive(5.0) == line
    child.end()


@pytest.mark.slow
def test_a_very_long_line_is_read_in_time() -> None:
    """The time to read a line grows with its length, not with the square of it."""
    child = Child(ChildOrigin(address_of("print('x' * 60_000_000)")))
    started = time.monotonic()
    assert len(child.receive(30.0)) == 60_000_001
    child.end()
    assert time.monotonic() - started < 10


def test_a_line_without_end_is_given_up() -> None:
    """A line that exceeds the limit is called so, and is not kept in memory to its end."""
    child = Child(ChildOrigin(address_of("while True: print('x' * 1_000_000, end='')")))
    with pytest.raises(ProtocolError, match=r"^the child sent a line of more than 67108864 bytes"):
        child.receive(30.0)
    child.kill()


def test_a_child_that_does_not_read_is_given_up() -> None:
    """A full pipe does not block the harness forever."""
    child = Child(ChildOrigin(DEAF))
    with pytest.raises(ProtocolError, match=r"^the child did not read its input for 0\.1 s$"):
        child.send(b"x" * 300_000, 0.1)
    child.kill()


def test_a_child_ends_with_its_input() -> None:
    """A child that follows the protocol ends by itself."""
    child = Child(ChildOrigin(ECHO))
    started = time.monotonic()
    child.end()
    assert time.monotonic() - started < 0.9


def test_a_child_that_stays_is_ended() -> None:
    """A child that does not end with its input is killed."""
    child = Child(ChildOrigin(DEAF))
    number = child.process_number
    child.end()
    assert not is_alive(number)


def start_child_and_hang(where: str) -> None:
    """Start a child that ignores its input, write its process id to a file, and never return."""
    child = Child(ChildOrigin(DEAF))
    Path(where).write_text(str(child.process_number))
    time.sleep(60)


def test_a_child_dies_with_its_worker(tmp_path: Path) -> None:
    """Ending a worker that hangs ends the child that it started."""
    where = tmp_path / "number"
    with GuardedExecutor(1, 2.0, 512) as workers, pytest.raises(WorkerError):
        workers.submit(start_child_and_hang, str(where)).result()
    number = int(where.read_text())
    assert wait_until(lambda: not is_alive(number))
    assert os.getpid() != number


def processors() -> list[set[int]]:
    """Return the processors of this process and of a child."""
    child = Child(ChildOrigin(ECHO))
    found = [os.sched_getaffinity(0), os.sched_getaffinity(child.process_number)]
    child.end()
    return found


def test_a_worker_shares_a_processor_with_its_child() -> None:
    """Worker and child stay on one processor; a process that is no worker is not changed."""
    everywhere = os.sched_getaffinity(0)
    with GuardedExecutor(1, 10.0, 512) as workers:
        own, child = workers.submit(processors).result()
    assert own == child
    assert len(own) == 1
    assert processors() == [everywhere, everywhere]


def test_a_command_too_long_to_paste_is_not_shown() -> None:
    """A command that is too long for a shell is not printed."""
    assert reproduction_command("./adapter", [b"{}\n"]) == "printf '%s\\n' '{}' | ./adapter"
    assert reproduction_command("./adapter", [b"x" * LONGEST_COMMAND]) == ""
