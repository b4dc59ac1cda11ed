"""Facts about the pytest plugin: one file gives one test per requirement."""

import subprocess
import sys
from pathlib import Path

import pytest

FILE = """
from privtopk.conformance.pytest_plugin import conformance_test

test_selection = conformance_test("python:subject:select")
"""

SUBJECT = """
import random

def select(scores, question):
    if not 1 <= question.k <= scores.size:
        raise ValueError("k is out of range")
    return random.sample(range(1, scores.size + 1), question.k)
"""


def run_tests(folder: Path, *arguments: str) -> str:
    """Run pytest in a folder with a subject and the one file, and return what it prints."""
    (folder / "subject.py").write_text(SUBJECT)
    (folder / "test_conformance.py").write_text(FILE)
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
