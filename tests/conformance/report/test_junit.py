"""Facts about the report for continuous integration."""

from importlib.resources import files
from xml.etree import ElementTree

import pytest
import xmlschema

from privtopk.conformance.report.findings import findings_of
from privtopk.conformance.report.junit import junit
from privtopk.conformance.running.runner import Run
from sample_runs import breached_case, every_plot, run_of

SCHEMA = files("privtopk.conformance.report").joinpath("junit.xsd").read_text()


def junit_document(*runs: Run) -> str:
    """Return the document."""
    return junit([findings_of(run) for run in runs])


@pytest.mark.parametrize("runs", [(), (run_of(),), (every_plot(), every_plot())])
def test_the_document_is_valid(runs: tuple[Run, ...]) -> None:
    """The document is valid by the schema in the package, even without runs."""
    xmlschema.XMLSchema(SCHEMA).validate(junit_document(*runs))


def test_the_schema_can_refuse() -> None:
    """The schema rejects a test case with two outcomes."""
    twice = junit_document(run_of(breached_case())).replace(
        "<failure", "<skipped message=''/><failure", 1
    )
    assert not xmlschema.XMLSchema(SCHEMA).is_valid(twice)


def test_verdicts_become_outcomes() -> None:
    """Each verdict becomes its own outcome of JUnit: failure, error or skipped; a pass has none."""
    root = ElementTree.fromstring(junit_document(every_plot()))
    outcomes = {case.get("name"): case[0].tag for case in root.iter("testcase")}
    assert outcomes == {
        "selector.right": "system-out",
        "selector.wrong": "failure",
        "selector.scaling": "system-out",
        "selector.certain": "system-out",
        "selector.breached": "failure",
        "selector.broken": "error",
        "selector.skipped": "skipped",
    }
    counts = [root[0].get(name) for name in ("tests", "failures", "errors", "skipped", "time")]
    assert counts == ["7", "2", "1", "1", "1.500"]


def test_a_failure_says_how_to_replay_it() -> None:
    """A failure has the message and the whole explanation, with the replay command."""
    root = ElementTree.fromstring(junit_document(run_of(breached_case("returned 3 items"))))
    (failure,) = root.iter("failure")
    assert failure.get("message") == "returned 3 items"
    assert "privtopk-conformance replay " in (failure.text or "")


def test_the_statistics_are_written() -> None:
    """The test case has one line per stream."""
    root = ElementTree.fromstring(junit_document(every_plot()))
    lines = (root[0][1].findtext("system-out") or "").splitlines()
    assert lines[0] == "The answer is right."
    assert lines[1].startswith("trials 500, evidence 10^")
    assert lines[3].startswith("h=(0, 2), residuals: 400 observations, E 10^")
    assert "Kolmogorov-Smirnov p 0." in lines[3]
    assert len(lines) == 7
