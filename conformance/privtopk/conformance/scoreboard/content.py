"""The content of the scoreboard; every figure comes from the given runs."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.findings import RequirementFinding, StreamFinding
from privtopk.conformance.report.numbers import NONE, seconds, tenth_exponent
from privtopk.conformance.scoreboard.document import (
    Block,
    Code,
    FactList,
    Heading,
    Paragraph,
    Table,
)
from privtopk.conformance.scoreboard.entry import LeftOut, ScoreboardEntry
from privtopk.conformance.scoreboard.measuring import EntryResult, MeasuredEntry, UnmeasuredEntry

INTRODUCTION: Final = (
    "The verdicts of the oracle on libraries that select privately. Each library is called as its "
    "documentation says, and tested against the mechanism that it claims, with the noise scale "
    "that it uses for a budget. If a subject is right, the probability that it fails a "
    "requirement is at most the false alarm. A pass is no proof. A skip means that the "
    "requirement does not concern the subject."
)
TIMES: Final = (
    "Trials and time are those of the oracle's whole run. The last column is the median time of a "
    "selection of k = 10 among m = 1,000 items. Times were measured on one machine on one day."
)
COUNTED: Final = (CaseVerdict.PASS, CaseVerdict.FAIL, CaseVerdict.ERROR, CaseVerdict.SKIP)
MOST_FREQUENCIES: Final = 12
"""Number of categories of a law that are listed."""


def scoreboard_blocks(
    results: Sequence[EntryResult], left_out: Sequence[LeftOut], date: datetime
) -> tuple[Block, ...]:
    """Return the blocks of the whole page."""
    measured = [result for result in results if isinstance(result, MeasuredEntry)]
    missing = [result for result in results if isinstance(result, UnmeasuredEntry)]
    return (
        Heading(1, "Scoreboard"),
        Paragraph(INTRODUCTION),
        Paragraph(provenance(measured, date)),
        Heading(2, "Requirement by subject"),
        subject_table(measured),
        Paragraph(TIMES),
        verdict_table(measured),
        *failure_sections(measured),
        *subject_sections(measured),
        *not_run_sections(missing, left_out),
    )


def provenance(measured: Sequence[MeasuredEntry], date: datetime) -> str:
    """Return when and with what the page was made."""
    pythons = sorted({one.timing.python for one in measured})
    versions = sorted({one.findings.version for one in measured})
    alarms = sorted({f"{one.findings.alarm:g}" for one in measured})
    budgets = sorted({f"{one.findings.budget:g}" for one in measured})
    return (
        f"Made on {date:%d %B %Y, %H:%M} UTC with privtopk {', '.join(versions)} and Python "
        f"{', '.join(pythons)}; false alarm {', '.join(alarms)} per subject, budget "
        f"{', '.join(budgets)}."
    )


def subject_table(measured: Sequence[MeasuredEntry]) -> Table:
    """Return the table of subjects, with the figures of their runs."""
    counted = tuple(verdict.capitalize() for verdict in COUNTED)
    names = ("Subject", "Version", *counted, "Trials", "Run", "10 of 1,000")
    rows = (
        (
            numbered_name(number, one.entry),
            one.timing.version,
            *(str(one.findings.count(verdict)) for verdict in COUNTED),
            f"{sum(finding.trials for finding in one.findings.findings):,}",
            seconds(one.findings.seconds),
            milliseconds(one.timing.seconds),
        )
        for number, one in enumerate(measured, start=1)
    )
    return Table("Subjects", names, tuple(rows), 2)


def milliseconds(time: float) -> str:
    """Return a time in milliseconds."""
    return f"{1e3 * time:.3g} ms"


def verdict_table(measured: Sequence[MeasuredEntry]) -> Table:
    """Return the verdicts by requirement and subject, without requirements that all skip."""
    found = [{one.id: one.verdict for one in result.findings.findings} for result in measured]
    ids = dict.fromkeys(id for verdicts in found for id in verdicts)
    rows = (
        (id, *(verdicts.get(id, CaseVerdict.SKIP) for verdicts in found))
        for id in ids
        if any(verdicts.get(id, CaseVerdict.SKIP) is not CaseVerdict.SKIP for verdicts in found)
    )
    names = ("Requirement", *(str(number) for number in range(1, len(measured) + 1)))
    return Table("Requirement by subject", names, tuple(rows), 1)


def subject_sections(measured: Sequence[MeasuredEntry]) -> Iterator[Block]:
    """Yield the section of each subject: what is called, and what it claims and cannot do."""
    yield Heading(2, "What was called, and what it cannot do")
    for number, one in enumerate(measured, start=1):
        entry = one.entry
        yield Heading(3, numbered_name(number, entry))
        yield FactList(
            (
                ("Call", entry.call),
                ("Claimed law", entry.law),
                ("Neighbours", entry.neighbours),
                ("Scale from", entry.calibration),
                ("Reads", entry.access),
                ("Arithmetic", entry.arithmetic),
            )
        )


def numbered_name(number: int, entry: ScoreboardEntry) -> str:
    """Return the name of a subject, with its number in the table of verdicts."""
    return f"{number}. {entry.name}"


def failure_sections(measured: Sequence[MeasuredEntry]) -> Iterator[Block]:
    """Yield the sections of all failures, subject by subject."""
    yield Heading(2, "Failures")
    wrong = [one for one in measured if one.findings.of(CaseVerdict.FAIL)]
    if not wrong:
        yield Paragraph("None.")
    for one in wrong:
        yield Heading(3, f"{one.entry.name}, {one.entry.package} {one.timing.version}")
        if one.entry.minimal:
            yield Paragraph(
                "The smallest program that shows the failure, without the oracle, and its output:"
            )
            yield Code(one.entry.minimal.rstrip(), "py")
            yield Code(one.minimal_output, "text")
        for finding in one.findings.of(CaseVerdict.FAIL):
            yield Heading(4, finding.id)
            yield FactList(tuple(failure_facts(one, finding)))
            yield Code(replay_command(one, finding), "sh")


def failure_facts(one: MeasuredEntry, finding: RequirementFinding) -> Iterator[tuple[str, str]]:
    """Yield the facts of one failure."""
    yield "Required", finding.statement
    yield "Call", one.entry.call
    yield "Claimed law", one.entry.law
    if finding.experiment:
        yield "Setting", finding.experiment
    stream = decisive_stream(finding)
    if stream is None:
        yield "Observed", finding.message
        yield "Samples", f"{finding.trials:,}"
    else:
        yield f"Expected and seen, {stream.name}", frequencies_text(stream)
        yield "Samples", f"{stream.observations:,}, of {finding.trials:,} in all settings"
    yield "E-value", evidence_text(finding)


def is_certain(finding: RequirementFinding) -> bool:
    """Return whether a failure is a certain violation, and not decided by evidence."""
    if finding.log_evidence is None or finding.log_needed is None:
        return True
    return finding.log_evidence < finding.log_needed


def decisive_stream(finding: RequirementFinding) -> StreamFinding | None:
    """Return the stream with the most evidence and categories, if evidence decided."""
    counted = [] if is_certain(finding) else [one for one in finding.streams if one.frequencies]
    return max(counted, key=lambda one: one.log_evidence, default=None)


def frequencies_text(stream: StreamFinding) -> str:
    """Return how often each outcome was expected and seen, largest differences first."""
    ordered = sorted(stream.frequencies, key=lambda one: -abs(one.seen - one.expected))
    listed = [
        f"{one.label}: {one.expected:.1f} and {one.seen}" for one in ordered[:MOST_FREQUENCIES]
    ]
    more = len(ordered) - len(listed)
    return "; ".join(listed) + (f"; and {more} more" if more > 0 else "")


def evidence_text(finding: RequirementFinding) -> str:
    """Return the evidence and how much is needed to fail, or that the violation is certain."""
    if finding.log_evidence is None or finding.log_needed is None or is_certain(finding):
        return f"{NONE} (a certain breach)"
    if not math.isfinite(finding.log_evidence):
        return "infinite: an outcome of probability 0 was seen"
    needed = tenth_exponent(finding.log_needed)
    return f"10^{tenth_exponent(finding.log_evidence)}; 10^{needed} is enough to fail"


def replay_command(one: MeasuredEntry, finding: RequirementFinding) -> str:
    """Return the command that repeats a failure, with the environment that it needs."""
    return f"{one.command_prefix}{finding.replay}"


def not_run_sections(
    missing: Sequence[UnmeasuredEntry], left_out: Sequence[LeftOut]
) -> Iterator[Block]:
    """Yield the entries that could not be run, and the libraries that were left out."""
    if missing:
        yield Heading(2, "Not run")
        reasons = tuple((one.entry.name, one.reason) for one in missing)
        yield Table("Not run", ("Subject", "Reason"), reasons, 2)
    yield Heading(2, "Not on the board")
    rows = tuple((one.package, one.version, one.reason) for one in left_out)
    yield Table("Not on the board", ("Package", "Version examined", "Reason"), rows, 3)
