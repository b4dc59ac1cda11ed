"""Text from data, files and databases, made safe for a terminal.

Such text may hold an escape sequence that rewrites the screen, a newline that imitates a line of
the program, or a mark that reverses the direction of what follows.
"""

import unicodedata
from typing import Final

UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of control and format characters, lone surrogates and line separators."""

JOINERS: Final = frozenset("\u200c\u200d")
"""Format characters that Persian, Hindi and emoji are spelt with; they move nothing."""


def printable(text: str) -> str:
    r"""Return a text in one line: an unsafe character is replaced by its escape, such as \x1b."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(printable_character, text))


def printable_character(character: str) -> str:
    """Return a character, or its escape if a terminal would obey it."""
    if unicodedata.category(character) not in UNSAFE or character in JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")
