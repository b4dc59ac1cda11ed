"""The scoreboard as one HTML page, in the style of the report: no script and no request."""

from collections.abc import Sequence
from typing import Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.elements import number, table, word
from privtopk.conformance.report.html import head
from privtopk.conformance.report.markup import Markup, tag
from privtopk.conformance.scoreboard.document import (
    Block,
    Cell,
    Code,
    FactList,
    Heading,
    Paragraph,
    Table,
)

TITLE: Final = "Scoreboard of private top-k"


def scoreboard_page(blocks: Sequence[Block]) -> str:
    """Return the page."""
    main = tag("main", *map(render_block, blocks))
    return f"<!DOCTYPE html>\n{tag('html', head(TITLE), tag('body', main), lang='en')}\n"


def render_block(block: Block) -> Markup:
    """Return one block as HTML."""
    match block:
        case Heading(level, text):
            return tag(f"h{level}", text)
        case Paragraph(text):
            return tag("p", text)
        case Table():
            return render_table(block)
        case FactList(pairs):
            terms = (part for term, text in pairs for part in (tag("dt", term), tag("dd", text)))
            return tag("dl", *terms)
        case Code(text):
            return tag("pre", text, tabindex="0")
        case _:
            raise TypeError(f"cannot render a block of type {type(block).__name__}")


def render_table(block: Table) -> Markup:
    """Return a table as HTML."""
    rows = (
        tag("tr", *(table_cell(text, place >= block.texts) for place, text in enumerate(row)))
        for row in block.rows
    )
    return table(block.names, rows, block.texts, block.title)


def table_cell(text: Cell, is_number: bool) -> Markup:
    """Return a cell: a verdict in its colour, a right-aligned number, or a text."""
    if isinstance(text, CaseVerdict):
        return tag("td", word(text), class_="number")
    return number(text) if is_number else tag("td", text)
