"""Facts about keepers: what a child can reach, what it may take, and how everything of it ends."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.wire.support_processes import is_alive, wait_until
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.calls import Caller, SubjectError
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.conformance.wire.remote import session_of

MODULE = """
import atexit, json, mmap, os, random, sys, time
import numpy as np

FILE = {file!r}

def tell(fact):
    with open(FILE, "w") as file:
        json.dump(fact, file)

def descriptors(scores, question):
    listed = os.listdir("/proc/self/fd")
    tell(sorted(int(name) for name in listed if os.path.exists("/proc/self/fd/" + name)))
    return [1]

def reads_the_input(scores, question):
    tell([sys.stdin.read(), os.read(0, 10).decode()])
    return [1]

def prints(scores, question):
    print('{{"type":"items","items":[2],"seq":2}}', flush=True)
    os.write(1, b'{{"type":"items","items":[2],"seq":2}}\\n')
    os.system('echo from a command')
    return [1]

def detaches(scores, question):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            tell(os.getpid())
            time.sleep(60)
        os._exit(0)
    while not os.path.exists(FILE):
        time.sleep(0.01)
    return [1]

def detaches_and_dies(scores, question):
    detaches(scores, question)
    os._exit(9)

def prints_much_and_dies(scores, question):
    for _ in range(1000):
        print("x" * 10_000)
    print("the end", flush=True)
    os._exit(9)

def stays_at_exit(scores, question):
    tell(os.getpid())
    atexit.register(time.sleep, 60)
    return [1]

def modules(scores, question):
    tell([name for name in sys.modules if "wrong_subjects" in name or name == "__main__"])
    return [1]

def seeds(scores, question):
    return [1 + int(np.random.randint(2 ** 30)), 1 + random.randrange(2 ** 30)]
"""


@pytest.fixture
def fact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file to which the subjects of the module `kept_subjects` write."""
    file = tmp_path / "fact.json"
    (tmp_path / "kept_subjects.py").write_text(MODULE.format(file=str(file)))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield file
    for name in ("detaches", "stays_at_exit"):
        session_of(origin(name)).close()


def origin(name: str) -> ChildOrigin:
    """Return the origin of a subject of the module."""
    return ChildOrigin(f"python:kept_subjects:{name}")


def select_with(name: str, m: int = 3, k: int = 1) -> list[int]:
    """Let a subject of the module select."""
    doors, _ = open_doors(SparseScoreList(m, {}))
    subject = subject_at(origin(name).address)
    return list(Caller(10.0)(subject.select, doors, Question(k, 1.0)))


def test_a_subject_has_its_streams_and_the_protocol_only(fact: Path) -> None:
    """No descriptor of the harness but the two of the protocol is open in a subject's process."""
    select_with("descriptors")
    assert len(json.loads(fact.read_text())) == 5


def test_a_subject_cannot_read_the_protocol_by_accident(fact: Path) -> None:
    """The standard input of a subject is empty."""
    select_with("reads_the_input")
    assert json.loads(fact.read_text()) == ["", ""]


@pytest.mark.usefixtures("fact")
def test_what_a_subject_prints_is_not_the_protocol() -> None:
    """A subject and the commands it runs may print what they like, also messages."""
    assert select_with("prints") == [1]


@pytest.mark.usefixtures("fact")
def test_only_the_end_of_what_a_subject_prints_is_kept() -> None:
    """Ten megabytes of output neither block the subject nor reach the error."""
    with pytest.raises(SubjectError) as caught:
        select_with("prints_much_and_dies")
    start = "ended with exit code 9 (it had printed: xxx"
    assert str(caught.value).startswith(start)
    assert str(caught.value).endswith("xxx the end) and gave no answer")
    assert len(str(caught.value)) < 500


def test_a_detached_process_ends_with_its_subject(fact: Path) -> None:
    """A process in a session of its own lives as long as the subject, and no longer."""
    assert select_with("detaches") == [1]
    number = json.loads(fact.read_text())
    assert is_alive(number)
    session_of(origin("detaches")).close()
    assert not is_alive(number)


def test_a_detached_process_does_not_survive_a_subject_that_dies(fact: Path) -> None:
    """What a subject leaves behind when it dies is ended."""
    with pytest.raises(SubjectError, match=r"^ended with exit code 9 and gave no answer$"):
        select_with("detaches_and_dies")
    number = json.loads(fact.read_text())
    assert wait_until(lambda: not is_alive(number))


def test_a_subject_that_stays_at_its_exit_is_ended(fact: Path) -> None:
    """A handler that never returns cannot keep a process alive."""
    assert select_with("stays_at_exit") == [1]
    session_of(origin("stays_at_exit")).close()
    assert not is_alive(json.loads(fact.read_text()))


def test_a_subject_finds_no_other_subject(fact: Path) -> None:
    """The process of a subject was not forked from one that has loaded another subject."""
    subject_at("python:wrong_subjects:right")
    select_with("modules")
    assert json.loads(fact.read_text()) == ["__main__"]


@pytest.mark.usefixtures("fact")
def test_two_processes_of_a_subject_draw_different_numbers() -> None:
    """The global generators of Python and NumPy are not copies of each other after a fork."""
    drawn = []
    for _ in range(2):
        drawn.append(select_with("seeds", 2**31, 2))
        session_of(origin("seeds")).close()
    assert drawn[0][0] != drawn[1][0]
    assert drawn[0][1] != drawn[1][1]


@pytest.mark.parametrize("name", ["EatsSharedMemory", "EatsMemoryFiles"])
def test_memory_that_is_not_private_is_limited_too(name: str) -> None:
    """A subject that takes shared memory, or fills files in memory, is ended."""
    address = f"python:privtopk.conformance.mutants.hostile.exceeding:{name}"
    with GuardedExecutor(1, 60.0, 300) as workers:
        plan = RunPlan(only=("selector.shape",), call_seconds=30.0)
        (case,) = run(address, plan, executor=workers).cases
    text = "the subject was ended because it used too much memory and gave no answer"
    assert (case.verdict, case.message) == ("fail", text)


def test_this_process_is_not_the_subject_s(fact: Path) -> None:
    """A subject does not run in the process of the caller."""
    assert select_with("stays_at_exit") == [1]
    assert json.loads(fact.read_text()) != os.getpid()
