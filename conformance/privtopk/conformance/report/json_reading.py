"""Reads back what `json_lines` wrote: the findings of other processes and of other days."""

import json
import math
from collections.abc import Iterator, Mapping
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
    """Return the runs that a text in JSON Lines tells of."""
    runs: list[SubjectFindings] = []
    for line in map(json.loads, text.splitlines()):
        if line["type"] == "run":
            runs.append(_run(line))
        else:
            runs[-1] = replace(runs[-1], findings=(*runs[-1].findings, _finding(line)))
    return tuple(runs)


def _run(line: Mapping[str, Any]) -> SubjectFindings:
    told = dict(_known_fields(SubjectFindings, line))
    told["abilities"] = _abilities(line["abilities"])
    told["date"] = datetime.fromisoformat(line["date"])
    return SubjectFindings(**told, findings=(), is_conforming=line["conforming"])


def _abilities(told: Mapping[str, Any]) -> Abilities:
    return abilities_from(told, map(Profile, told["profiles"]), is_sampler=told["is_sampler"])


def _finding(line: Mapping[str, Any]) -> RequirementFinding:
    told = dict(_known_fields(RequirementFinding, line))
    told["verdict"] = CaseVerdict(line["verdict"])
    told["citations"] = tuple(ClaimCitation(**citation) for citation in line["citations"])
    told["streams"] = tuple(map(_stream, line["streams"]))
    told["log_evidence"] = _number(line["log_evidence"])
    told["finest"], told["coarsest"] = _defect(line["finest"]), _defect(line["coarsest"])
    return RequirementFinding(**told)


def _stream(told: Mapping[str, Any]) -> StreamFinding:
    test = told["test"]
    return StreamFinding(
        experiment=told["experiment"],
        name=told["name"],
        null=told["null"],
        observations=told["observations"],
        log_evidence=_number(told["log_evidence"]) or 0.0,
        test=ClassicalTest(**test) if test else None,
        holm=told["holm"],
        defect=_defect(told["defect"]),
        frequencies=tuple(Frequency(**frequency) for frequency in told["frequencies"]),
    )


def _defect(told: Mapping[str, Any] | None) -> Defect | None:
    return Defect(**told) if told else None


def _number(told: float | str | None) -> float | None:
    return INFINITIES[told] if isinstance(told, str) else told


def _known_fields(kind: type, line: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what a line says under the names of a class's fields."""
    return ((one.name, line[one.name]) for one in fields(kind) if one.name in line)
