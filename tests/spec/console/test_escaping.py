"""Facts about text that is made safe for a terminal."""

import pytest

from privtopk.spec.console.escaping import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("two\nlines", r"two\nlines"),
        ("over\rwritten", r"over\rwritten"),
        ("a\ttab", r"a\ttab"),
        ("bell\x07, delete\x7f", r"bell\x07, delete\x7f"),
        ("one byte \x9b[2J", r"one byte \x9b[2J"),
        ("abc\u202edcba", r"abc\u202edcba"),
        ("isolated \u2066 text \u2069", r"isolated \u2066 text \u2069"),
        ("line\u2028separator", r"line\u2028separator"),
        ("lone \ud800 surrogate", r"lone \ud800 surrogate"),
        ("hidden \U000e0041 tag", r"hidden \U000e0041 tag"),
        ("\ufeffmark", r"\ufeffmark"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    """Control and format characters, line separators and lone surrogates become escapes."""
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        r"C:\new",
        "café",
        "東京\u3000大阪",
        "می\u200cخواهم",
        "👩\u200d💻",
        "no\u00a0break",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    """Letters of all scripts, spaces, backslashes and emoji are unchanged."""
    assert printable(text) == text
