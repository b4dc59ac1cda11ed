"""The section of the page about one requirement: verdict, explanation, plots and streams."""

from collections.abc import Iterator
from typing import Final

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.report.classical_tests import Defect
from privtopk.conformance.report.elements import number, table, word
from privtopk.conformance.report.findings import RequirementFinding, StreamFinding
from privtopk.conformance.report.markup import Markup, join, tag
from privtopk.conformance.report.numbers import NONE, p_value, seconds, tenth_exponent
from privtopk.conformance.report.plots import Plot, evidence_path, scaling_plot, stream_plot

STREAMS_DRAWN: Final = {CaseVerdict.FAIL: 12, CaseVerdict.ERROR: 3, CaseVerdict.PASS: 3}
"""The number of streams that are drawn per requirement; those with the most evidence first."""


def requirement_section(finding: RequirementFinding, case: Case) -> Markup:
    """Return the section about one requirement; it is unfolded unless it passed."""
    name = tag("span", finding.id, class_="id")
    statement = tag("span", finding.statement, class_="statement quiet small")
    figures = tag("span", figures_in_short(finding), class_="facts quiet small")
    summary = tag("summary", word(finding.verdict), tag("span", name, statement), figures)
    inside = tag(
        "div",
        tag("dl", *(part for pair in explanation_terms(finding) for part in pair)),
        plots_section(finding, case),
        streams_section(finding),
        class_="inside",
    )
    return tag("details", summary, inside, open=None if finding.verdict is CaseVerdict.PASS else "")


def figures_in_short(finding: RequirementFinding) -> Markup:
    """Return the figures that fit in one line."""
    figures = [f"{finding.trials:,} trials · {seconds(finding.seconds)}"]
    if finding.log_evidence is not None and finding.log_needed is not None:
        seen, needed = tenth_power(finding.log_evidence), tenth_power(finding.log_needed)
        figures += [" · E ", seen, " of ", needed]
    return join(figures)


def tenth_power(log: float) -> Markup:
    """Return a number given by its natural logarithm as a power of ten."""
    return join(("10", tag("sup", tenth_exponent(log))))


def explanation_terms(finding: RequirementFinding) -> Iterator[tuple[Markup, Markup]]:
    """Yield the terms of the explanation, each with its description."""
    if finding.message:
        yield tag("dt", "What happened"), tag("dd", finding.message)
    if finding.bug:
        yield tag("dt", "Likely bug"), tag("dd", finding.bug)
    if finding.finest and finding.coarsest:
        words = defect_in_words(finding, finding.finest, finding.coarsest)
        yield tag("dt", "Smallest defect"), tag("dd", words)
    claims = [
        tag(
            "p",
            tag("strong", claim.number),
            f": {claim.sentence} ",
            tag("code", claim.key, class_="quiet"),
        )
        for claim in finding.citations
    ]
    yield tag("dt", "Follows from"), tag("dd", *claims)
    command = tag("pre", finding.replay, tabindex="0")
    yield tag("dt", "Try it again"), tag("dd", command, class_="wide")


def defect_in_words(finding: RequirementFinding, finest: Defect, coarsest: Defect) -> str:
    """Return the smallest defect; if streams differ, that of the least sensitive stream too."""
    words = _words(finest)
    if coarsest.short != finest.short:
        words += f" in the most sensitive stream; {_words(coarsest)} in the least sensitive one"
    blind = finding.blind_streams
    return f"{words}; {blind} of {len(finding.streams)} streams are too short" if blind else words


def _words(defect: Defect) -> str:
    return defect.text if defect.nats is None else f"{defect.short} ({defect.text})"


def plots_section(finding: RequirementFinding, case: Case) -> Markup:
    """Return the plots of a requirement."""
    places = [
        (index, name)
        for index, experiment in enumerate(case.experiments)
        for name in experiment.streams
    ]
    places.sort(key=lambda place: -case.stream_log_e(*place))
    most = STREAMS_DRAWN[finding.verdict]
    plots = [evidence_path(case), scaling_plot(case.measured)]
    plots += [stream_plot(case, index, name) for index, name in places[:most]]
    figures = [figure(plot) for plot in plots if plot is not None]
    if not figures:
        return Markup("")
    left = len(places) - most
    note = f"The {most} streams with the most evidence are drawn; {left} more are in the table."
    notes = [tag("p", note, class_="quiet small")] if left > 0 else []
    return join((tag("h4", "Plots"), tag("div", *figures, class_="plots"), *notes))


def figure(plot: Plot) -> Markup:
    """Return a plot with its title and caption."""
    return tag("figure", tag("h5", plot.title), plot.picture, tag("figcaption", plot.caption))


def streams_section(finding: RequirementFinding) -> Markup:
    """Return the table of all streams."""
    if not finding.streams:
        return Markup("")
    names = ("Stream", "Test shown", "Observations", "log₁₀ E", "p", "Holm", "Smallest defect")
    rows = (stream_row(stream) for stream in finding.streams)
    return join((tag("h4", "Streams"), table(names, rows, 2, f"Streams of {finding.id}")))


def stream_row(stream: StreamFinding) -> Markup:
    """Return one stream as a row."""
    return tag(
        "tr",
        tag("td", f"{stream.experiment}, {stream.name}"),
        tag("td", stream.test.name if stream.test else NONE),
        number(f"{stream.observations:,}"),
        number(tenth_exponent(stream.log_evidence)),
        number(p_value(stream.test.p_value if stream.test else None)),
        number(p_value(stream.holm)),
        number(stream.defect.short if stream.defect else "too short"),
    )
