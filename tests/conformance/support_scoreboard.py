"""Entries and results of a small scoreboard, made from chosen observations."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.report.findings import findings_of
from privtopk.conformance.running.runner import Run
from privtopk.conformance.scoreboard.entry import LeftOut, ScoreboardEntry
from privtopk.conformance.scoreboard.measuring import MeasuredEntry, UnmeasuredEntry
from privtopk.conformance.scoreboard.timing import Timing
from sample_runs import breached_case, case_of, certain_case, run_of, skipped_case

DATE = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)
RIGHT = ScoreboardEntry(
    name="right_library",
    address="python:right:select",
    package="right",
    call="right.select(scores, k)",
    law="noisy top-k",
    neighbours="add-remove",
    calibration="the library",
    access="every score",
    arithmetic="exact | rationals",
)
WRONG = replace(
    RIGHT, name="wrong library", package="wrong", environment="wrong-1.0", minimal="print(1)\n"
)
LEFT_OUT = (LeftOut("idle", "2.0", "It does not select."),)
MISSING = UnmeasuredEntry(replace(RIGHT, name="missing library"), "there is no environment idle")


def right_result() -> MeasuredEntry:
    """Return the result of a subject that passes."""
    run = run_of(certain_case("selector.shape"), skipped_case("selector.tail"), skipped_case())
    return measured_entry(RIGHT, run, Timing("1.5", "3.11.7", 0.001234))


def wrong_result() -> MeasuredEntry:
    """Return the result of a subject that fails once by evidence and once by a violation."""
    null = Categories((0.75, 0.25), ("1", "2"))
    run = run_of(
        breached_case("the subject raised ValueError: NaN | <b>", "selector.shape"),
        case_of({"outcomes": (null, np.ones(400))}, "selector.set-law"),
        skipped_case("selector.tail"),
    )
    result = measured_entry(WRONG, run, Timing("1.0", "3.12.1", 0.25))
    return replace(result, command_prefix="build/environments/wrong-1.0/bin/", minimal_output="1")


def measured_entry(entry: ScoreboardEntry, run: Run, timing: Timing) -> MeasuredEntry:
    """Return the result of an entry."""
    return MeasuredEntry(entry, findings_of(run, DATE), timing)
