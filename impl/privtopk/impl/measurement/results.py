"""What the benchmark finds: targets with their values, and the rows behind them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

Row: TypeAlias = dict[str, str | int | float]
"""One measurement; every row has the key `topic`."""


@dataclass(frozen=True, slots=True)
class Target:
    """A number to reach, and the number that was measured."""

    id: str
    statement: str
    value: float
    at_least: float = -math.inf
    at_most: float = math.inf

    margin: float = 0.0
    """How far a random value may miss the bound by chance: standard errors of the value."""

    @property
    def is_met(self) -> bool:
        """Whether the value lies within the bounds; a value that is no number does not."""
        return self.at_least - self.margin <= self.value <= self.at_most + self.margin

    @property
    def bounds(self) -> list[float]:
        """The bounds that exist."""
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


@dataclass(frozen=True, slots=True)
class Findings:
    """What one part of the benchmark measured."""

    targets: tuple[Target, ...] = ()
    rows: tuple[Row, ...] = ()

    notes: tuple[str, ...] = ()
    """What was left out, and why."""


@dataclass(slots=True)
class Collected:
    """The findings of all parts."""

    targets: list[Target] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, findings: Findings) -> None:
        """Append the findings of one part."""
        self.targets += findings.targets
        self.rows += findings.rows
        self.notes += findings.notes

    @property
    def missed(self) -> list[str]:
        """The targets that were not met."""
        return [target.id for target in self.targets if not target.is_met]

    def as_json(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "targets": [target.as_json() for target in self.targets],
            "rows": self.rows,
            "notes": self.notes,
            "seconds": self.seconds,
        }


def as_text(collected: Collected) -> str:
    """Return everything for people: a table a topic, then the targets."""
    topics = dict.fromkeys(str(row["topic"]) for row in collected.rows)
    parts = [_table([row for row in collected.rows if row["topic"] == topic]) for topic in topics]
    parts.append(_targets(collected.targets))
    if collected.notes:
        parts.append("\n".join(f"skipped: {note}" for note in collected.notes))
    met = len(collected.targets) - len(collected.missed)
    parts.append(f"{met} of {len(collected.targets)} targets met, {collected.seconds:.0f} s")
    return "\n\n".join(parts)


def _targets(targets: Iterable[Target]) -> str:
    return _aligned(
        [
            ["target", "measured", "required", "met", ""],
            *(
                [
                    target.id,
                    _figure(target.value),
                    _required(target),
                    "yes" if target.is_met else "NO",
                    target.statement,
                ]
                for target in targets
            ),
        ]
    )


def _required(target: Target) -> str:
    bounds = " to ".join(map(_figure, target.bounds))
    sign = "" if len(target.bounds) > 1 else ">= " if math.isfinite(target.at_least) else "<= "
    margin = f" (+{_figure(target.margin)})" if target.margin else ""
    return f"{sign}{bounds}{margin}"


def _table(rows: list[Row]) -> str:
    """Return rows of one topic under the union of their keys."""
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key != "topic"]
    body = [[_figure(row[key]) if key in row else "" for key in keys] for row in rows]
    return f"{rows[0]['topic']}\n" + _aligned([keys, *body])


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _figure(value: str | float) -> str:
    """Return a number with four digits, and anything else as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
