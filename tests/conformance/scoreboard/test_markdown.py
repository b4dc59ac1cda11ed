"""Facts about the scoreboard as Markdown."""

import pytest

from conformance.support_scoreboard import DATE, LEFT_OUT, MISSING, right_result, wrong_result
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.scoreboard.content import scoreboard_blocks
from privtopk.conformance.scoreboard.document import Code, FactList, Heading, Paragraph, Table
from privtopk.conformance.scoreboard.markdown import render_block, scoreboard_markdown


def test_the_title_is_followed_by_the_note_that_the_page_is_generated() -> None:
    """The note says that a command writes the page."""
    text = scoreboard_markdown([Heading(1, "Title"), Paragraph("Text.")])
    assert text == ("# Title\n\n<!-- Written by `make scoreboard`; do not edit. -->\n\nText.\n")


def test_a_table_keeps_its_cells_in_one_line() -> None:
    """Characters of Markdown and line breaks do not break the table; failures are bold."""
    table = Table(
        "Title", ("Name", "1"), (("a_b | c\nd", CaseVerdict.FAIL), ("<b>", CaseVerdict.PASS)), 1
    )
    assert render_block(table) == (
        "| Name | 1 |\n|---|---:|\n| a\\_b \\| c d | **fail** |\n| \\<b> | pass |"
    )


def test_facts_are_a_list() -> None:
    """Facts are rendered as a list with one line per fact."""
    assert (
        render_block(FactList((("Call", "f*x"), ("Samples", "3")))) == "- Call: f\\*x\n- Samples: 3"
    )


def test_code_is_left_alone() -> None:
    """Code is rendered unchanged, so that a command can be copied."""
    assert render_block(Code("a_b --c", "sh")) == "```sh\na_b --c\n```"


def test_an_unknown_block_is_refused() -> None:
    """A block of an unknown type is an error."""
    with pytest.raises(TypeError, match=r"^cannot render a block of type int$"):
        render_block(3)  # type: ignore[arg-type]


def test_every_row_of_the_page_has_its_columns() -> None:
    """Rows of a table have as many cells as its head."""
    blocks = scoreboard_blocks([right_result(), wrong_result(), MISSING], LEFT_OUT, DATE)
    widths = [
        {line.replace("\\|", "").count("|") for line in paragraph.splitlines()}
        for paragraph in scoreboard_markdown(blocks).split("\n\n")
        if paragraph.startswith("|")
    ]
    assert [len(width) for width in widths] == [1] * 4
