"""Tests of the option that forbids skips, and of the count of injected faults."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED_TEST = "import pytest\n\ndef test_skipped():\n    pytest.skip('no server')\n"
SKIPPED_MODULE = "import pytest\n\npytest.importorskip('no_such_module')\n"
EXPECTED_FAILURE = "import pytest\n\n@pytest.mark.xfail\ndef test_fails():\n    raise ValueError\n"


FAULTS = "def test_fault(record_property):\n    record_property('faults', ('Redis', {}))\n"


def session(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a session with one test module and our conftest, and return the process."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_it.py").write_text(source)
    (folder / "test_other.py").write_text("def test_passes():\n    pass\n")
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", *options, str(folder)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def exit_code(folder: Path, source: str, *options: str) -> int:
    """Return the exit code of such a session."""
    return session(folder, source, *options).returncode


@pytest.mark.slow
@pytest.mark.parametrize("source", [SKIPPED_TEST, SKIPPED_MODULE], ids=["test", "module"])
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_skip_fails_a_session_that_forbids_skips(
    tmp_path: Path, source: str, workers: str
) -> None:
    """With --forbid-skips a skipped test or module fails the session, also under xdist."""
    assert exit_code(tmp_path, source, "--forbid-skips", "-n", workers) == 1


@pytest.mark.slow
def test_a_skip_is_allowed_by_default(tmp_path: Path) -> None:
    """Without the option a skipped test does not fail the session."""
    assert exit_code(tmp_path, SKIPPED_TEST) == 0


@pytest.mark.slow
def test_an_expected_failure_is_not_a_skip(tmp_path: Path) -> None:
    """With --forbid-skips an expected failure still passes."""
    assert exit_code(tmp_path, EXPECTED_FAILURE, "--forbid-skips") == 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1"])
def test_injected_faults_are_added_up(tmp_path: Path, workers: str) -> None:
    """The session prints the sums that passed tests have recorded, also under xdist."""
    failing = FAULTS.format(5).replace("test_fault", "test_wrong") + "    raise ValueError\n"
    source = FAULTS.format(3) + FAULTS.format(4).replace("test_fault", "test_more") + failing
    ended = session(tmp_path, source, "-n", workers)
    assert (ended.returncode, "faults injected: Redis 7\n" in ended.stdout) == (1, True)
