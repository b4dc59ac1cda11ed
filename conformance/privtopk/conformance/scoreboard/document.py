"""A page as a list of blocks, which Markdown and HTML write each in its own way."""

from dataclasses import dataclass
from typing import TypeAlias

from privtopk.conformance.evidence.decision import CaseVerdict

Cell: TypeAlias = str | CaseVerdict


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the page's."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under names; the first columns are texts, the others are numbers and verdicts."""

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: int


@dataclass(frozen=True, slots=True)
class FactList:
    """Terms, and what there is to say of each."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A program, a command, or what one printed."""

    text: str
    language: str


Block: TypeAlias = Heading | Paragraph | Table | FactList | Code
