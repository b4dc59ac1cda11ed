"""Facts about nurseries: a child starts as its caller would, and nothing outlives a murder."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.wire.support_processes import is_alive, wait_until
from conformance.wire.test_child import DEAF, address_of
from privtopk.conformance.processes import descendants
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.wire.child import Child
from privtopk.conformance.wire.nursery import Nursery, current_nursery, forget_nursery
from privtopk.conformance.wire.origin import ChildOrigin

FORKING = "import os, time; os.fork(); os.setsid() if os.getppid() else 0; time.sleep(60)"


@pytest.fixture
def child() -> Iterator[Child]:
    """A child that does nothing for a minute."""
    made = Child(ChildOrigin(DEAF))
    yield made
    made.kill()


def parent_of(pid: int) -> int:
    """Return the parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_environment_and_folder_are_those_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child sees the variables and the folder that its caller has when it starts it."""
    current_nursery()
    monkeypatch.setenv("PRIVTOPK_TEST", "seen")
    monkeypatch.chdir(tmp_path)
    program = "import os; print(os.environ['PRIVTOPK_TEST'], os.getcwd())"
    child = Child(ChildOrigin(address_of(program)))
    assert child.receive(10.0).decode() == f"seen {tmp_path}\n"
    child.end()


def test_one_nursery_serves_all_children(child: Child) -> None:
    """The grandparents of two children are one process."""
    other = Child(ChildOrigin(DEAF))
    numbers = [parent_of(parent_of(one.process_number)) for one in (child, other)]
    other.kill()
    assert numbers[0] == numbers[1]
    assert numbers[0] in descendants(os.getpid())


def test_a_child_whose_keeper_is_killed_ends(child: Child) -> None:
    """A child that kills its keeper, and what it has started, are ended by the nursery."""
    forking = Child(ChildOrigin(address_of(FORKING)))
    number = forking.process_number
    assert wait_until(lambda: len(descendants(number)) == 1)
    below = [number, *descendants(number)]
    os.kill(parent_of(number), signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_alive, below)))
    forking.kill()
    assert is_alive(child.process_number)


def test_a_nursery_that_is_killed_is_replaced(child: Child) -> None:
    """The next child has a new nursery, and no keeper of the old one stays."""
    number = child.process_number
    os.kill(parent_of(parent_of(number)), signal.SIGKILL)
    other = Child(ChildOrigin(DEAF))
    assert is_alive(other.process_number)
    other.kill()
    child.kill()
    assert wait_until(lambda: not is_alive(number))


def kill_the_judge() -> None:
    """Start a child in this process and kill the process."""
    child = Child(ChildOrigin(DEAF))
    print(child.process_number, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_child_does_not_survive_its_judge() -> None:
    """If the judge is killed, its children end."""
    with GuardedExecutor(1, 20.0, 512) as workers:
        notice = str(workers.submit(kill_the_judge).exception())
    start, _, number = notice.rpartition(" ")
    assert start == "the process was ended by signal 9; it had printed:"
    assert wait_until(lambda: not is_alive(int(number)))


def test_two_nurseries_that_end_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a second nursery does not start a child either, there is no verdict on a subject."""

    def fail(nursery: Nursery, request: object, descriptors: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(Nursery, "start", fail)
    with pytest.raises(AdapterError, match=r"^the process that starts subjects has ended$"):
        Child(ChildOrigin(DEAF))


def limit_after_a_kill() -> int | None:
    """Let a worker lose its nursery, and return the memory limit of the next one."""
    forget_nursery()
    return current_nursery().mebibytes


def test_a_second_nursery_has_the_memory_limit_of_the_first() -> None:
    """A subject that kills the nursery does not escape its limit."""
    with GuardedExecutor(1, 20.0, 512) as workers:
        assert workers.submit(limit_after_a_kill).result() == 512


def test_a_forgotten_nursery_is_started_again() -> None:
    """A process has one nursery at a time."""
    first = current_nursery()
    assert current_nursery() is first
    forget_nursery()
    assert current_nursery() is not first
    first.close()
