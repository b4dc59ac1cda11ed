"""The scoreboard as a page of the documentation."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.scoreboard.document import (
    Block,
    Cell,
    Code,
    FactList,
    Heading,
    Paragraph,
    Table,
)

NOTE: Final = "<!-- Written by `make scoreboard`; do not edit. -->"


def scoreboard_markdown(blocks: Sequence[Block]) -> str:
    """Return the page; the note that it is generated follows the title."""
    title, *rest = map(render_block, blocks)
    return "\n\n".join([title, NOTE, *rest]) + "\n"


@singledispatch
def render_block(block: Block) -> str:
    """Return one block."""
    raise TypeError(f"no way to write a {type(block).__name__}")


@render_block.register
def _(block: Heading) -> str:
    return f"{'#' * block.level} {escape_markup(block.text)}"


@render_block.register
def _(block: Paragraph) -> str:
    return escape_markup(block.text)


@render_block.register
def _(block: Table) -> str:
    lines = [
        table_row(block.names),
        "|" + "---|" * block.texts + "---:|" * (len(block.names) - block.texts),
        *map(table_row, block.rows),
    ]
    return "\n".join(lines)


@render_block.register
def _(block: FactList) -> str:
    return "\n".join(f"- {term}: {escape_markup(text)}" for term, text in block.pairs)


@render_block.register
def _(block: Code) -> str:
    return f"```{block.language}\n{block.text}\n```"


def table_row(cells: Sequence[Cell]) -> str:
    """Return a row of a table; a failure stands out."""
    return "| " + " | ".join(map(table_cell, cells)) + " |"


def table_cell(text: Cell) -> str:
    """Return a cell in one line."""
    if text is CaseVerdict.FAIL:
        return "**fail**"
    return escape_markup(" ".join(text.split())).replace("|", "\\|")


def escape_markup(text: str) -> str:
    """Return a text whose signs are not taken for markup."""
    for sign in "\\`*_<[":
        text = text.replace(sign, f"\\{sign}")
    return text
