"""Facts about the report for programs."""

import json
import math

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.report.findings import findings_of
from privtopk.conformance.report.json_lines import json_lines
from privtopk.conformance.running.runner import Run
from sample_runs import breached_case, case_of, certain_case, every_plot, numbers, run_of


def json_objects(*runs: Run) -> list[dict[str, object]]:
    """Return the objects of all lines."""
    return [json.loads(line) for line in json_lines(list(map(findings_of, runs))).splitlines()]


def test_a_run_comes_before_its_findings() -> None:
    """A run comes before its findings, and runs follow each other."""
    lines = json_objects(run_of(certain_case(), breached_case()), run_of(certain_case()))
    assert [line["type"] for line in lines] == ["run", "finding", "finding", "run", "finding"]
    assert lines[0]["counts"] == {"pass": 1, "fail": 1, "skip": 0, "error": 0}
    assert [line.get("id") for line in lines[1:3]] == ["selector.certain", "selector.breached"]


def test_keys_have_a_fixed_order() -> None:
    """Keys have a fixed order, so that reports can be compared line by line."""
    run, finding = json_objects(run_of(certain_case()))
    assert list(run) == [
        "type",
        "address",
        "name",
        "conforming",
        "sentence",
        "counts",
        "abilities",
        "seconds",
        "seed",
        "budget",
        "alarm",
        "is_in_process",
        "version",
        "date",
    ]
    assert list(finding) == [
        "type",
        "id",
        "statement",
        "citations",
        "verdict",
        "message",
        "experiment",
        "bug",
        "trials",
        "seconds",
        "log_evidence",
        "alpha",
        "streams",
        "finest",
        "coarsest",
        "replay",
        "log_needed",
        "blind_streams",
    ]


def test_infinite_evidence_is_a_string() -> None:
    """Infinite evidence is written as a string, because JSON has no infinity."""
    case = case_of({"sets": (Categories((1.0, 0.0), ("a", "b")), numbers([0, 1]))}, pieces=1)
    assert case.log_e == math.inf
    finding = json_objects(run_of(case))[1]
    assert finding["log_evidence"] == "Infinity"


def test_no_line_has_a_number_that_json_lacks() -> None:
    """Strict readers of JSON accept every line."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    for line in json_lines([findings_of(every_plot())]).splitlines():
        json.loads(line, parse_constant=refuse)
