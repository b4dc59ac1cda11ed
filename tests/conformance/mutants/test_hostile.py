"""Facts about subjects that want to forge a verdict: they get none, and reach nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.wire.support_processes import processes_with, wait_until
from privtopk.conformance.commands.cli import main
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.hostile import exceeding, forging
from privtopk.conformance.mutants.mutant import Mutant
from privtopk.conformance.running.runner import RunPlan, run

ONLY = ["--only", "selector.shape", "--only", "selector.set-law", "--quiet"]

ACCOMPLICE = """
import os, pathlib, pickle, signal, sys, threading, time

MARK = pathlib.Path({mark!r})

class Code(Exception):
    def __reduce__(self):
        return exec, ("import os, pathlib; pathlib.Path({mark!r}).write_text(str(os.getpid()))",)

def exact(scores, question):
    if not 1 <= question.k <= scores.size:
        raise ValueError("k")
    return sorted(item for item, _ in scores.top(question.k))

def pickles(scores, question):
    raise Code("unpickle me")

class PicklesInItsAbilities:
    @property
    def noises(self):
        raise Code("unpickle me")

    def select(self, scores, question):
        return exact(scores, question)

def pickles_everywhere(scores, question):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, pickle.dumps(Code("unpickle me")))
        except OSError:
            pass
    return exact(scores, question)

def ancestors():
    pid = os.getppid()
    while pid > 1:
        yield pid
        stat = pathlib.Path(f"/proc/{{pid}}/stat").read_text()
        pid = int(stat.rpartition(")")[2].split()[1])

def kills_the_judge(scores, question):
    for pid in list(ancestors())[1:3]:
        os.kill(pid, signal.SIGKILL)
    return exact(scores, question)

def replaces_the_judge(scores, question):
    import privtopk.conformance.running.tasks as tasks
    import privtopk.conformance.running.workers as workers
    tasks.perform = workers.serve = lambda *arguments: None
    return exact(scores, question)
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the module `accomplice` writes if its code runs in another process."""
    path = tmp_path / "mark"
    (tmp_path / "accomplice.py").write_text(ACCOMPLICE.format(mark=str(path)))
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("exact", 1),
        ("pickles", 1),
        ("PicklesInItsAbilities", 2),
        ("pickles_everywhere", 1),
        ("kills_the_judge", 2),
        ("replaces_the_judge", 1),
    ],
)
def test_a_forging_subject_never_returns_0(
    name: str, code: int, mark: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A subject without noise is rejected or undecided, and none of its code runs elsewhere."""
    assert main(["run", f"python:accomplice:{name}", *ONLY]) == code
    assert not mark.exists()
    printed = capsys.readouterr()
    assert "conforms" not in printed.out
    assert printed.out or printed.err


def test_in_process_the_report_says_so(
    mark: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A subject that replaces the harness in its process still passes nothing, and is marked."""
    folder = tmp_path / "reports"
    arguments = ["run", "python:accomplice:replaces_the_judge", *ONLY, "--in-process"]
    assert main([*arguments, "--reports", str(folder)]) != 0
    sentence = "It was called in the process of the harness (--in-process), where a subject can "
    texts = [path.read_text() for path in sorted(folder.iterdir())]
    assert [sentence in text for text in [*texts, capsys.readouterr().out]] == [True] * 4
    assert '"is_in_process": true' in texts[1]
    assert "--in-process" in texts[0]
    assert not mark.exists()


@pytest.mark.parametrize("subject", forging.MUTANTS, ids=lambda subject: subject.name)
def test_a_shipped_forger_is_rejected(subject: Mutant) -> None:
    """Every forging mutant fails the requirement that it names."""
    plan = RunPlan(only=(subject.killer,), call_seconds=5.0)
    (case,) = run(subject.address, plan).cases
    assert case.verdict is CaseVerdict.FAIL


@pytest.mark.slow
@pytest.mark.parametrize("subject", exceeding.MUTANTS, ids=lambda subject: subject.name)
def test_a_subject_that_takes_too_much_is_rejected(subject: Mutant) -> None:
    """A mutant that exceeds a limit fails in time, and leaves no process."""
    word = f"privtopk-test-{os.getpid()}-{subject.name}"
    limits = ["--timeout", "2", "--memory", "512", "--quiet"]
    command = [sys.executable, "-m", "privtopk.conformance", "run", subject.address, *limits]
    ended = subprocess.run(
        [*command, "--only", subject.killer],
        env={**os.environ, "PRIVTOPK_WORD": word},
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 1
    assert wait_until(lambda: not processes_with(word))
