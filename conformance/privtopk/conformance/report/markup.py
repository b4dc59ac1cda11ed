"""Markup that is always escaped: only `tag` makes it, and it escapes every text."""

from collections.abc import Iterable
from html import escape
from typing import Final

EMPTY_ELEMENTS: Final = frozenset({"meta", "link", "br", "hr"})
"""Elements of HTML that have no end tag."""


class Markup(str):
    """A text that is markup and must not be escaped again."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: object) -> Markup:
    """Return an element; a child that is no `Markup` is escaped, an attribute of None left out.

    Attributes are named as in Python: `class_` for class, `stroke_width` for stroke-width.
    """
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in EMPTY_ELEMENTS:
        return Markup(f"<{name}{text}>")
    return Markup(f"<{name}{text}>{join(children)}</{name}>")


def join(children: Iterable[str]) -> Markup:
    """Return the children one after another, with texts escaped."""
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    )
