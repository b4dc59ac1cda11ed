"""Facts about running an entry in the environment that has its library."""

import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from conformance.support_scoreboard import RIGHT
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.scoreboard.measuring import (
    MeasuredEntry,
    ScoreboardSetup,
    UnmeasuredEntry,
    measure_entries,
    measure_entry,
    oracle_command,
    slug,
)

SPECIFICATION = replace(
    RIGHT,
    address="python:privtopk.conformance.subjects.reference:spec_selector",
    package="privtopk",
    minimal="print('shown')",
)
FAST = ("--only", "selector.shape", "--quiet")


@pytest.fixture
def setup(tmp_path: Path) -> ScoreboardSetup:
    """Return a setup without environments, for one quick requirement."""
    return ScoreboardSetup(tmp_path / "environments", tmp_path / "reports", FAST)


@pytest.mark.slow
@pytest.mark.heavy
def test_an_entry_is_run_and_its_findings_read_back(setup: ScoreboardSetup) -> None:
    """The verdicts, the version and the output of the smallest program come from the processes."""
    result = measure_entry(SPECIFICATION, setup)
    assert isinstance(result, MeasuredEntry)
    (finding,) = result.findings.findings
    assert (finding.id, finding.verdict) == ("selector.shape", CaseVerdict.PASS)
    assert (result.timing.version, result.command_prefix, result.minimal_output) == (
        version("privtopk"),
        "",
        "shown",
    )


@pytest.mark.slow
@pytest.mark.heavy
def test_findings_of_an_earlier_day_are_not_taken_for_new(setup: ScoreboardSetup) -> None:
    """An old report is not used for an entry that cannot be run now."""
    wrong = replace(SPECIFICATION, address="python:no.such.module:thing")
    stale = setup.reports / slug(wrong) / "conformance.jsonl"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")
    assert measure_entry(wrong, setup) == UnmeasuredEntry(wrong, "the oracle ended with code 2")


def test_an_entry_without_its_environment_is_not_run(setup: ScoreboardSetup) -> None:
    """A missing environment is a reason, not a failure."""
    entry = replace(SPECIFICATION, environment="absent")
    assert measure_entry(entry, setup) == UnmeasuredEntry(
        entry, "the environment absent is missing; make scoreboard builds it"
    )


def test_an_entry_without_its_library_is_not_run(setup: ScoreboardSetup) -> None:
    """A library that is not installed is a reason, not a verdict."""
    entry = replace(SPECIFICATION, package="no-such-library")
    reason = "no-such-library is not installed; make scoreboard installs it"
    assert measure_entry(entry, setup) == UnmeasuredEntry(entry, reason)


def test_an_environment_has_its_own_interpreter_and_commands(setup: ScoreboardSetup) -> None:
    """An entry without a separate environment is run by this Python."""
    entry = replace(SPECIFICATION, environment="old")
    folder = setup.environments / "old" / "bin"
    assert setup.interpreter(SPECIFICATION) == Path(sys.executable)
    assert setup.interpreter(entry) == folder / "python"
    assert (setup.command_prefix(SPECIFICATION), setup.command_prefix(entry)) == ("", f"{folder}/")


def test_the_command_is_that_of_the_oracle() -> None:
    """The command has the address of the entry, a timeout, the report folder and the options."""
    command = oracle_command(Path("python"), SPECIFICATION, Path("folder"), ("--jobs", "2"))
    assert command == (
        "python",
        "-m",
        "privtopk.conformance",
        "run",
        "python:privtopk.conformance.subjects.reference:spec_selector",
        "--timeout",
        "60",
        "--reports",
        "folder",
        "--jobs",
        "2",
    )


def test_a_folder_is_named_after_the_entry() -> None:
    """The folder has letters and digits, joined by hyphens."""
    assert slug(replace(RIGHT, name="OpenDP noisy top-k, zCDP")) == "opendp-noisy-top-k-zcdp"


def test_progress_is_reported(setup: ScoreboardSetup) -> None:
    """Progress is reported with one line before each entry."""
    entry = replace(SPECIFICATION, environment="absent")
    said: list[str] = []
    assert len(list(measure_entries([entry, entry], setup, said.append))) == 2
    assert said == ["1 of 2: right_library", "2 of 2: right_library"]
