"""A run as JUnit XML, which continuous integration reads; `junit.xsd` says what is written.

A subject is a test suite and a requirement a test case. A failure is the subject's, an error
the harness's, as JUnit distinguishes a failed assertion from a test that broke.
"""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.findings import RequirementFinding, StreamFinding, SubjectFindings
from privtopk.conformance.report.numbers import p_value, tenth_exponent
from privtopk.conformance.report.terminal import evidence, paragraph

OUTCOMES: Final = {
    CaseVerdict.FAIL: "failure",
    CaseVerdict.ERROR: "error",
    CaseVerdict.SKIP: "skipped",
}


def junit(told: Sequence[SubjectFindings]) -> str:
    """Return the document about some runs."""
    root = Element("testsuites", {"name": "privtopk-conformance", **_counts(told)})
    for found in told:
        root.append(suite(found))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _counts(told: Sequence[SubjectFindings]) -> dict[str, str]:
    def total(verdict: CaseVerdict) -> str:
        return str(sum(found.count(verdict) for found in told))

    return {
        "tests": str(sum(len(found.findings) for found in told)),
        "failures": total(CaseVerdict.FAIL),
        "errors": total(CaseVerdict.ERROR),
        "skipped": total(CaseVerdict.SKIP),
        "time": f"{sum(found.seconds for found in told):.3f}",
    }


def suite(found: SubjectFindings) -> Element:
    """Return one subject."""
    stamp = found.date.strftime("%Y-%m-%dT%H:%M:%S")
    element = Element("testsuite", {"name": found.address, "timestamp": stamp, **_counts([found])})
    properties = SubElement(element, "properties")
    for name, value in _properties(found):
        SubElement(properties, "property", name=name, value=value)
    for finding in found.findings:
        element.append(case(finding, found))
    SubElement(element, "system-out").text = found.sentence
    return element


def _properties(found: SubjectFindings) -> Iterator[tuple[str, str]]:
    yield "privtopk.version", found.version
    yield "kind", found.abilities.kind
    yield "seed", str(found.seed)
    yield "budget", str(found.budget)
    yield "alarm", str(found.alarm)


def case(finding: RequirementFinding, found: SubjectFindings) -> Element:
    """Return one requirement."""
    element = Element(
        "testcase", name=finding.id, classname=found.address, time=f"{finding.seconds:.3f}"
    )
    outcome = OUTCOMES.get(finding.verdict)
    if outcome:
        told = SubElement(element, outcome, message=finding.message)
        if finding.verdict is not CaseVerdict.SKIP:
            told.set("type", finding.id)
            told.text = paragraph(finding, found.seed)
    SubElement(element, "system-out").text = "\n".join(_statistics(finding))
    return element


def _statistics(finding: RequirementFinding) -> Iterator[str]:
    yield finding.statement
    yield f"trials {finding.trials}, evidence {evidence(finding)}"
    if finding.defect:
        yield f"smallest defect {finding.defect}"
    for stream in finding.streams:
        yield _stream(stream)


def _stream(stream: StreamFinding) -> str:
    shown = ""
    if stream.test is not None:
        shown = (
            f", {stream.test.name} p {p_value(stream.test.p_value)}, Holm {p_value(stream.holm)}"
        )
    seen = f"{stream.observations} observations, E 10^{tenth_exponent(stream.log_evidence)}"
    return f"{stream.experiment}, {stream.name}: {seen}{shown}"
