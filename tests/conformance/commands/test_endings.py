"""Facts about how a command ends: one line, the right exit code, and nothing half-written."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.wire.support_processes import processes_with, wait_until
from privtopk.conformance.commands.cli import main

COMMAND = [sys.executable, "-m", "privtopk.conformance"]
SHAPE = ["--only", "selector.shape", "--quiet"]
RIGHT = "python:wrong_subjects:right"
TESTS = Path(__file__).parents[2]

SLOW = """
import random, time
from privtopk.spec.model.parameters import require_k

def select(scores, question):
    require_k(question.k, scores.size)
    if question.epsilon != 1.0 or question.k == 1:
        time.sleep(30)
    return sorted(random.sample(range(1, scores.size + 1), question.k))
"""


def environment(**changes: str) -> dict[str, str]:
    """Return the environment in which a command finds the subjects of the tests."""
    return {**os.environ, "PYTHONPATH": str(TESTS), **changes}


def run_command(*arguments: str, stdout: int) -> tuple[int, str]:
    """Run a command and return its exit code and what it wrote to its error stream."""
    ended = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(),
        text=True,
        check=False,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )
    return ended.returncode, ended.stderr


def test_a_full_disk_is_one_line_and_2() -> None:
    """If what was found cannot be printed, the command says so and does not return 0."""
    with open("/dev/full", "w") as full:
        ended = run_command("run", RIGHT, *SHAPE, stdout=full.fileno())
    assert ended == (2, "privtopk-conformance: No space left on device\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    """A closed pipe ends the command without a word, as the shell expects."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = run_command("list", stdout=writer)
    os.close(writer)
    assert ended == (141, "")


def test_a_terminal_without_unicode_shows_numbers(tmp_path: Path) -> None:
    """A message with other characters is printed in ASCII, and the verdict is the same."""
    (tmp_path / "umlauts.py").write_text(
        "def select(scores, question):\n    raise ValueError('zu groß für \\x1b[31m Ω')\n"
    )
    command = [*COMMAND, "run", "python:umlauts:select", *SHAPE]
    changes = {"PYTHONIOENCODING": "ascii", "LANG": "C", "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(command, env=environment(**changes), capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")
    text = b"the subject raised ValueError: zu gro\\xdf f\\xfcr \\x1b[31m \\u03a9\n"
    assert text in ended.stdout


def test_import_errors_cannot_write_to_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters and line breaks in the error of an import are escaped or joined."""
    (tmp_path / "colourful.py").write_text("raise ValueError('\\x1b[2Jred\\nalert')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["run", "python:colourful:select", *SHAPE]) == 2
    assert capsys.readouterr().err == (
        "privtopk-conformance: python:colourful:select: cannot import colourful: "
        "ValueError: \\x1b[2Jred alert\n"
    )


def test_a_folder_that_cannot_be_written_is_noticed_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any trial the command says that reports cannot be written, and returns 2."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "reports"
    assert main(["run", RIGHT, *SHAPE, "--reports", str(folder)]) == 2
    printed = capsys.readouterr()
    message = f"privtopk-conformance: {folder}: Not a directory\n"
    assert (printed.out, printed.err) == ("", message)


def test_an_import_that_exits_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A module that exits with the code of success when it is imported does not succeed."""
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["run", "python:leaving:select", *SHAPE]) == 2
    assert capsys.readouterr().err == (
        "privtopk-conformance: python:leaving:select: cannot import leaving: SystemExit: 0\n"
    )


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_known(tmp_path: Path) -> None:
    """Ctrl-C ends a run soon, without a traceback, with reports, and leaves no process."""
    (tmp_path / "slow.py").write_text(SLOW)
    word = f"privtopk-test-{os.getpid()}-{time.monotonic_ns()}"
    command = [*COMMAND, "run", RIGHT, "python:slow:select", *SHAPE, "--timeout", "60"]
    running = subprocess.Popen(
        [*command, "--reports", str(tmp_path / "reports")],
        env=environment(PYTHONPATH=f"{TESTS}:{tmp_path}", PRIVTOPK_WORD=word),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    while "conforms" not in running.stdout.readline():
        assert running.poll() is None
    time.sleep(3)
    started = time.monotonic()
    running.send_signal(signal.SIGINT)
    printed, errors = running.communicate(timeout=30)
    seconds = time.monotonic() - started
    assert running.returncode == 130
    assert errors.splitlines()[-1] == "privtopk-conformance: interrupted"
    assert "Traceback" not in errors
    assert "select is undecided: 1 of 1 requirements could not be tested" in printed
    lines = (tmp_path / "reports" / "conformance.jsonl").read_text().splitlines()
    verdicts = [json.loads(line)["verdict"] for line in lines if '"type": "finding"' in line]
    assert verdicts == ["pass", "error"]
    assert wait_until(lambda: not processes_with(word))
    # Two seconds on a machine that has a processor for it, and in proportion on a busier one.
    assert seconds < 2 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
