"""The examples of the README and the documentation run and print what they say."""

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.support_oracle import judged
from privtopk.conformance.decision import Verdict
from privtopk.conformance.requirement import Requirement
from privtopk.conformance.requirements import requirements_for
from privtopk.conformance.subjects import Extra, Kind

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLE = re.compile(
    r"```python\n(?P<code>(?:(?!```).)*)```\n\n```text\n(?P<output>.*?)```", re.DOTALL
)
SUBJECT = re.compile(
    r"Save it as `(?P<name>[^`]+)`:\n\n```python\n(?P<code>.*?)```.*?"
    r"(?P<command>privtopk-conformance run [^\n]+)\n.*?```console\n(?P<output>.*?)```",
    re.DOTALL,
)
PROGRAM = re.compile(
    r"```javascript\n(?P<code>.*?)```\n\n```console\n(?P<output>.*?)```", re.DOTALL
)
SOURCE = re.compile(r"```py\n(?P<code>(?:(?!```).)*class VoteTable.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)(?P<target>[^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_they_say(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python block of a page, run in order in an empty folder, prints the block below it."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    text = page.read_text()
    examples = list(EXAMPLE.finditer(text))
    assert len(examples) + len(SUBJECT.findall(text)) == text.count("```python")
    for example in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example["code"], names)
        assert printed.getvalue() == example["output"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file that exists."""
    targets = [page.parent / link["target"] for link in LINK.finditer(page.read_text())]
    assert [target for target in targets if not target.exists()] == []


def test_readme_example_is_ten_lines() -> None:
    """The example of the README has at most ten lines of code."""
    example = EXAMPLE.search((ROOT / "README.md").read_text())
    assert example is not None
    assert len([line for line in example["code"].splitlines() if line]) <= 10


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_program_in_another_language_prints_what_it_says() -> None:
    """The JavaScript of the page on vectors, run beside the files, prints the block below it."""
    (example,) = PROGRAM.finditer((ROOT / "docs" / "reference" / "vectors.md").read_text())
    run = subprocess.run(
        ["node", "-e", example["code"]],
        cwd=ROOT / "conformance" / "privtopk" / "conformance" / "vectors" / "data",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == (example["output"], "")


@pytest.mark.parametrize("requirement", requirements_for(Kind.SOURCE), ids=lambda one: one.id)
def test_the_source_of_the_page_on_conformance_passes(requirement: Requirement) -> None:
    """The table that the page shows satisfies every requirement that concerns it."""
    (source,) = SOURCE.finditer((ROOT / "docs" / "how-to" / "conformance.md").read_text())
    names: dict[str, object] = {}
    exec(source["code"], names)
    case = judged(names["VoteTable"], requirement, budget=0.1)
    expected = Verdict.SKIP if requirement.id == "source.given-names" else Verdict.PASS
    assert (case.verdict, case.failed_experiment) == (expected, None)


def test_the_page_on_conformance_names_every_extra() -> None:
    """What a source may offer is documented, for Python and for the wire."""
    pages = [
        (ROOT / "docs" / name).read_text()
        for name in ("how-to/conformance.md", "reference/wire.md")
    ]
    assert [extra for extra in Extra if f".{extra}(" not in pages[0]] == []
    assert [extra for extra in Extra if f"| `{extra}` |" not in pages[1]] == []


@pytest.mark.slow
def test_the_wrong_implementation_of_the_readme_is_caught(tmp_path: Path) -> None:
    """The command of the README names the bug of the example, line by line as it says."""
    example = SUBJECT.search((ROOT / "README.md").read_text())
    assert example is not None
    assert len([line for line in example["code"].splitlines() if line]) <= 10
    (tmp_path / example["name"]).write_text(example["code"])
    program, *arguments = example["command"].split()
    run = subprocess.run(
        [str(Path(sys.executable).parent / program), *arguments, "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    place = 0
    for line in example["output"].splitlines():
        pattern = re.compile(r".*".join(map(re.escape, line.split("..."))))
        found = pattern.search(run.stdout, place)
        assert found is not None, f"not printed: {line}\n{run.stdout}"
        place = found.end()
