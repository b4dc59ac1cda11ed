"""Reads back what `json_lines` wrote."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.classical_tests import ClassicalTest, Defect
from privtopk.conformance.report.findings import (
    ClaimCitation,
    Frequency,
    RequirementFinding,
    StreamFinding,
    SubjectFindings,
)
from privtopk.conformance.subjects.kinds import Abilities, Profile, abilities_from

INFINITIES: Final = {"Infinity": math.inf, "-Infinity": -math.inf}


def read_json_lines(text: str) -> tuple[SubjectFindings, ...]:
    """Return the findings of every run in a text of JSON Lines."""
    runs: list[SubjectFindings] = []
    for line in map(json.loads, text.splitlines()):
        if line["type"] == "run":
            runs.append(_run(line))
        else:
            runs[-1] = replace(runs[-1], findings=(*runs[-1].findings, _finding(line)))
    return tuple(runs)


def _run(line: Mapping[str, Any]) -> SubjectFindings:
    values = _known_fields(SubjectFindings, line)
    values["abilities"] = _abilities(line["abilities"])
    values["date"] = datetime.fromisoformat(line["date"])
    return SubjectFindings(**values, findings=(), is_conforming=line["conforming"])


def _abilities(line: Mapping[str, Any]) -> Abilities:
    return abilities_from(line, map(Profile, line["profiles"]), is_sampler=line["is_sampler"])


def _finding(line: Mapping[str, Any]) -> RequirementFinding:
    values = _known_fields(RequirementFinding, line)
    values["verdict"] = CaseVerdict(line["verdict"])
    values["citations"] = tuple(ClaimCitation(**citation) for citation in line["citations"])
    values["streams"] = tuple(map(_stream, line["streams"]))
    values["log_evidence"] = _number(line["log_evidence"])
    values["finest"], values["coarsest"] = _defect(line["finest"]), _defect(line["coarsest"])
    return RequirementFinding(**values)


def _stream(line: Mapping[str, Any]) -> StreamFinding:
    values = _known_fields(StreamFinding, line)
    values["log_evidence"] = _number(line["log_evidence"]) or 0.0
    values["test"] = ClassicalTest(**line["test"]) if line["test"] else None
    values["defect"] = _defect(line["defect"])
    values["frequencies"] = tuple(Frequency(**frequency) for frequency in line["frequencies"])
    return StreamFinding(**values)


def _defect(line: Mapping[str, Any] | None) -> Defect | None:
    return Defect(**line) if line else None


def _number(value: float | str | None) -> float | None:
    return INFINITIES[value] if isinstance(value, str) else value


def _known_fields(kind: type, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in a line that have the name of a field of a class."""
    return {one.name: line[one.name] for one in fields(kind) if one.name in line}
