"""Tests of what the command does."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.claims.table import Claim, Origin, Status
from privtopk.spec.proofs.gate import command, runner
from privtopk.spec.proofs.gate.command import GateOptions, carry_out
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Method, RegistryError, supports
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.task import Outcome, Task, TaskKind


def seen() -> str:
    """It is so."""
    return "seen"


CLAIM = Claim("thm:one", "Theorem 1", Origin.PAPER, Status.HOLDS, "It is so.")
CHECK = replace(supports("thm:one", method=Method.EXACT)(seen), name="a.seen")
SLOW = replace(CHECK, name="a.slow", is_slow=True)
INVENTORY = Inventory(
    (CLAIM,), (CHECK, SLOW), (), (SeededBug("off-by-one", "a", "b", ("a.seen",), "access"),)
)
FOUND = {TaskKind.CHECK: "passed", TaskKind.BUG: "killed"}


@pytest.fixture(autouse=True)
def everything_passes(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let every task succeed without being run."""

    def run(tasks: tuple[Task, ...], jobs: object, progress: object) -> dict[str, Outcome]:
        return {
            task.name: Outcome(task.name, task.kind, True, FOUND[task.kind], "") for task in tasks
        }

    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.setattr(command, "take_inventory", lambda: INVENTORY)
    monkeypatch.setattr(runner, "run", run)
    return monkeypatch


def test_success_exits_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """A run that confirms every status prints the table and succeeds."""
    code = carry_out(GateOptions())
    assert (code, "1 claims: 1 hold," in capsys.readouterr().out) == (0, True)


def test_failure_exits_with_one(
    everything_passes: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run with a failed check fails."""
    failed = Outcome("a.seen", TaskKind.CHECK, False, "failed", "got 3")
    everything_passes.setattr(runner, "run", lambda tasks, jobs, progress: {"a.seen": failed})
    code = carry_out(GateOptions())
    assert (code, capsys.readouterr().out.endswith("  a.seen: got 3\n")) == (1, True)


def test_the_report_for_machines_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json nothing but JSON is printed."""
    carry_out(GateOptions(is_json=True))
    assert json.loads(capsys.readouterr().out)["seeded_bugs_killed"] == 1


def test_quick_runs_less(capsys: pytest.CaptureFixture[str]) -> None:
    """With --quick the slow check is left out, so its claim is not established."""
    carry_out(GateOptions(is_quick=True, is_json=True))
    numbers = json.loads(capsys.readouterr().out)
    assert (numbers["holds"], numbers["seeded_bugs"], numbers["failures"]) == (0, 0, [])


def test_the_list_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """With --list the names are printed, with the claims that they are about."""
    carry_out(GateOptions(is_list=True))
    assert capsys.readouterr().out.splitlines() == [
        "exact       a.seen: supports thm:one",
        "exact       a.slow: supports thm:one",
        "bug         off-by-one: killed by a.seen",
    ]


def test_nothing_to_run_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """A selection that is empty fails."""
    code = carry_out(GateOptions(only=["a.slow"], is_quick=True))
    message = "nothing was checked: there is nothing to run\n"
    assert (code, capsys.readouterr().err) == (1, message)


def test_malformed_checks_fail(
    everything_passes: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error in the declarations is reported and fails."""

    def refuse() -> Inventory:
        raise RegistryError("no theorem found")

    everything_passes.setattr(command, "take_inventory", refuse)
    code = carry_out(GateOptions())
    message = "nothing was checked: no theorem found\n"
    assert (code, capsys.readouterr().err) == (1, message)


def test_pages_are_written_and_compared(tmp_path: Path) -> None:
    """Pages that were just written are up to date."""
    carry_out(GateOptions(write_docs=tmp_path))
    assert carry_out(GateOptions(check_docs=tmp_path)) == 0


def test_stale_pages_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing pages are named and fail."""
    code = carry_out(GateOptions(check_docs=tmp_path))
    expected = [
        f"{tmp_path / name} is out of date: run make pages"
        for name in ("reference/claims.md", "explanation/errata.md")
    ]
    assert (code, capsys.readouterr().err.splitlines()) == (1, expected)
