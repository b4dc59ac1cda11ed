"""The examples of the README and the documentation run and print what they say."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"```python\n(?P<code>.*?)```\n\n```text\n(?P<output>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)(?P<target>[^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_they_say(page: Path) -> None:
    """Every Python block of a page, run in order, prints the block below it."""
    names: dict[str, object] = {}
    text = page.read_text()
    examples = list(EXAMPLE.finditer(text))
    assert len(examples) == text.count("```python")
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
