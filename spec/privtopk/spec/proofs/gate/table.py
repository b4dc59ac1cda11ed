"""The report as text for a terminal of 100 columns."""

from collections.abc import Iterator
from textwrap import wrap

from privtopk.spec.claims.table import Status
from privtopk.spec.proofs.gate.registry import Role
from privtopk.spec.proofs.gate.report import Report, Row
from privtopk.spec.proofs.gate.task import Outcome

WIDTH = 100

SHORT = {
    Status.HOLDS: "holds",
    Status.CORRECTED: "corrected",
    Status.REFUTED: "refuted",
    Status.OPEN: "open",
}
"""A confirmed status in one word."""


def render(report: Report) -> str:
    """Return the table of claims, the counts, and every failure in full."""
    return "\n".join([*_table(report), "", *_counts(report), *_failures(report)])


def _table(report: Report) -> Iterator[str]:
    """Yield for each claim a line with its class, one per method, and one with its controls."""
    cells = [cell for row in report.rows for cell in _cells(row)]
    header = ("claim", "number", "status", "method", "evidence")
    caps = (34, 16, 9, 11)
    widths = [
        min(cap, max(len(line[column]) for line in (header, *cells)))
        for column, cap in enumerate(caps)
    ]
    widths.append(WIDTH - sum(widths) - len(widths))
    for *line, evidence in (header, *cells):
        wrapped = wrap(evidence, widths[-1], max_lines=2, placeholder=" …") or [""]
        start = " ".join(_fit(cell, width) for cell, width in zip(line, widths, strict=False))
        yield f"{start} {wrapped[0]}".rstrip()
        yield from (" " * (len(start) + 1) + rest for rest in wrapped[1:])


def _cells(row: Row) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the cells of a claim; only its first line names the claim."""
    first = (row.claim.key, row.claim.number, _standing(row))
    groups: dict[str, list[Outcome]] = {}
    for evidence in sorted(row.evidence, key=lambda evidence: evidence.role is not _main_role(row)):
        if outcome := row.outcomes.get(evidence.name):
            groups.setdefault(evidence.method.value, []).append(outcome)
    yield (*first, "class", row.claim.basis.reach)
    if not groups and row.problem:
        yield ("", "", "", "", row.problem)
    for method, outcomes in groups.items():
        yield ("", "", "", method, _summary(outcomes))
    yield ("", "", "", "control", ", ".join(row.controls) or "none")


def _main_role(row: Row) -> Role:
    """Return the role that decides about the status of a claim."""
    return Role.REFUTES if row.claim.status is Status.REFUTED else Role.SUPPORTS


def _standing(row: Row) -> str:
    """Return the status in one word if it is confirmed, and otherwise what is wrong."""
    if row.has_failure or (row.is_run and row.problem):
        return "FAILED"
    if row.is_established or row.claim.status is Status.OPEN:
        return SHORT[row.claim.status]
    return "not run"


def _summary(outcomes: list[Outcome]) -> str:
    """Return the evidence of one method: a failure if there is one, else the strongest finding."""
    weakest_last = sorted(outcomes, key=lambda o: (o.is_success, o.finding == "searched"))
    more = f" (+{len(outcomes) - 1})" if len(outcomes) > 1 else ""
    return weakest_last[0].evidence + more


def _fit(text: str, width: int) -> str:
    """Return the text on one line of exactly this width."""
    line = " ".join(text.split())
    return line.ljust(width) if len(line) <= width else line[: width - 1] + "…"


def _counts(report: Report) -> Iterator[str]:
    """Yield the totals."""
    numbers = report.as_json()
    yield (
        "{claims} claims: {holds} hold, {holds_with_correction} hold with correction, "
        "{refuted} refuted as printed, {open} open"
    ).format_map(numbers)
    counts = (f"{count} {name}" for name, count in report.classes.items())
    yield f"Classes: {', '.join(counts)}"
    yield (
        "CrossHair: {crosshair_confirmed} confirmed, {crosshair_searched} searched only, "
        "{crosshair_refuted_as_expected} refuted as expected"
    ).format_map(numbers)
    yield "Coq: {coq}".format_map(numbers)
    yield (
        "Seeded bugs: {seeded_bugs_killed} of {seeded_bugs} killed; "
        "{claims_without_control} claims lack one"
    ).format_map(numbers)
    yield "{seconds} s".format_map(numbers)


def _failures(report: Report) -> Iterator[str]:
    """Yield every failure in full."""
    if report.failures:
        yield f"\nFAILED ({len(report.failures)})"
    for failure in report.failures:
        yield f"  {failure}"
