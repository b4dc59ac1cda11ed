"""Facts about the catalogue of requirements."""

from pathlib import Path

from privtopk.conformance.commands.catalogue import catalogue
from privtopk.conformance.requirements.registry import REQUIREMENTS
from privtopk.conformance.subjects.kinds import Kind

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "requirements.md"


def test_every_requirement_has_a_line() -> None:
    """The list for the terminal names each requirement once."""
    names = [line.split()[0] for line in catalogue(None, is_markdown=False).splitlines()]
    assert sorted(names) == sorted(requirement.id for requirement in REQUIREMENTS)


def test_a_kind_can_be_chosen() -> None:
    """Only the requirements of that kind are listed."""
    lines = catalogue(Kind.SOURCE, is_markdown=False).splitlines()
    assert lines
    assert all(line.startswith("source.") for line in lines)


def test_the_page_of_the_documentation_is_current() -> None:
    """The page of requirements is current; `make docs` writes it."""
    assert PAGE.read_text() == catalogue(None, is_markdown=True) + "\n"
