"""Runs the engine on targets, one process per target, and collects its figures."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fuzz.targets import Target

ENGINE: Final = Path(__file__).with_name("engine.py")
FOLDER: Final = Path("build/fuzz")
"""New inputs of the corpus, and inputs that violate a property."""

OPTIONS: Final = (
    "-seed=1",
    "-max_len=8192",
    "-timeout=30",  # seconds per case
    "-rss_limit_mb=2048",
    "-print_final_stats=1",
    f"-artifact_prefix={FOLDER}/",
)
LAST_LINES: Final = 25


@dataclass(frozen=True, slots=True)
class Figures:
    """What the engine reports about a target."""

    target: str
    cases: int
    seconds: int
    coverage: int
    slowest: int
    mebibytes: int
    failure: str = ""
    """The end of the engine's output, if a property was violated."""


def fuzz(target: Target, cases: int, show: Callable[[int], None]) -> Figures:
    """Run a number of cases of a target; report their number from time to time."""
    found = FOLDER / target.name
    found.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(ENGINE), target.name, f"-runs={cases}", *OPTIONS]
    lines = []
    with subprocess.Popen(
        [*command, str(found), str(target.corpus)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            if number := re.match(r"#(\d+)\s", line):
                show(int(number[1]))
    return figures_of(target.name, lines, process.returncode)


def figures_of(name: str, lines: list[str], code: int) -> Figures:
    """Return the figures in the output of the engine."""
    text = "".join(lines)

    def last(pattern: str) -> int:
        numbers = re.findall(pattern, text)
        return int(numbers[-1]) if numbers else 0

    return Figures(
        target=name,
        cases=last(r"stat::number_of_executed_units:\s+(\d+)"),
        seconds=last(r"Done \d+ runs in (\d+) second"),
        coverage=last(r"cov: (\d+)"),
        slowest=last(r"stat::slowest_unit_time_sec:\s+(\d+)"),
        mebibytes=last(r"stat::peak_rss_mb:\s+(\d+)"),
        failure="".join(lines[-LAST_LINES:]) if code else "",
    )


def table_of(figures: Iterable[Figures]) -> str:
    """Return the figures as text, one line per target."""
    rows = [("target", "cases", "seconds", "coverage", "slowest case", "memory")]
    total = 0
    for each in figures:
        total += each.cases
        sizes = (f"{each.cases:,}", str(each.seconds), str(each.coverage))
        rows.append((each.target, *sizes, f"{each.slowest} s", f"{each.mebibytes} MiB"))
    lines = [f"{row[0]:<18}" + "".join(f"{cell:>14}" for cell in row[1:]) for row in rows]
    return "\n".join([*lines, f"{total:,} cases"])
