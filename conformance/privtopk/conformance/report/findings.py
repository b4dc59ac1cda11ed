"""What a run found, as numbers and texts that every report shows.

Texts that a subject can write (its errors, its name) are made printable here, once. No control
character and no half of a surrogate pair reaches a terminal, an XML file or a page.
"""

import math
import shlex
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

import numpy as np

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.e_process import Categories, Null
from privtopk.conformance.report.classical_tests import (
    ClassicalTest,
    Defect,
    classical_test,
    holm,
    smallest_breach,
    smallest_defect,
)
from privtopk.conformance.running.runner import Run, RunPlan
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.loading import command_of
from privtopk.conformance.writing import printable_lines
from privtopk.spec.claims.table import claim_of

OPTIONS: Final = {
    "--budget": "budget",
    "--alarm": "alarm",
    "--profile": "profile",
    "--timeout": "call_seconds",
    "--memory": "mebibytes",
}
"""The options of the command that can change a verdict, and the fields of a plan that they set."""


IN_PROCESS: Final = (
    "It was called in the process of the harness (--in-process), where a subject can change its "
    "own verdict."
)


@dataclass(frozen=True, slots=True)
class ClaimCitation:
    """A claim from which a requirement follows."""

    key: str
    number: str
    statement: str
    correction: str
    """What holds instead, if the statement does not hold as printed; else empty."""

    @property
    def sentence(self) -> str:
        """The statement, with its correction if it has one."""
        return (
            f"{self.statement} Corrected: {self.correction}" if self.correction else self.statement
        )


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often one category was observed, and how often it was expected."""

    label: str
    expected: float
    seen: int


@dataclass(frozen=True, slots=True)
class StreamFinding:
    """What one stream of observations showed."""

    experiment: str
    name: str
    null: str
    observations: int
    log_evidence: float
    test: ClassicalTest | None
    holm: float | None = None
    """The p-value of the classical test, adjusted by Holm over all streams of the run."""

    defect: Defect | None = None

    frequencies: tuple[Frequency, ...] = ()
    """Every category of the stream, if its experiment failed."""


@dataclass(frozen=True, slots=True)
class RequirementFinding:
    """The verdict on one requirement, with its evidence."""

    id: str
    statement: str
    citations: tuple[ClaimCitation, ...]
    verdict: CaseVerdict
    message: str

    experiment: str | None
    """The experiment that failed, if one did."""

    bug: str | None
    """What is probably wrong with the subject, if it failed."""

    trials: int
    seconds: float
    log_evidence: float | None
    """None if the decision does not depend on chance."""

    alpha: float
    streams: tuple[StreamFinding, ...]

    finest: Defect | None
    """The smallest defect that would have failed, in the most sensitive stream."""

    coarsest: Defect | None
    """The same in the least sensitive stream that can show a defect."""

    replay: str

    @property
    def log_needed(self) -> float | None:
        """The log evidence at which it fails."""
        return None if self.log_evidence is None else -math.log(self.alpha)

    @property
    def defect(self) -> str | None:
        """The smallest defects of all streams, as a range."""
        if self.finest is None or self.coarsest is None:
            return None
        finest, coarsest = self.finest.short, self.coarsest.short
        return finest if finest == coarsest else f"{finest.removesuffix(' nats')} to {coarsest}"

    @property
    def blind_streams(self) -> int:
        """The number of streams that were too short to show any defect."""
        return sum(stream.defect is None for stream in self.streams)


@dataclass(frozen=True, slots=True)
class SubjectFindings:
    """The verdicts on all requirements of a subject."""

    address: str
    name: str
    abilities: Abilities
    findings: tuple[RequirementFinding, ...]
    seconds: float
    seed: int
    budget: float
    alarm: float
    version: str
    date: datetime
    is_conforming: bool

    is_in_process: bool = False
    """Whether a Python subject was called in the processes of the harness."""

    def of(self, verdict: CaseVerdict) -> tuple[RequirementFinding, ...]:
        """Return the findings with a verdict."""
        return tuple(finding for finding in self.findings if finding.verdict is verdict)

    def count(self, verdict: CaseVerdict) -> int:
        """Return the number of requirements with a verdict."""
        return len(self.of(verdict))

    @property
    def sentence(self) -> str:
        """The verdict on the subject, in one sentence."""
        skipped = self.count(CaseVerdict.SKIP)
        tried = len(self.findings) - skipped
        text = f"{self.name} {self._outcome(tried)}; {skipped} skipped, {self.seconds:.1f} s."
        return f"{text} {IN_PROCESS}" if self.is_in_process else text

    def _outcome(self, tried: int) -> str:
        failed, undecided = self.of(CaseVerdict.FAIL), self.of(CaseVerdict.ERROR)
        if failed:
            names = ", ".join(finding.id for finding in failed)
            return f"does not conform: it fails {len(failed)} of {tried} requirements ({names})"
        if undecided:
            return f"is undecided: {len(undecided)} of {tried} requirements could not be tested"
        if not tried:
            return "is undecided: no requirement was tested"
        return f"conforms: it passes all {tried} requirements that concern it"


def findings_of(run: Run, date: datetime | None = None) -> SubjectFindings:
    """Return what a run found, with the classical p-values adjusted over the whole run."""
    found = [_finding(case, run) for case in run.cases]
    return SubjectFindings(
        address=printable_lines(run.address),
        name=printable_lines(name_of(run.address)),
        abilities=run.abilities,
        findings=_adjust_p_values(found),
        seconds=run.seconds,
        seed=run.plan.seed,
        budget=run.plan.budget,
        alarm=run.plan.alarm,
        version=version("privtopk"),
        date=(date or datetime.now(UTC)).astimezone(UTC),
        is_conforming=run.is_conforming,
        is_in_process=run.is_in_process,
    )


def _finding(case: Case, run: Run) -> RequirementFinding:
    requirement = case.requirement
    streams = _streams(case)
    verdict = case.verdict or CaseVerdict.ERROR
    finest, coarsest = _defects(case, streams) if verdict is CaseVerdict.PASS else (None, None)
    return RequirementFinding(
        id=requirement.id,
        statement=requirement.statement,
        citations=tuple(_citation(key) for key in requirement.claims),
        verdict=verdict,
        message=printable_lines(case.message),
        experiment=_failed_experiment(case),
        bug=requirement.bug if verdict is CaseVerdict.FAIL else None,
        trials=case.trials,
        seconds=case.seconds,
        log_evidence=case.log_e if case.is_random else None,
        alpha=case.alpha,
        streams=streams,
        finest=finest,
        coarsest=coarsest,
        replay=printable_lines(replay_command(run, requirement.id)),
    )


def _streams(case: Case) -> tuple[StreamFinding, ...]:
    total = sum(len(experiment.streams) for experiment in case.experiments)
    found = []
    for index, experiment in enumerate(case.experiments):
        seen = case.observations_of(index)
        for name, null in experiment.streams.items():
            n = len(seen.get(name, ()))
            found.append(
                StreamFinding(
                    experiment=printable_lines(experiment.name),
                    name=name,
                    null=type(null).__name__,
                    observations=n,
                    log_evidence=case.stream_log_e(index, name),
                    test=classical_test(null, seen[name]) if n else None,
                    defect=smallest_defect(null, n, case.alpha, total),
                    frequencies=_frequencies(case, index, name, null) if n else (),
                )
            )
    return tuple(found)


def _failed_experiment(case: Case) -> str | None:
    """Return the name of the experiment that failed."""
    if case.failed_experiment is None:
        return None
    return printable_lines(case.experiments[case.failed_experiment].name)


def _frequencies(case: Case, index: int, name: str, null: Null) -> tuple[Frequency, ...]:
    """Return the frequencies of all categories in the experiment that failed; else nothing."""
    if index != case.failed_experiment or not isinstance(null, Categories):
        return ()
    seen = case.observations_of(index)[name]
    counts = np.bincount(seen.astype(np.int64), minlength=len(null.labels))
    return tuple(
        Frequency(label, len(seen) * p, int(count))
        for label, p, count in zip(null.labels, null.probabilities, counts, strict=True)
    )


def _defects(case: Case, streams: tuple[StreamFinding, ...]) -> tuple[Defect | None, Defect | None]:
    """Return the smallest defects of the most and of the least sensitive stream."""
    if not streams:
        is_exhaustive = case.requirement.is_exhaustive
        breach = smallest_breach(case.trials, is_exhaustive=is_exhaustive)
        return breach, breach
    defects = [stream.defect for stream in streams if stream.defect is not None]
    ordered = sorted(defects, key=lambda defect: defect.nats or 0.0)
    return (ordered[0], ordered[-1]) if ordered else (None, None)


def _adjust_p_values(found: list[RequirementFinding]) -> tuple[RequirementFinding, ...]:
    """Return the findings with every p-value of the run adjusted by Holm."""
    streams = [stream for finding in found for stream in finding.streams]
    adjusted = iter(holm([stream.test.p_value if stream.test else None for stream in streams]))
    return tuple(
        replace(
            finding,
            streams=tuple(replace(stream, holm=next(adjusted)) for stream in finding.streams),
        )
        for finding in found
    )


def name_of(address: str) -> str:
    """Return the short name of a subject: the attribute or the command of its address."""
    return command_of(address) or address.rpartition(":")[2]


def _citation(key: str) -> ClaimCitation:
    claim = claim_of(key)
    return ClaimCitation(key, claim.number, claim.statement, claim.correction)


def replay_command(run: Run, requirement: str) -> str:
    """Return the command that runs one requirement again, with the same seed and limits."""
    words = ["privtopk-conformance", "replay", run.address, requirement]
    words += ["--seed", str(run.plan.seed)]
    if run.abilities.kind is not Kind.SELECTOR:
        words += ["--kind", str(run.abilities.kind)]
    for option, field in OPTIONS.items():
        given = getattr(run.plan, field)
        if given != getattr(RunPlan(), field):
            words += [option, str(given)]
    words += ["--in-process"] if run.is_in_process else []
    return shlex.join(words)
