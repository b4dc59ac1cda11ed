"""The report: whether the checks confirm the status of every claim.

A claim that holds needs a check that supports it; a search is not enough. A refuted claim needs a
check that refutes it and, if it has a correction, a check that supports that. An open claim never
counts as holding. Every claim needs a negative control: a seeded bug that a supporting check
refutes, and for a refuted claim one that its witness does not survive. And it states how far its
evidence reaches, which must be what its checks say. One failed check, one surviving bug, one claim
without a check or without a control fails the report.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from privtopk.spec.claims.table import Claim, EvidenceClass, Status
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import FOR_ALL, Evidence, Role
from privtopk.spec.proofs.gate.task import Outcome, TaskKind


@dataclass(frozen=True, slots=True)
class Row:
    """One claim with its checks and what they found."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    outcomes: Mapping[str, Outcome]

    controls: tuple[str, ...]
    """The names of the seeded bugs that its checks must refute."""

    uncontrolled: tuple[Role, ...]
    """The roles of checks that it needs and that no seeded bug tests."""

    @property
    def available(self) -> tuple[Evidence, ...]:
        """Its checks, without those whose program is not installed."""
        return tuple(
            evidence
            for evidence in self.evidence
            if not (outcome := self.outcomes.get(evidence.name)) or not outcome.is_missing
        )

    @property
    def problem(self) -> str:
        """What the status of the claim lacks, whatever the checks find; empty if nothing."""
        roles = {evidence.role for evidence in self.available}
        if self.claim.status is Status.OPEN:
            return "is open, but has more than searches" if roles - {Role.SEARCHES} else ""
        if not self.available:
            return "has no check"
        if self.claim.status is Status.REFUTED:
            if Role.REFUTES not in roles:
                return "is refuted, but no check refutes it"
            if self.claim.correction and Role.SUPPORTS not in roles:
                return "is corrected, but no check supports the correction"
            return ""
        if Role.SUPPORTS not in roles:
            return "holds, but no check supports it"
        if self.claim.status is Status.HOLDS and Role.REFUTES in roles:
            return "holds, but has a refuting check"
        return ""

    @property
    def overstatement(self) -> str:
        """How the claim says more than its checks about their reach; empty if it does not."""
        supports = [each for each in self.evidence if each.role is Role.SUPPORTS]
        if self.claim.basis.evidence_class is EvidenceClass.FOR_ALL:
            supports = [each for each in supports if each.method in FOR_ALL]
            if not supports:
                return "is for all parameters, but neither Coq nor z3 nor algebra supports it"
        if self.has_failure or not self.is_run or not supports:
            return ""
        words = re.compile(rf"(?<!\w){re.escape(self.claim.basis.checked)}(?!\w)")
        found = [self.outcomes[each.name] for each in supports]
        if any(outcome.is_missing or words.search(outcome.evidence) for outcome in found):
            return ""
        return f"is {self.claim.basis.reach}, but no such check reports that"

    @property
    def fault(self) -> str:
        """The first reason why the claim itself fails the gate; empty if there is none."""
        if self.claim.status is Status.OPEN or (self.is_run and self.problem):
            return self.problem
        if self.uncontrolled:
            return f"has no seeded bug for what {self.uncontrolled[0].value} it"
        return self.overstatement

    @property
    def has_failure(self) -> bool:
        """Whether one of its checks failed."""
        return any(
            not self.outcomes[evidence.name].is_success
            for evidence in self.evidence
            if evidence.name in self.outcomes
        )

    @property
    def has_outcome(self) -> bool:
        """Whether at least one of its checks was run."""
        return any(evidence.name in self.outcomes for evidence in self.evidence)

    @property
    def is_run(self) -> bool:
        """Whether all of its checks were run that can be run here."""
        has_some = bool(self.available) or not self.evidence
        return has_some and all(each.name in self.outcomes for each in self.available)

    @property
    def is_established(self) -> bool:
        """Whether the checks confirm the status of the claim; never true for an open one."""
        is_sound = self.is_run and not self.problem and not self.has_failure
        return is_sound and self.claim.status is not Status.OPEN

    def as_json(self) -> dict[str, object]:
        """Return the row for machines."""
        return {
            "key": self.claim.key,
            "number": self.claim.number,
            "origin": self.claim.origin.value,
            "status": self.claim.status.value,
            "class": self.claim.basis.evidence_class.value,
            "checked": self.claim.basis.checked,
            "proof": self.claim.basis.proof,
            "controls": list(self.controls),
            "is_established": self.is_established,
            "evidence": [
                {
                    "name": evidence.name,
                    "method": evidence.method.value,
                    "role": evidence.role.value,
                    "finding": outcome.finding,
                    "evidence": outcome.evidence,
                    "seconds": round(outcome.seconds, 2),
                }
                for evidence in self.evidence
                if (outcome := self.outcomes.get(evidence.name))
            ],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of one run, and its failures."""

    rows: tuple[Row, ...]
    outcomes: Mapping[str, Outcome]
    seconds: float

    @property
    def failures(self) -> tuple[str, ...]:
        """All reasons why the gate fails: first failed tasks, then claims."""
        return (
            *(f"{o.name}: {o.evidence}" for o in self.outcomes.values() if not o.is_success),
            *(f"{row.claim.key} {row.fault}" for row in self.rows if row.fault),
        )

    def count(self, kind: TaskKind, *findings: str) -> int:
        """Return the number of successful tasks of a kind; if findings are given, only of those."""
        return sum(
            1
            for outcome in self.outcomes.values()
            if outcome.kind is kind
            and outcome.is_success
            and (not findings or outcome.finding in findings)
        )

    def count_established(self, status: Status) -> int:
        """Return the number of claims whose status is this one and is confirmed."""
        return sum(1 for row in self.rows if row.claim.status is status and row.is_established)

    @property
    def classes(self) -> dict[str, int]:
        """The number of claims of each class of evidence."""
        found = [row.claim.basis.evidence_class for row in self.rows]
        return {each.value: found.count(each) for each in EvidenceClass}

    @property
    def coq(self) -> str:
        """What became of the Coq theorems, in one line."""
        outcomes = [outcome for outcome in self.outcomes.values() if outcome.kind is TaskKind.COQ]
        if not outcomes:
            return "not run: left out of this run"
        if missing := [outcome.evidence for outcome in outcomes if outcome.is_missing]:
            return missing[0]
        every = sum(len(outcome.theorems) for outcome in outcomes)
        axioms = len(self.coq_axioms)
        return f"{self.coq_theorems} of {every} theorems proved for all parameters, {axioms} axioms"

    @property
    def has_coq(self) -> bool:
        """Whether a Coq file was compiled."""
        return any(o.kind is TaskKind.COQ and not o.is_missing for o in self.outcomes.values())

    @property
    def coq_theorems(self) -> int:
        """The number of theorems that Coq has proved."""
        return sum(len(o.theorems) for o in self.outcomes.values() if o.finding == "proved")

    @property
    def coq_axioms(self) -> frozenset[str]:
        """The axioms on which Coq theorems rest."""
        return frozenset(axiom for o in self.outcomes.values() for axiom in o.axioms)

    def as_json(self) -> dict[str, object]:
        """Return the report for machines."""
        return {
            "claims": len(self.rows),
            "holds": self.count_established(Status.HOLDS),
            "holds_with_correction": self.count_established(Status.CORRECTED),
            "refuted": self.count_established(Status.REFUTED),
            "open": sum(1 for row in self.rows if row.claim.status is Status.OPEN),
            "claims_without_control": sum(1 for row in self.rows if row.uncontrolled),
            "classes": self.classes,
            "crosshair_confirmed": self.count(TaskKind.THEOREM, "confirmed"),
            "crosshair_searched": self.count(TaskKind.THEOREM, "searched"),
            "crosshair_refuted_as_expected": self.count(TaskKind.THEOREM, "refuted"),
            "coq": self.coq,
            "coq_theorems": self.coq_theorems if self.has_coq else None,
            "coq_axioms": len(self.coq_axioms) if self.has_coq else None,
            "seeded_bugs": sum(
                1 for o in self.outcomes.values() if o.kind is TaskKind.BUG and not o.is_missing
            ),
            "seeded_bugs_killed": self.count(TaskKind.BUG, "killed"),
            "failures": list(self.failures),
            "rows": [row.as_json() for row in self.rows],
            "seconds": round(self.seconds, 1),
        }


def make_report(
    inventory: Inventory, outcomes: Iterable[Outcome], seconds: float, is_selection: bool = False
) -> Report:
    """Return the report; for a selection it has only the claims of which a check was run."""
    by_name = {outcome.name: outcome for outcome in outcomes}
    by_evidence = {name: o for o in by_name.values() for name in (o.name, *o.theorems)}
    rows = (
        Row(
            claim,
            inventory.evidence_of(claim),
            by_evidence,
            tuple(bug.name for bug in inventory.controls_of(claim)),
            inventory.uncontrolled_roles(claim),
        )
        for claim in inventory.claims
    )
    shown = (row for row in rows if not is_selection or row.has_outcome)
    return Report(tuple(shown), by_name, seconds)
