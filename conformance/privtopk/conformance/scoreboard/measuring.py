"""Runs the oracle on an entry, in a process of the environment that has its library.

Two versions of one library cannot live in one environment. So every entry is run by the
interpreter of its own, and what it found comes back as JSON Lines.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from privtopk.conformance.report.findings import Findings
from privtopk.conformance.report.json_reading import read_json_lines
from privtopk.conformance.scoreboard.entry import Entry
from privtopk.conformance.scoreboard.timing import Timing

CALL_SECONDS: Final = 60
"""The slowest answer takes three seconds, and five times that on a busy machine."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one entry."""

    entry: Entry
    findings: Findings
    timing: Timing

    commands: str = ""
    """What commands of an environment of its own begin with."""

    shown: str = ""
    """What the smallest program printed."""


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """An entry that could not be run, and why."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where environments are found and reports are written."""

    environments: Path
    reports: Path
    options: tuple[str, ...] = ()
    """Options of the oracle's command."""

    def interpreter(self, entry: Entry) -> Path:
        """Return the Python that has the library of an entry."""
        if entry.environment is None:
            return Path(sys.executable)
        return self.environments / entry.environment / "bin" / "python"

    def commands(self, entry: Entry) -> str:
        """Return what the commands of an environment of its own begin with."""
        return f"{self.interpreter(entry).parent}/" if entry.environment else ""


def measured(entry: Entry, place: Place) -> Measured | NotMeasured:
    """Run the oracle on an entry, time it, and show the smallest program."""
    python = place.interpreter(entry)
    if not python.exists():
        return NotMeasured(entry, f"there is no environment {entry.environment}")
    if not is_installed(python, entry.package):
        return NotMeasured(entry, f"{entry.package} is not installed; make scoreboard installs it")
    folder = place.reports / slug(entry)
    report = folder / "conformance.jsonl"
    report.unlink(missing_ok=True)
    said = subprocess.run(
        oracle_command(python, entry, folder, place.options),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if not report.exists():
        return NotMeasured(entry, f"the oracle ended with code {said.returncode}")
    (findings,) = read_json_lines(report.read_text(encoding="utf-8"))
    timing, commands = timed(python, entry), place.commands(entry)
    return Measured(entry, findings, timing, commands, shown(python, entry))


def is_installed(python: Path, package: str) -> bool:
    """Return whether an interpreter has a distribution."""
    program = "import sys; from importlib.metadata import version; version(sys.argv[1])"
    command = (str(python), "-c", program, package)
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def oracle_command(
    python: Path, entry: Entry, folder: Path, options: Sequence[str]
) -> tuple[str, ...]:
    """Return the command that tests an entry."""
    command = (str(python), "-m", "privtopk.conformance", "run", entry.address)
    return (*command, "--timeout", str(CALL_SECONDS), "--reports", str(folder), *options)


def slug(entry: Entry) -> str:
    """Return a name for the folder of an entry."""
    words = "".join(letter if letter.isalnum() else " " for letter in entry.name.lower())
    return "-".join(words.split())


def timed(python: Path, entry: Entry) -> Timing:
    """Return how long a selection takes."""
    module = "privtopk.conformance.scoreboard.timing"
    command = (str(python), "-m", module, entry.address, entry.package)
    return Timing(**json.loads(subprocess.check_output(command, text=True)))


def shown(python: Path, entry: Entry) -> str:
    """Return what the smallest program of an entry prints, or nothing if it has none."""
    if not entry.minimal:
        return ""
    return subprocess.check_output(
        (str(python), "-W", "ignore", "-c", entry.minimal), text=True
    ).rstrip()


def all_measured(
    entries: Sequence[Entry], place: Place, say: Callable[[str], None]
) -> Iterator[Measured | NotMeasured]:
    """Run every entry, and say which one is at hand."""
    for number, entry in enumerate(entries, start=1):
        say(f"{number} of {len(entries)}: {entry.name}")
        yield measured(entry, place)
