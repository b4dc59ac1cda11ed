"""Results with limits: what was measured, what is required of it, and whether that is met."""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from privtopk.impl.measurement.progress import ShowProgress, show_nothing
from privtopk.impl.measurement.rows import (
    Table,
    aligned_table,
    column_names,
    format_value,
    rows_grouped_by,
)

WHOLE_FROM: Final = 1000
"""Floats from here on are printed without decimals."""


class LimitedResult(Protocol):
    """A measurement that was compared with a limit."""

    @property
    def is_met(self) -> bool:
        """Whether the measurement is within its limit."""


AnyResult = TypeVar("AnyResult", bound=LimitedResult)


def missed_results(results: Iterable[AnyResult]) -> list[AnyResult]:
    """Return the results that are not met."""
    return [result for result in results if not result.is_met]


@dataclass(frozen=True, slots=True)
class Target:
    """A number to reach, and the number that was measured."""

    id: str
    statement: str
    value: float
    at_least: float = -math.inf
    at_most: float = math.inf

    margin: float = 0.0
    """How far a random value may miss the bound by chance: some standard errors of the value."""

    @property
    def is_met(self) -> bool:
        """Whether the value is within the bounds; NaN never is."""
        return self.at_least - self.margin <= self.value <= self.at_most + self.margin

    @property
    def bounds(self) -> list[float]:
        """The finite bounds."""
        return [bound for bound in (self.at_least, self.at_most) if math.isfinite(bound)]

    def as_json(self) -> dict[str, object]:
        """Return the target as plain data; one bound is a number, two are a list."""
        bounds = self.bounds
        return {
            "id": self.id,
            "statement": self.statement,
            "value": self.value,
            "target": bounds[0] if len(bounds) == 1 else bounds,
            "margin": self.margin,
            "met": self.is_met,
        }


@dataclass(slots=True)
class Findings:
    """What one part of the benchmark measured, or all of them."""

    targets: list[Target] = field(default_factory=list)

    rows: Table = field(default_factory=list)
    """The measurements; the column `topic` names the table of each."""

    notes: list[str] = field(default_factory=list)
    """What was left out, and why."""

    seconds: float = 0.0

    def add(self, other: "Findings") -> None:
        """Append the findings of another part."""
        self.targets += other.targets
        self.rows += other.rows
        self.notes += other.notes

    @property
    def missed(self) -> list[str]:
        """The ids of the targets that were not met."""
        return [target.id for target in missed_results(self.targets)]

    def as_json(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "targets": [target.as_json() for target in self.targets],
            "rows": self.rows,
            "notes": self.notes,
            "seconds": self.seconds,
        }

    def as_text(self) -> str:
        """Return everything for people: one table per topic, then the targets."""
        parts = [f"{topic}\n{_table(rows)}" for topic, rows in self._topics().items()]
        parts.append(aligned_table([TARGET_HEADINGS, *map(_target_cells, self.targets)]))
        if self.notes:
            parts.append("\n".join(f"skipped: {note}" for note in self.notes))
        met = len(self.targets) - len(self.missed)
        parts.append(f"{met} of {len(self.targets)} targets met, {self.seconds:.0f} s")
        return "\n\n".join(parts)

    def _topics(self) -> dict[str, Table]:
        return rows_grouped_by(self.rows, "topic")


def collect_findings(
    parts: Mapping[str, Callable[[], Findings]], progress: ShowProgress = show_nothing
) -> Findings:
    """Run all parts, one after the other, so that none disturbs another."""
    findings = Findings()
    start = time.monotonic()
    for number, (name, measure) in enumerate(parts.items()):
        progress(number, len(parts), name)
        findings.add(measure())
    findings.seconds = time.monotonic() - start
    return findings


TARGET_HEADINGS: Final = ("target", "measured", "required", "met", "")


def _target_cells(target: Target) -> list[str]:
    return [
        target.id,
        _format(target.value),
        _bounds_text(target),
        "yes" if target.is_met else "NO",
        target.statement,
    ]


def _bounds_text(target: Target) -> str:
    bounds = " to ".join(map(_format, target.bounds))
    sign = "" if len(target.bounds) > 1 else ">= " if math.isfinite(target.at_least) else "<= "
    margin = f" (+{_format(target.margin)})" if target.margin else ""
    return f"{sign}{bounds}{margin}"


def _table(rows: Table) -> str:
    """Return the rows of one topic below the names of all their columns."""
    names = [name for name in column_names(rows) if name != "topic"]
    return aligned_table([names, *([_format(row.get(name, "")) for name in names] for row in rows)])


def _format(value: str | float) -> str:
    return format_value(value, WHOLE_FROM)
