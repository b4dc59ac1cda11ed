"""What the scoreboard says: every figure of it comes from the runs that it is given."""

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
from privtopk.conformance.scoreboard.measuring import MeasuredEntry, UnmeasuredEntry

INTRODUCTION: Final = (
    "What the oracle finds when it is turned on libraries that select privately. Each is called "
    "as its documentation says and tested against the mechanism that it claims, with noise of "
    "the scale that it takes for a budget. A verdict of fail has a probability of at most the "
    "false alarm, for each subject, if the subject is right. A pass is no proof. A skip says "
    "that the requirement does not concern the subject."
)
TIMES: Final = (
    "Trials and time are those of the oracle's whole run. The last column is the median time of a "
    "selection of k = 10 among m = 1,000 items. Times are of one machine on one day."
)
COUNTED: Final = (CaseVerdict.PASS, CaseVerdict.FAIL, CaseVerdict.ERROR, CaseVerdict.SKIP)
MOST_FREQUENCIES: Final = 12
"""Categories of a law that are told in full."""


def scoreboard_blocks(
    results: Sequence[MeasuredEntry | UnmeasuredEntry], left_out: Sequence[LeftOut], date: datetime
) -> tuple[Block, ...]:
    """Return the whole page."""
    told = [result for result in results if isinstance(result, MeasuredEntry)]
    missing = [result for result in results if isinstance(result, UnmeasuredEntry)]
    return (
        Heading(1, "Scoreboard"),
        Paragraph(INTRODUCTION),
        Paragraph(provenance(told, date)),
        Heading(2, "Requirement by subject"),
        subject_table(told),
        Paragraph(TIMES),
        verdict_table(told),
        *failure_sections(told),
        *subject_sections(told),
        *not_run_sections(missing, left_out),
    )


def provenance(told: Sequence[MeasuredEntry], date: datetime) -> str:
    """Return when and with what the page was made."""
    pythons = sorted({one.timing.python for one in told})
    versions = sorted({one.findings.version for one in told})
    alarms = sorted({f"{one.findings.alarm:g}" for one in told})
    budgets = sorted({f"{one.findings.budget:g}" for one in told})
    return (
        f"Made on {date:%d %B %Y, %H:%M} UTC with privtopk {', '.join(versions)} and Python "
        f"{', '.join(pythons)}; false alarm {', '.join(alarms)} a subject, budget "
        f"{', '.join(budgets)}."
    )


def subject_table(told: Sequence[MeasuredEntry]) -> Table:
    """Return the table of subjects with the figures of their runs."""
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
        for number, one in enumerate(told, start=1)
    )
    return Table("Subjects", names, tuple(rows), 2)


def milliseconds(time: float) -> str:
    """Return the time of a selection."""
    return f"{1e3 * time:.3g} ms"


def verdict_table(told: Sequence[MeasuredEntry]) -> Table:
    """Return requirements by subject, those that concern nobody left out."""
    found = [{one.id: one.verdict for one in result.findings.findings} for result in told]
    ids = dict.fromkeys(id for verdicts in found for id in verdicts)
    rows = (
        (id, *(verdicts.get(id, CaseVerdict.SKIP) for verdicts in found))
        for id in ids
        if any(verdicts.get(id, CaseVerdict.SKIP) is not CaseVerdict.SKIP for verdicts in found)
    )
    names = ("Requirement", *(str(number) for number in range(1, len(told) + 1)))
    return Table("Requirement by subject", names, tuple(rows), 1)


def subject_sections(told: Sequence[MeasuredEntry]) -> Iterator[Block]:
    """Yield what each subject calls, claims and cannot do."""
    yield Heading(2, "What was called, and what it cannot do")
    for number, one in enumerate(told, start=1):
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
    """Return a subject with the number by which the table of verdicts calls it."""
    return f"{number}. {entry.name}"


def failure_sections(told: Sequence[MeasuredEntry]) -> Iterator[Block]:
    """Yield every failure in full, subject by subject."""
    yield Heading(2, "Failures")
    wrong = [one for one in told if one.findings.of(CaseVerdict.FAIL)]
    if not wrong:
        yield Paragraph("None.")
    for one in wrong:
        yield Heading(3, f"{one.entry.name}, {one.entry.package} {one.timing.version}")
        if one.entry.minimal:
            yield Paragraph("The smallest case, without the oracle, and what it printed:")
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
    """Return whether it failed by a breach, and not by evidence."""
    if finding.log_evidence is None or finding.log_needed is None:
        return True
    return finding.log_evidence < finding.log_needed


def decisive_stream(finding: RequirementFinding) -> StreamFinding | None:
    """Return the stream with the most evidence, if evidence decided and it has categories."""
    counted = [] if is_certain(finding) else [one for one in finding.streams if one.frequencies]
    return max(counted, key=lambda one: one.log_evidence, default=None)


def frequencies_text(stream: StreamFinding) -> str:
    """Return how often each outcome was expected and seen, those first that differ most."""
    ordered = sorted(stream.frequencies, key=lambda one: -abs(one.seen - one.expected))
    told = [f"{one.label}: {one.expected:.1f} and {one.seen}" for one in ordered[:MOST_FREQUENCIES]]
    more = len(ordered) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def evidence_text(finding: RequirementFinding) -> str:
    """Return the evidence and what convicts, or that a breach was certain."""
    if finding.log_evidence is None or finding.log_needed is None or is_certain(finding):
        return f"{NONE} (a certain breach)"
    if not math.isfinite(finding.log_evidence):
        return "infinite: what was seen has probability 0"
    needed = tenth_exponent(finding.log_needed)
    return f"10^{tenth_exponent(finding.log_evidence)}, of 10^{needed} that convict"


def replay_command(one: MeasuredEntry, finding: RequirementFinding) -> str:
    """Return the command that tries a failure again, from the environment that it needs."""
    return f"{one.command_prefix}{finding.replay}"


def not_run_sections(
    missing: Sequence[UnmeasuredEntry], left_out: Sequence[LeftOut]
) -> Iterator[Block]:
    """Yield what could not be run, and what is not on the board."""
    if missing:
        yield Heading(2, "Not run")
        reasons = tuple((one.entry.name, one.reason) for one in missing)
        yield Table("Not run", ("Subject", "Reason"), reasons, 2)
    yield Heading(2, "Not on the board")
    seen = tuple((one.package, one.version, one.reason) for one in left_out)
    yield Table("Not on the board", ("Package", "Version looked at", "Reason"), seen, 3)
