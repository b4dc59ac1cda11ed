"""Citations: the docstrings that name the claims they state.

The last lines of such a docstring list keys, one line per origin: `Paper:` for statements of the
paper, `Deviates:` for errata, `Ours:` for our own theorems. A remark in parentheses may follow a
key.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from privtopk.spec.claims.table import Origin

TAGS = {Origin.PAPER: "Paper", Origin.ERRATUM: "Deviates", Origin.OURS: "Ours"}
"""The word before the keys of each origin."""

_LINE = re.compile(rf"^({'|'.join(TAGS.values())}):(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_KEY = re.compile(r"\b[a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Citation:
    """One key in one docstring."""

    key: str

    tag: str
    """`Paper`, `Deviates` or `Ours`."""

    module: str
    """The module below the folder that was read, for example `model.access`."""

    name: str = ""
    """The function or class, for example `Ledger.cost`; empty for the docstring of the module."""

    @property
    def is_in_specification(self) -> bool:
        """Whether it states the claim, and does not list or prove it."""
        return self.module.partition(".")[0] not in ("claims", "proofs")


def citations_below(folder: Path) -> tuple[Citation, ...]:
    """Return every citation in the modules below a folder, in the order of files and lines."""
    return tuple(
        Citation(key, tag, ".".join(path.relative_to(folder).with_suffix("").parts), name)
        for path in sorted(folder.rglob("*.py"))
        for name, docstring in _docstrings(ast.parse(path.read_text("utf-8")))
        for tag, key in cited_keys(docstring)
    )


def cited_keys(docstring: str) -> Iterator[tuple[str, str]]:
    """Yield the keys that a docstring cites, each with the tag of its line."""
    for tag, keys in _LINE.findall(inspect.cleandoc(docstring)):
        yield from ((tag, key) for key in _KEY.findall(keys))


def _docstrings(
    node: ast.Module | ast.ClassDef | ast.FunctionDef, name: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of a module, its classes and its functions, with their names."""
    yield name, ast.get_docstring(node) or ""
    for inner in node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef):
            yield from _docstrings(inner, f"{name}.{inner.name}".removeprefix("."))
