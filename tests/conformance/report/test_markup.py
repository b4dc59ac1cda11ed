"""Markup escapes every text that is not markup."""

from privtopk.conformance.report.markup import Markup, join, tag


def test_text_is_escaped() -> None:
    """Text is escaped, so that a subject cannot write elements."""
    assert tag("p", "<b> & 'b'") == "<p>&lt;b&gt; &amp; &#x27;b&#x27;</p>"


def test_markup_is_kept() -> None:
    """Elements nest."""
    assert tag("p", tag("b", "x")) == "<p><b>x</b></p>"


def test_attributes_are_escaped() -> None:
    """A quote does not end an attribute; names are as in Python, and None is left out."""
    written = tag("td", class_='"><script>', stroke_width=2, id=None)
    assert written == '<td class="&quot;&gt;&lt;script&gt;" stroke-width="2"></td>'


def test_empty_elements_have_no_end() -> None:
    """Empty elements of HTML have no end tag."""
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_joined_escapes_texts_only() -> None:
    """Markup among texts stays markup."""
    assert join(("<", Markup("<br>"))) == "&lt;<br>"
