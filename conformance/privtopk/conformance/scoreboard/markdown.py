"""The scoreboard as a page of the documentation."""

from collections.abc import Sequence
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
    """Return the page; a note that it is generated follows the title."""
    title, *rest = map(render_block, blocks)
    return "\n\n".join([title, NOTE, *rest]) + "\n"


def render_block(block: Block) -> str:
    """Return one block as Markdown."""
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escape_markup(text)}"
        case Paragraph(text):
            return escape_markup(text)
        case Table():
            return render_table(block)
        case FactList(pairs):
            return "\n".join(f"- {term}: {escape_markup(text)}" for term, text in pairs)
        case Code(text, language):
            return f"```{language}\n{text}\n```"
        case _:
            raise TypeError(f"cannot render a block of type {type(block).__name__}")


def render_table(block: Table) -> str:
    """Return a table as Markdown."""
    lines = [
        table_row(block.names),
        "|" + "---|" * block.texts + "---:|" * (len(block.names) - block.texts),
        *map(table_row, block.rows),
    ]
    return "\n".join(lines)


def table_row(cells: Sequence[Cell]) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(map(table_cell, cells)) + " |"


def table_cell(text: Cell) -> str:
    """Return a cell in one line; a failure is bold."""
    if text is CaseVerdict.FAIL:
        return "**fail**"
    return escape_markup(" ".join(text.split())).replace("|", "\\|")


def escape_markup(text: str) -> str:
    """Return a text with the characters of Markdown escaped."""
    for sign in "\\`*_<[":
        text = text.replace(sign, f"\\{sign}")
    return text
