"""One HTML page about any number of runs: a single file without scripts or requests."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.elements import number, table, word
from privtopk.conformance.report.findings import RequirementFinding, SubjectFindings
from privtopk.conformance.report.markup import Markup, tag
from privtopk.conformance.report.numbers import domain, seconds
from privtopk.conformance.report.requirement_section import requirement_section
from privtopk.conformance.running.runner import Run
from privtopk.conformance.subjects.kinds import Kind

TITLE: Final = "Conformance of private top-k"
SECURITY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
ORDER: Final = (CaseVerdict.FAIL, CaseVerdict.ERROR, CaseVerdict.PASS)
"""What needs attention comes first; skipped requirements have a list of their own."""

COUNTED: Final = (CaseVerdict.PASS, CaseVerdict.FAIL, CaseVerdict.ERROR, CaseVerdict.SKIP)

READING: Final = (
    "A requirement fails when the evidence E against the subject reaches its limit. A right "
    "subject reaches any limit with at most the false-alarm probability of the run, however often "
    "one looks.",
    "The smallest defect is the smallest deviation that fails the requirement in 9 of 10 runs, "
    "even if it shows in one stream of observations only. A subject that deviates less may pass. "
    "A divergence of x nats per observation is that of an even chance that is off by √(x/2). "
    "If nothing is random, the smallest defect is the percentage of trials in which a breach must "
    "show, or any breach if the trials cover everything.",
    "Kolmogorov-Smirnov and chi-square are shown for every stream that they fit, adjusted by Holm "
    "over all streams of the subject. They decide nothing; chi-square is only an approximation.",
    "For each requirement, the streams with the most evidence are drawn. By chance, one stream in "
    "twenty leaves its 95 % band, and such streams are drawn first.",
    "The command that runs a requirement again gives the harness the same coins. A subject that "
    "draws its own coins shows the same law again, not the same answers.",
)


def page(subjects: Sequence[SubjectFindings], runs: Sequence[Run]) -> str:
    """Return the page about some subjects and the runs on them."""
    sections = [
        section(found, run, place)
        for place, (found, run) in enumerate(zip(subjects, runs, strict=True), 1)
    ]
    main = tag("main", heading(subjects), overview(subjects), reading_guide(), *sections)
    return f"<!DOCTYPE html>\n{tag('html', head(), tag('body', main), lang='en')}\n"


def head(title: str = TITLE) -> Markup:
    """Return the head of the page: title, style and security policy."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=SECURITY),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )


def heading(subjects: Sequence[SubjectFindings]) -> Markup:
    """Return the title, the number of subjects that conform, the version and the date."""
    conforming = sum(found.is_conforming for found in subjects)
    verdict = f"{conforming} of {len(subjects)} subjects conform."
    made = [f"privtopk {found.version}, {found.date:%d %B %Y, %H:%M} UTC" for found in subjects[:1]]
    origin = tag("p", *made, class_="quiet small")
    return tag("header", tag("h1", TITLE), tag("p", verdict), origin)


def reading_guide() -> Markup:
    """Return how to read the page, folded."""
    summary = tag("summary", tag("span", "How to read this page", class_="id"), class_="plain")
    inside = tag("div", *(tag("p", text) for text in READING), class_="inside small")
    return tag("details", summary, inside)


def overview(subjects: Sequence[SubjectFindings]) -> Markup:
    """Return a table of all subjects."""
    names = ("Subject", "Verdict", "Passed", "Failed", "Undecided", "Skipped", "Time")
    rows = [
        tag(
            "tr",
            tag("th", tag("a", found.name, href=f"#subject-{i}"), scope="row"),
            tag("td", verdict_on(found)),
            *(number(str(found.count(v))) for v in COUNTED),
            number(seconds(found.seconds)),
        )
        for i, found in enumerate(subjects, 1)
    ]
    return table(names, rows, 2, "All subjects")


def verdict_on(found: SubjectFindings) -> Markup:
    """Return the verdict on a subject."""
    if found.is_conforming:
        return tag("span", "conforms", class_="verdict pass")
    if found.of(CaseVerdict.FAIL):
        return tag("span", "does not conform", class_="verdict fail")
    return tag("span", "undecided", class_="verdict error")


def section(found: SubjectFindings, run: Run, place: int) -> Markup:
    """Return the section about one subject; failed requirements come first, unfolded."""
    pairs = list(zip(found.findings, run.cases, strict=True))
    requirements = (
        requirement_section(finding, case)
        for verdict in ORDER
        for finding, case in pairs
        if finding.verdict is verdict
    )
    title = tag("h2", found.name, " ", verdict_on(found), id=f"subject-{place}-name")
    return tag(
        "section",
        title,
        tag("p", tag("code", found.address), class_="quiet"),
        tag("p", found.sentence),
        tag("p", facts(found), class_="quiet small"),
        tag("h3", "Requirements"),
        *requirements,
        skips(found.of(CaseVerdict.SKIP)),
        class_="subject",
        id=f"subject-{place}",
        aria_labelledby=f"subject-{place}-name",
    )


def facts(found: SubjectFindings) -> str:
    """Return what the subject declares, and the options of the run."""
    abilities = found.abilities
    plan = f"Seed {found.seed}, budget {found.budget:g}, false alarm {found.alarm:g}."
    if abilities.kind is not Kind.SELECTOR:
        return f"A {abilities.kind}. {plan}"
    noises = " and ".join(abilities.noises)
    answers = "ranked lists and sets" if abilities.ranked else "sets"
    size = domain(abilities.largest)
    return f"A selector of {answers} with {noises} noise, {abilities.cost} cost, m ≤ {size}. {plan}"


def skips(skipped: Sequence[RequirementFinding]) -> Markup:
    """Return the skipped requirements and the reasons."""
    if not skipped:
        return Markup("")
    reasons = (
        tag("li", tag("span", finding.id, class_="id"), f": {finding.message}")
        for finding in skipped
    )
    summary = tag(
        "summary",
        word(CaseVerdict.SKIP),
        tag("span", f"{len(skipped)} requirements do not concern this subject", class_="id"),
    )
    listed = tag("ul", *reasons, class_="reasons small")
    return tag("details", summary, tag("div", listed, class_="inside"))
