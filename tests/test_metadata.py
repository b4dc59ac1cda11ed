"""Facts about the metadata of the package, in pyproject.toml and beside it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
ROW = re.compile(r"^\| `(?P<extra>[a-z]+)` \| .+ \| (?P<packages>.+) \|$", re.MULTILINE)
NAMED = re.compile(
    r"privtopk\[(?P<extra>[a-z]+)\]|import_extra\(\s*\"[\w.]+\", \"(?P<other>[a-z]+)\"\)"
)


def packages_of(extra: str) -> list[str]:
    """Return the packages of an extra in the form of its page: other extras first."""
    names = [re.sub(r"[<>=,].*", "", wanted) for wanted in EXTRAS[extra]]
    own = [re.sub(r"privtopk\[(.+)\]", r"`\1`", name) for name in names]
    return sorted(
        (re.sub(r"\[.+\]", "", name) for name in own), key=lambda name: (name[0] != "`", name)
    )


def extras_in_sources() -> Iterator[tuple[str, str]]:
    """Yield each extra that an error or a page names, with its file."""
    sources = [
        path for root in ("spec", "impl", "conformance") for path in (ROOT / root).rglob("*.py")
    ]
    for path in (*sources, ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for named in NAMED.finditer(path.read_text()):
            yield named["extra"] or named["other"], path.name


def test_the_page_on_extras_is_current() -> None:
    """Every extra has a row with its packages, in the order of pyproject.toml."""
    page = (ROOT / "docs" / "reference" / "extras.md").read_text()
    rows = [(row["extra"], row["packages"].split(", ")) for row in ROW.finditer(page)]
    assert rows == [(extra, packages_of(extra)) for extra in EXTRAS]


def test_the_page_on_extras_names_what_everybody_gets() -> None:
    """The first sentence names the packages that need no extra."""
    page = (ROOT / "docs" / "reference" / "extras.md").read_text()
    first = " ".join(page.split("\n\n")[1].split())
    needed = sorted(re.sub(r"[<>=].*", "", wanted) for wanted in PROJECT["dependencies"])
    assert [name for name in needed if name not in first] == []


def test_every_extra_that_is_named_exists() -> None:
    """Every extra that an error or a page names exists."""
    named = list(extras_in_sources())
    assert {extra for extra, _ in named} >= {"prove", "conformance", "duckdb", "exact", "spark"}
    assert [one for one in named if one[0] not in EXTRAS] == []


def test_the_citation_is_of_this_release() -> None:
    """Version and licence agree with the package, and the author is a group, not a person."""
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert f"\nlicense: {PROJECT['license']}\n" in citation
    assert "\nauthors:\n  - name: The privtopk authors\n" in citation
    assert PROJECT["authors"] == [{"name": "The privtopk authors"}]
    assert "the privtopk authors" in (ROOT / "LICENSE").read_text()


def test_the_paper_is_cited_by_its_title() -> None:
    """The citation and the README name the same paper."""
    title = "Tight Data Access Bounds for Private Top-k Selection"
    assert f"title: {title}\n" in (ROOT / "CITATION.cff").read_text()
    assert f'"{title}"' in " ".join((ROOT / "README.md").read_text().split())


@pytest.mark.parametrize("classifier", PROJECT["classifiers"])
def test_a_classifier_is_one_that_indexes_know(classifier: str) -> None:
    """Every classifier is known, because a package index refuses others."""
    known = pytest.importorskip("trove_classifiers").classifiers
    assert classifier in known


def test_the_newest_changes_are_in_the_changelog() -> None:
    """The changelog begins with unreleased changes or with this release."""
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] in ("Unreleased", PROJECT["version"])


def test_no_address_is_invented() -> None:
    """SECURITY.md, CITATION.cff and pyproject.toml have no e-mail address: none exists."""
    pages = [ROOT / name for name in ("SECURITY.md", "CITATION.cff", "pyproject.toml")]
    assert [page.name for page in pages if re.search(r"[\w.]+@[\w.]+", page.read_text())] == []
