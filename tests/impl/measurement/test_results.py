"""Facts about results: what the benchmark prints, and when a target is met."""

import math

import pytest

from privtopk.impl.measurement.results import Findings, Target, collect_findings


@pytest.mark.parametrize(
    ("target", "is_met", "bound"),
    [
        (Target("a", "", 60.0, at_least=60), True, 60),
        (Target("a", "", 59.9, at_least=60), False, 60),
        (Target("a", "", 3.0, at_most=3), True, 3),
        (Target("a", "", 3.1, at_most=3), False, 3),
        (Target("a", "", 3.1, at_most=3, margin=0.2), True, 3),
        (Target("a", "", 0.5, at_least=0.47, at_most=0.53), True, [0.47, 0.53]),
        (Target("a", "", 0.54, at_least=0.47, at_most=0.53), False, [0.47, 0.53]),
        (Target("a", "", math.nan, at_least=1), False, 1),
    ],
)
def test_when_a_target_is_met(target: Target, is_met: bool, bound: object) -> None:
    """A target is met within its bounds plus its margin."""
    printed = target.as_json()
    assert (printed["met"], printed["target"]) == (is_met, bound)
    assert list(printed)[:1] == ["id"]


def test_the_form_of_the_data() -> None:
    """Targets, rows and notes of all parts are collected in order."""
    row: dict[str, str | int | float] = {"topic": "t", "seconds": 1.5}
    parts = {
        "first": lambda: Findings([Target("a", "first", 1.0, at_least=2)], [row], ["nothing"]),
        "second": lambda: Findings([Target("b", "second", 3.0, at_least=2)]),
    }
    positions: list[tuple[int, int, str]] = []
    collected = collect_findings(parts, lambda done, total, at: positions.append((done, total, at)))
    assert positions == [(0, 2, "first"), (1, 2, "second")]
    printed = collected.as_json()
    assert list(printed) == ["targets", "rows", "notes", "seconds"]
    assert (printed["rows"], printed["notes"], collected.missed) == ([row], ["nothing"], ["a"])


def test_the_text() -> None:
    """The text has one table per topic, the targets, the skipped peers, and the count."""
    target = Target("a", "why", 0.98765, at_least=0.5, at_most=1.0, margin=0.25)
    rows: list[dict[str, str | int | float]] = [
        {"topic": "speed", "name": "x", "ratio": 1234.5},
        {"topic": "speed", "name": "longer", "accesses": 7},
    ]
    assert Findings([target], rows, ["peer"], seconds=2.0).as_text().splitlines() == [
        "speed",
        "name    ratio  accesses",
        "x       1,234",
        "longer         7",
        "",
        "target  measured  required          met",
        "a       0.9877    0.5 to 1 (+0.25)  yes  why",
        "",
        "skipped: peer",
        "",
        "1 of 1 targets met, 2 s",
    ]
