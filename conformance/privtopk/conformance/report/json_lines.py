"""A run for programs: one JSON object per line, first the run and then its findings.

A line has `type` "run" or "finding"; a finding belongs to the run before it. Logarithms are
natural. A number that JSON cannot write is a string ("Infinity"), and a missing one is null.
Keys have a fixed order.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.findings import RequirementFinding, SubjectFindings


def json_lines(subjects: Sequence[SubjectFindings]) -> str:
    """Return the lines about some subjects."""
    return "".join(f"{line}\n" for found in subjects for line in _lines(found))


def _lines(found: SubjectFindings) -> Iterator[str]:
    yield encode_line(run_line(found))
    for finding in found.findings:
        yield encode_line(finding_line(finding))


def run_line(found: SubjectFindings) -> dict[str, Any]:
    """Return the object about a whole run."""
    return {
        "type": "run",
        "address": found.address,
        "name": found.name,
        "conforming": found.is_conforming,
        "sentence": found.sentence,
        "counts": {verdict.value: found.count(verdict) for verdict in CaseVerdict},
        "abilities": asdict(found.abilities),
        "seconds": found.seconds,
        "seed": found.seed,
        "budget": found.budget,
        "alarm": found.alarm,
        "is_in_process": found.is_in_process,
        "version": found.version,
        "date": found.date.isoformat(),
    }


def finding_line(finding: RequirementFinding) -> dict[str, Any]:
    """Return the object about one requirement."""
    return {
        "type": "finding",
        **asdict(finding),
        "log_needed": finding.log_needed,
        "blind_streams": finding.blind_streams,
    }


def encode_line(line: dict[str, Any]) -> str:
    """Return an object as one line."""
    return json.dumps(_finite(line), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    """Return a value whose infinite numbers are strings and whose NaN are null."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value)
    return value
