"""Facts about the scoreboard as a page."""

from xml.etree import ElementTree

import pytest

from conformance.support_scoreboard import DATE, LEFT_OUT, MISSING, right_result, wrong_result
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.scoreboard.content import scoreboard_blocks
from privtopk.conformance.scoreboard.document import Code, FactList, Table
from privtopk.conformance.scoreboard.html import render_block, scoreboard_page


def test_the_page_says_all_and_asks_for_nothing() -> None:
    """Every text of a subject is escaped, and the policy forbids scripts and requests."""
    text = scoreboard_page(
        scoreboard_blocks([right_result(), wrong_result(), MISSING], LEFT_OUT, DATE)
    )
    assert text.startswith("<!DOCTYPE html>\n<html")
    assert "<title>Scoreboard of private top-k</title>" in text
    assert "default-src &#x27;none&#x27;" in text
    assert "NaN | &lt;b&gt;" in text
    assert "<script" not in text


def test_a_table_shows_verdicts_in_their_colours() -> None:
    """A verdict is a word with its class, and a number is right-aligned."""
    table = render_block(Table("Title", ("Name", "1"), (("a", CaseVerdict.FAIL),), 1))
    root = ElementTree.fromstring(table)
    cells = root.findall(".//td")
    assert [cell.get("class") for cell in cells] == [None, "number"]
    (verdict,) = cells[1]
    assert (verdict.text, verdict.get("class")) == ("fail", "verdict fail")


def test_facts_are_terms_and_descriptions() -> None:
    """Facts are rendered as a definition list."""
    assert render_block(FactList((("Call", "f<x"),))) == "<dl><dt>Call</dt><dd>f&lt;x</dd></dl>"


def test_code_can_be_scrolled_by_keyboard() -> None:
    """Code can be focused and scrolled by keyboard."""
    assert render_block(Code("a", "sh")) == '<pre tabindex="0">a</pre>'


def test_an_unknown_block_is_refused() -> None:
    """A block of an unknown type is an error."""
    with pytest.raises(TypeError, match=r"^cannot render a block of type int$"):
        render_block(3)  # type: ignore[arg-type]
