"""Facts about the pytest plugin: one file gives one test per requirement."""

import subprocess
import sys
from pathlib import Path

import pytest

FILE = """
from privtopk.conformance.pytest_plugin import conformance_test

test_selection = conformance_test("python:subject:select")
"""

STDIO = """
from privtopk.conformance.pytest_plugin import conformance_test

COMMAND = "stdio:{python} -m privtopk.conformance.wire python:subject:select"
test_selection = conformance_test(COMMAND)
"""

SUBJECT = """
import random

def select(scores, question):
    if not 1 <= question.k <= scores.size:
        raise ValueError("k is out of range")
    return random.sample(range(1, scores.size + 1), question.k)
"""


def run_tests(folder: Path, *arguments: str, file: str = FILE) -> str:
    """Run pytest in a folder with a subject and the one file, and return what it prints."""
    (folder / "subject.py").write_text(SUBJECT)
    (folder / "test_conformance.py").write_text(file)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "-q", *arguments]
    return subprocess.run(
        [*command, "--rootdir", str(folder), "-c", "/dev/null", "--conformance-budget", "0.05"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.mark.slow
def test_each_requirement_is_a_test(tmp_path: Path) -> None:
    """A wrong subject fails one requirement, and skips those that do not concern it."""
    printed = run_tests(tmp_path, "-k", "shape or replay-set or ranked-law")
    assert "FAILED test_conformance.py::test_selection[selector.shape]" in printed
    assert "SKIPPED" in printed
    assert "the subject returns no ranked lists" in printed
    assert "without reading its score" in printed


@pytest.mark.slow
@pytest.mark.parametrize("option", ["", "--conformance-in-process"])
def test_a_subject_runs_in_a_process_of_its_own(tmp_path: Path, option: str) -> None:
    """A failure can be replayed in the place where the subject ran: its own process by default."""
    printed = run_tests(tmp_path, "-k", "shape", *([option] if option else []))
    assert "FAILED test_conformance.py::test_selection[selector.shape]" in printed
    assert ("--in-process" in printed) is bool(option)


@pytest.mark.slow
def test_a_command_is_tested_like_a_python_subject(tmp_path: Path) -> None:
    """The address of a command gives the same tests."""
    file = STDIO.format(python=sys.executable)
    printed = run_tests(tmp_path, "-k", "shape", file=file)
    assert "FAILED test_conformance.py::test_selection[selector.shape]" in printed
