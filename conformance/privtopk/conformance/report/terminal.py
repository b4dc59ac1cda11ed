"""Prints a run on the terminal: a table, then every failure and how to reproduce it."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.report.findings import RequirementFinding, SubjectFindings, findings_of
from privtopk.conformance.report.numbers import NONE, seconds, tenth_exponent
from privtopk.conformance.running.runner import Run

COLOURS: Final = {
    CaseVerdict.PASS: "green",
    CaseVerdict.FAIL: "bold red",
    CaseVerdict.ERROR: "bold yellow",
    CaseVerdict.SKIP: "dim",
}
LABEL: Final = 10
"""The width of the names in a paragraph."""


def print_run(run: Run, console: Console | None = None) -> None:
    """Print what a run found; the last line is the verdict on the subject."""
    found = findings_of(run)
    shown = console or Console()
    shown.print(table(found), "")
    for finding in found.of(CaseVerdict.SKIP):
        print_plain(shown, paragraph(finding, found.seed))
    for finding in (*found.of(CaseVerdict.ERROR), *found.of(CaseVerdict.FAIL)):
        print_plain(shown, "\n" + paragraph(finding, found.seed))
    shown.print()
    colour = "green" if found.is_conforming else "bold red"
    shown.print(Text(found.sentence, colour), soft_wrap=True)


def print_plain(console: Console, text: str) -> None:
    """Print a text as it is: not wrapped, so that a command can be copied, and without markup."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def table(found: SubjectFindings) -> Table:
    """Return the verdicts as a table; the caption counts the skipped requirements."""
    title = Text(found.address, "bold")
    shown = Table(box=None, title=title, title_justify="left", padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("requirement", "verdict"):
        shown.add_column(name, no_wrap=True)
    for name in ("trials", "time", "evidence of needed"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("smallest defect")
    for finding in found.findings:
        if finding.verdict is not CaseVerdict.SKIP:
            shown.add_row(*row(finding))
    skipped = found.count(CaseVerdict.SKIP)
    if skipped:
        shown.caption = Text(f"{skipped} skipped, for the reasons below")
        shown.caption_justify = "left"
    return shown


def row(finding: RequirementFinding) -> tuple[Text | str, ...]:
    """Return one requirement as a row."""
    return (
        Text(finding.id),
        Text(finding.verdict, COLOURS[finding.verdict]),
        f"{finding.trials:,}",
        seconds(finding.seconds),
        evidence(finding),
        finding.defect or NONE,
    )


def evidence(finding: RequirementFinding) -> str:
    """Return the evidence against the subject, and the evidence at which it fails."""
    if finding.log_evidence is None or finding.log_needed is None:
        return NONE
    seen, needed = map(tenth_exponent, (finding.log_evidence, finding.log_needed))
    return f"10^{seen} of 10^{needed}"


def explanation(run: Run, case: Case) -> str:
    """Return the paragraph about one case of a run."""
    found = findings_of(run)
    (finding,) = (one for one in found.findings if one.id == case.requirement.id)
    return paragraph(finding, found.seed)


def paragraph(finding: RequirementFinding, seed: int) -> str:
    """Return the reason of a skip in one line, or the details of a failure."""
    if finding.verdict is CaseVerdict.SKIP:
        return f"skip  {finding.id}: {finding.message}"
    lines = [f"{finding.verdict}  {finding.id}"]
    for name, text in _parts(finding, seed):
        indented = text.replace("\n", "\n" + " " * (LABEL + 2))
        lines.append(f"  {name:<{LABEL}}{indented}")
    return "\n".join(lines)


def _parts(finding: RequirementFinding, seed: int) -> Iterator[tuple[str, str]]:
    yield "required", finding.statement
    yield "happened", finding.message or "nothing to report"
    if finding.bug:
        yield "likely", finding.bug
    for claim in finding.citations:
        yield "claim", f"{claim.number} ({claim.key}): {claim.sentence}"
    yield "seed", str(seed)
    yield "again", finding.replay
