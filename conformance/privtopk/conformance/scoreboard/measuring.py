"""Runs the oracle on an entry, in a process of the environment that has its library.

Two versions of a library cannot be installed in one environment. So every entry is run by its own
interpreter, and the findings are read from JSON Lines.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from privtopk.conformance.report.findings import SubjectFindings
from privtopk.conformance.report.json_reading import read_json_lines
from privtopk.conformance.scoreboard.entry import ScoreboardEntry
from privtopk.conformance.scoreboard.timing import Timing

CALL_SECONDS: Final = 60
"""The slowest answer takes three seconds, and five times that on a busy machine."""


@dataclass(frozen=True, slots=True)
class MeasuredEntry:
    """The findings and the timing of one entry."""

    entry: ScoreboardEntry
    findings: SubjectFindings
    timing: Timing

    command_prefix: str = ""
    """The folder of the commands of a separate environment, or empty."""

    minimal_output: str = ""
    """The output of the smallest program."""


@dataclass(frozen=True, slots=True)
class UnmeasuredEntry:
    """An entry that could not be run, and why."""

    entry: ScoreboardEntry
    reason: str


EntryResult: TypeAlias = MeasuredEntry | UnmeasuredEntry


@dataclass(frozen=True, slots=True)
class ScoreboardSetup:
    """The folders of environments and reports, and options for the oracle."""

    environments: Path
    reports: Path
    options: tuple[str, ...] = ()
    """Options of the command that runs the oracle."""

    def interpreter(self, entry: ScoreboardEntry) -> Path:
        """Return the Python that has the library of an entry."""
        if entry.environment is None:
            return Path(sys.executable)
        return self.environments / entry.environment / "bin" / "python"

    def command_prefix(self, entry: ScoreboardEntry) -> str:
        """Return the folder of the commands of a separate environment, or an empty text."""
        return f"{self.interpreter(entry).parent}/" if entry.environment else ""


def measure_entry(entry: ScoreboardEntry, setup: ScoreboardSetup) -> EntryResult:
    """Run the oracle on an entry, time a selection, and run the smallest program."""
    python = setup.interpreter(entry)
    if not python.exists():
        return UnmeasuredEntry(
            entry, f"the environment {entry.environment} is missing; make scoreboard builds it"
        )
    if not is_installed(python, entry.package):
        return UnmeasuredEntry(
            entry, f"{entry.package} is not installed; make scoreboard installs it"
        )
    folder = setup.reports / slug(entry)
    report = folder / "conformance.jsonl"
    report.unlink(missing_ok=True)
    run = subprocess.run(
        oracle_command(python, entry, folder, setup.options),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if not report.exists():
        return UnmeasuredEntry(entry, f"the oracle ended with code {run.returncode}")
    (findings,) = read_json_lines(report.read_text(encoding="utf-8"))
    timing, prefix = time_entry(python, entry), setup.command_prefix(entry)
    return MeasuredEntry(entry, findings, timing, prefix, minimal_output(python, entry))


def is_installed(python: Path, package: str) -> bool:
    """Return whether an interpreter has a distribution."""
    program = "import sys; from importlib.metadata import version; version(sys.argv[1])"
    command = (str(python), "-c", program, package)
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def oracle_command(
    python: Path, entry: ScoreboardEntry, folder: Path, options: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that tests an entry."""
    command = (str(python), "-m", "privtopk.conformance", "run", entry.address)
    return (*command, "--timeout", str(CALL_SECONDS), "--reports", str(folder), *options)


def slug(entry: ScoreboardEntry) -> str:
    """Return the name of an entry's folder."""
    words = "".join(letter if letter.isalnum() else " " for letter in entry.name.lower())
    return "-".join(words.split())


def time_entry(python: Path, entry: ScoreboardEntry) -> Timing:
    """Return the timing of a selection, measured in the entry's environment."""
    module = "privtopk.conformance.scoreboard.timing"
    command = (str(python), "-m", module, entry.address, entry.package)
    return Timing(**json.loads(subprocess.check_output(command, text=True)))


def minimal_output(python: Path, entry: ScoreboardEntry) -> str:
    """Return the output of the smallest program of an entry, or empty if it has none."""
    if not entry.minimal:
        return ""
    return subprocess.check_output(
        (str(python), "-W", "ignore", "-c", entry.minimal), text=True
    ).rstrip()


def measure_entries(
    entries: Sequence[ScoreboardEntry], setup: ScoreboardSetup, say: Callable[[str], None]
) -> Iterator[EntryResult]:
    """Run every entry, and report each before its run."""
    for number, entry in enumerate(entries, start=1):
        say(f"{number} of {len(entries)}: {entry.name}")
        yield measure_entry(entry, setup)
