"""Tests of the command line."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from privtopk.spec.__main__ import main
from privtopk.spec.proofs.gate import command
from privtopk.spec.proofs.gate.command import GateOptions


def test_options_become_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option reaches the command, and its exit code comes back."""
    requests: list[GateOptions] = []

    def note(request: GateOptions) -> int:
        requests.append(request)
        return 7

    monkeypatch.setattr(command, "carry_out", note)
    line = ["--quick", "--json", "--jobs", "3", "--check-docs", "d", "--only", "a.b", "thm:one"]
    assert (main(line), requests) == (
        7,
        [
            GateOptions(
                only=["a.b", "thm:one"],
                is_quick=True,
                is_json=True,
                check_docs=Path("d"),
                jobs=3,
            )
        ],
    )


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the solvers the command says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "z3" else name)
    message = "the checks need z3-solver: pip install 'privtopk[prove]'\n"
    assert (main([]), capsys.readouterr().err) == (2, message)


def test_no_processes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The number of processes must be positive."""
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--jobs", "0"])
    assert "argument --jobs: must be at least 1, got 0" in capsys.readouterr().err


def test_the_command_loads_no_solver_before_it_must() -> None:
    """Importing the command imports none of the checks."""
    source = (
        "import sys, privtopk.spec.__main__; "
        "sys.exit(any(name.startswith('privtopk.spec.proofs') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", source], check=False).returncode == 0
