"""The scoreboard as one HTML page, in the manner of the report: no script and no request."""

from collections.abc import Sequence
from functools import singledispatch
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


@singledispatch
def render_block(block: Block) -> Markup:
    """Return one block."""
    raise TypeError(f"no way to write a {type(block).__name__}")


@render_block.register
def _(block: Heading) -> Markup:
    return tag(f"h{block.level}", block.text)


@render_block.register
def _(block: Paragraph) -> Markup:
    return tag("p", block.text)


@render_block.register
def _(block: Table) -> Markup:
    rows = (
        tag("tr", *(table_cell(text, place >= block.texts) for place, text in enumerate(row)))
        for row in block.rows
    )
    return table(block.names, rows, block.texts, block.title)


@render_block.register
def _(block: FactList) -> Markup:
    terms = (part for term, text in block.pairs for part in (tag("dt", term), tag("dd", text)))
    return tag("dl", *terms)


@render_block.register
def _(block: Code) -> Markup:
    return tag("pre", block.text, tabindex="0")


def table_cell(text: Cell, is_number: bool) -> Markup:
    """Return a cell: a verdict in its colour, a number to the right, or a text."""
    if isinstance(text, CaseVerdict):
        return tag("td", word(text), class_="number")
    return number(text) if is_number else tag("td", text)
