"""Facts about worker processes: a call that hangs or dies fails alone."""

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from privtopk.conformance.running.workers import GuardedExecutor, WorkerError


def double(number: int) -> int:
    """Return twice a number."""
    return 2 * number


def fail(message: str) -> None:
    """Raise an error."""
    raise ValueError(message)


def leave(code: int) -> None:
    """End the process."""
    print("last words", flush=True)
    os._exit(code)


def kill_self() -> None:
    """Die by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


def sleep_forever() -> None:
    """Never return, and ignore what is raised meanwhile."""
    while True:
        try:
            time.sleep(60)
        except BaseException:
            continue


def eat_memory() -> int:
    """Request more memory than the limit."""
    return len(bytearray(1 << 40))


def reserve_addresses() -> int:
    """Reserve as many addresses, without the right to use them."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    with mmap.mmap(-1, 1 << 40, flags=flags, prot=0) as reserved:
        return len(reserved)


def starve_a_child() -> str:
    """Start a process that requests too much memory, and return its error."""
    command = [sys.executable, "-c", "bytearray(1 << 40)"]
    return subprocess.run(command, capture_output=True, text=True).stderr.split()[-1]


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """Two processes with two seconds per call."""
    with GuardedExecutor(2, 2.0, 512) as executor:
        yield executor


def refusal(workers: GuardedExecutor, *call: object) -> str:
    """Return the error of a call whose worker ended."""
    function, *arguments = call
    with pytest.raises(WorkerError) as caught:
        workers.submit(function, *arguments).result()  # type: ignore[arg-type]
    return str(caught.value)


def test_answers_come_back(workers: GuardedExecutor) -> None:
    """A call in a worker returns its value."""
    assert list(workers.map(double, range(5))) == [0, 2, 4, 6, 8]


def test_errors_come_back(workers: GuardedExecutor) -> None:
    """The future raises the exception of the call."""
    with pytest.raises(ValueError, match="no such thing"):
        workers.submit(fail, "no such thing").result()


def test_a_process_that_ends_is_reported_with_its_last_words(workers: GuardedExecutor) -> None:
    """The error has the exit code of the process and what it printed last."""
    message = refusal(workers, leave, 3)
    assert message == "the process ended with exit code 3; it had printed: last words"


def test_a_process_that_is_killed_is_reported(workers: GuardedExecutor) -> None:
    """The error has the number of the signal that ended the process."""
    assert refusal(workers, kill_self) == "the process was ended by signal 9"


@pytest.mark.slow
def test_a_process_that_hangs_is_ended(workers: GuardedExecutor) -> None:
    """A call that swallows every interruption is ended from outside."""
    with pytest.raises(WorkerError, match="did not finish within 2 s and was ended") as caught:
        workers.submit(sleep_forever).result()
    assert caught.value.seconds == 2.0


def test_memory_is_limited(workers: GuardedExecutor) -> None:
    """A call that asks for too much memory fails."""
    with pytest.raises(MemoryError):
        workers.submit(eat_memory).result()


def test_the_memory_of_what_a_process_starts_is_limited(workers: GuardedExecutor) -> None:
    """A process that a worker starts has the same memory limit."""
    assert workers.submit(starve_a_child).result() == "MemoryError"


def test_addresses_are_not_limited(workers: GuardedExecutor) -> None:
    """A runtime may reserve addresses that it does not use."""
    assert workers.submit(reserve_addresses).result() == 1 << 40


def test_the_others_go_on(workers: GuardedExecutor) -> None:
    """A dead process is replaced for the next call."""
    assert workers.submit(double, 21).result() == 42
