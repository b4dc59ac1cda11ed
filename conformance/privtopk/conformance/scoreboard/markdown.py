"""The scoreboard as a page of the documentation."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from privtopk.conformance.evidence.decision import Verdict
from privtopk.conformance.scoreboard.document import (
    Block,
    Cell,
    Code,
    Facts,
    Heading,
    Paragraph,
    Table,
)

NOTE: Final = "<!-- Written by `make scoreboard`; do not edit. -->"


def markdown(blocks: Sequence[Block]) -> str:
    """Return the page; the note that it is generated follows the title."""
    title, *rest = map(written, blocks)
    return "\n\n".join([title, NOTE, *rest]) + "\n"


@singledispatch
def written(block: Block) -> str:
    """Return one block."""
    raise TypeError(f"no way to write a {type(block).__name__}")


@written.register
def _(block: Heading) -> str:
    return f"{'#' * block.level} {escaped(block.text)}"


@written.register
def _(block: Paragraph) -> str:
    return escaped(block.text)


@written.register
def _(block: Table) -> str:
    lines = [
        row_of(block.names),
        "|" + "---|" * block.texts + "---:|" * (len(block.names) - block.texts),
        *map(row_of, block.rows),
    ]
    return "\n".join(lines)


@written.register
def _(block: Facts) -> str:
    return "\n".join(f"- {term}: {escaped(text)}" for term, text in block.pairs)


@written.register
def _(block: Code) -> str:
    return f"```{block.language}\n{block.text}\n```"


def row_of(cells: Sequence[Cell]) -> str:
    """Return a row of a table; a failure stands out."""
    return "| " + " | ".join(map(cell, cells)) + " |"


def cell(text: Cell) -> str:
    """Return a cell in one line."""
    if text is Verdict.FAIL:
        return "**fail**"
    return escaped(" ".join(text.split())).replace("|", "\\|")


def escaped(text: str) -> str:
    """Return a text whose signs are not taken for markup."""
    for sign in "\\`*_<[":
        text = text.replace(sign, f"\\{sign}")
    return text
