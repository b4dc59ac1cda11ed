"""Elements of the page: tables and verdicts."""

from collections.abc import Iterable, Sequence

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.markup import Markup, tag


def table(names: Sequence[str], rows: Iterable[Markup], texts: int, title: str) -> Markup:
    """Return a table in a box that scrolls; the first columns are texts, the others numbers."""
    heads = (
        tag("th", name, scope="col", class_="number" if i >= texts else None)
        for i, name in enumerate(names)
    )
    inner = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=title)


def number(text: str) -> Markup:
    """Return a cell with a number."""
    return tag("td", text, class_="number")


def word(verdict: CaseVerdict) -> Markup:
    """Return a verdict as a coloured word."""
    return tag("span", str(verdict), class_=f"verdict {verdict}")
