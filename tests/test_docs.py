"""Facts about single pages: links, names they must have, and blocks that need more than a shell."""

import importlib
import importlib.util
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from conformance.support_oracle import run_case
from pages import PAGES, ROOT, Way, blocks, name_of
from privtopk import spec
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.registry import requirements_for
from privtopk.conformance.subjects.kinds import Extra, Kind
from privtopk.spec.claims import errata

DOCS = ROOT / "docs"
FOLDERS = ("tutorials", "how-to", "reference", "explanation")
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")(?!https?:)(?P<target>[^)#\"\s]+)")
PATH = re.compile(r"`(?P<path>(?:spec|impl|conformance|tests|docs)/[\w./-]+)`")
NAME = re.compile(r"\bprivtopk(?:\.\w+)+")


def only_block(page: Path, language: str, text: str = "") -> str:
    """Return the one block of a language that has some text."""
    (found,) = (b.text for b in blocks(page) if b.language == language and text in b.text)
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file that exists."""
    targets = [page.parent / link["target"] for link in LINK.finditer(page.read_text())]
    assert [target for target in targets if not target.exists()] == []


def is_importable(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parent, _, last = name.rpartition(".")
    if parent and not is_importable(parent):
        return False
    try:
        is_module = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        is_module = False
    return is_module or hasattr(importlib.import_module(parent), last)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"], ids=name_of)
def test_names_and_paths_of_a_page_exist(page: Path) -> None:
    """Every `privtopk.x.y` can be imported, and every path of the project is there."""
    text = page.read_text()
    missing = [name for name in sorted(set(NAME.findall(text))) if not is_importable(name)]
    paths = {match["path"] for match in PATH.finditer(text)}
    assert (missing, [path for path in sorted(paths) if not (ROOT / path).exists()]) == ([], [])


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_page_is_in_its_list(folder: str) -> None:
    """The index of a folder links to all its pages, and to no other."""
    text = (DOCS / folder / "index.md").read_text()
    linked = re.findall(r"(?m)^- \[[^]]*\]\(([\w-]+\.md)\)", text)
    pages = [path.name for path in (DOCS / folder).glob("*.md") if path.name != "index.md"]
    assert sorted(linked) == sorted(pages)


@pytest.mark.slow
def test_generated_files_are_current(tmp_path: Path) -> None:
    """Generated pages and pictures agree with the code; `make pages` writes them."""
    subprocess.run([sys.executable, DOCS / "generate", tmp_path], check=True)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 6
    stale = [path.name for path in written if not is_same(path, DOCS / path.relative_to(tmp_path))]
    assert stale == []


def is_same(first: Path, second: Path) -> bool:
    """Return whether two files exist and are equal."""
    return second.is_file() and first.read_bytes() == second.read_bytes()


def test_the_example_of_the_readme_is_ten_lines() -> None:
    """The wrong implementation of the README has at most ten lines of code."""
    (example,) = (block for block in blocks(ROOT / "README.md") if block.way is Way.SAVED)
    assert len([line for line in example.text.splitlines() if line]) <= 10


def test_the_specification_is_documented_whole() -> None:
    """The page lists every module from which `privtopk.spec` takes a name."""
    page = (DOCS / "reference" / "api-spec.md").read_text()
    modules = {getattr(getattr(spec, name), "__module__", "") for name in spec.__all__}
    ours = sorted(module for module in modules if module.startswith("privtopk."))
    assert [module for module in ours if f"automodule:: {module}\n" not in page] == []


def test_the_readme_counts_the_errata() -> None:
    """The README states the number of errata that the claims have."""
    assert f"All {len(errata.ERRATA)}, each" in (ROOT / "README.md").read_text()


def test_the_page_on_contributing_names_every_command() -> None:
    """The table lists each command of the Makefile that has a help text."""
    commands = re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text())
    page = (DOCS / "how-to" / "contribute.md").read_text()
    assert [name for name in commands if name != "help" and f"`make {name}`" not in page] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_program_in_another_language_prints_what_it_says() -> None:
    """The JavaScript of the page on vectors, run beside the files, prints the block below it."""
    page = DOCS / "reference" / "vectors.md"
    run = subprocess.run(
        ["node", "-e", only_block(page, "javascript")],
        cwd=ROOT / "conformance" / "privtopk" / "conformance" / "vectors" / "data",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == (only_block(page, "console"), "")


def test_the_statements_of_the_page_on_sources_are_sql() -> None:
    """SQLite accepts the statements of the page, on tables with the columns that it describes."""
    page = DOCS / "how-to" / "sources.md"
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE votes (item INTEGER, score INTEGER)")
        connection.executescript(only_block(page, "sql", "CREATE"))
        connection.execute("DROP TABLE votes")
        connection.execute("CREATE TABLE votes (client TEXT, item TEXT)")
        rows = [("ann", "pear"), ("ann", "pear"), ("bob", "pear")]
        connection.executemany("INSERT INTO votes VALUES (?, ?)", rows)
        counts = connection.execute(only_block(page, "sql", "SELECT")).fetchall()
    assert counts == [("pear", 2)]


@pytest.mark.parametrize("requirement", requirements_for(Kind.SOURCE), ids=lambda one: one.id)
def test_the_source_of_the_page_on_conformance_passes(requirement: Requirement) -> None:
    """The source on the page passes every requirement that concerns it."""
    names: dict[str, object] = {}
    exec(only_block(DOCS / "how-to" / "conformance.md", "py", "class VoteTable"), names)
    case = run_case(names["VoteTable"], requirement, budget=0.1)
    expected = CaseVerdict.SKIP if requirement.id == "source.given-names" else CaseVerdict.PASS
    assert (case.verdict, case.failed_experiment) == (expected, None)


def test_the_page_on_conformance_names_every_extra() -> None:
    """The pages document every optional method, for Python and for the wire."""
    pages = [(DOCS / name).read_text() for name in ("how-to/conformance.md", "reference/wire.md")]
    assert [extra for extra in Extra if f".{extra}(" not in pages[0]] == []
    assert [extra for extra in Extra if f"| `{extra}` |" not in pages[1]] == []
