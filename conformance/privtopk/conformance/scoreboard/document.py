"""A page as a list of blocks, which can be rendered as Markdown and as HTML."""

from dataclasses import dataclass
from typing import TypeAlias

from privtopk.conformance.evidence.decision import CaseVerdict

Cell: TypeAlias = str | CaseVerdict


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the page."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first `texts` columns are texts, the others are numbers and verdicts."""

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: int


@dataclass(frozen=True, slots=True)
class FactList:
    """A list of terms, with a text for each."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A program, a command, or its output."""

    text: str
    language: str


Block: TypeAlias = Heading | Paragraph | Table | FactList | Code
