"""A run as JUnit XML for continuous integration; `junit.xsd` defines the format.

A subject is a test suite and a requirement a test case. A failure is the subject's fault, an
error the harness's, as JUnit distinguishes a failed assertion from a broken test.
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


def junit(subjects: Sequence[SubjectFindings]) -> str:
    """Return the document about some subjects."""
    root = Element("testsuites", {"name": "privtopk-conformance", **_counts(subjects)})
    for found in subjects:
        root.append(suite(found))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _counts(subjects: Sequence[SubjectFindings]) -> dict[str, str]:
    def total(verdict: CaseVerdict) -> str:
        return str(sum(found.count(verdict) for found in subjects))

    return {
        "tests": str(sum(len(found.findings) for found in subjects)),
        "failures": total(CaseVerdict.FAIL),
        "errors": total(CaseVerdict.ERROR),
        "skipped": total(CaseVerdict.SKIP),
        "time": f"{sum(found.seconds for found in subjects):.3f}",
    }


def suite(found: SubjectFindings) -> Element:
    """Return the test suite of one subject."""
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
    yield "in-process", str(found.is_in_process).lower()


def case(finding: RequirementFinding, found: SubjectFindings) -> Element:
    """Return the test case of one requirement."""
    element = Element(
        "testcase", name=finding.id, classname=found.address, time=f"{finding.seconds:.3f}"
    )
    outcome = OUTCOMES.get(finding.verdict)
    if outcome:
        inner = SubElement(element, outcome, message=finding.message)
        if finding.verdict is not CaseVerdict.SKIP:
            inner.set("type", finding.id)
            inner.text = paragraph(finding, found.seed)
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
    evidence = f"{stream.observations} observations, E 10^{tenth_exponent(stream.log_evidence)}"
    text = f"{stream.experiment}, {stream.name}: {evidence}"
    if stream.test is None:
        return text
    p, holm = p_value(stream.test.p_value), p_value(stream.holm)
    return f"{text}, {stream.test.name} p {p}, Holm {holm}"
