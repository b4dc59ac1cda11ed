"""Each step of the tutorial on votes prints what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "votes.md"
BLOCK = re.compile(
    r"```(?P<language>py|sh)\n(?P<code>.*?)```\n\n```text\n(?P<printed>.*?)```", re.DOTALL
)
PROGRAMS = {"py": [sys.executable, "-c"], "sh": ["sh", "-c"]}


def test_the_page_has_all_its_steps() -> None:
    """Every command is followed by what it prints."""
    text = PAGE.read_text()
    assert len(BLOCK.findall(text)) == 6
    assert BLOCK.sub("", text).count("```") == 0


@pytest.mark.slow
def test_the_steps_print_what_the_page_says(tmp_path: Path) -> None:
    """Run one after the other in an empty folder, each prints its lines."""
    folder = Path(sys.executable).parent
    for block in BLOCK.finditer(PAGE.read_text()):
        run = subprocess.run(
            [*PROGRAMS[block["language"]], block["code"]],
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        require_lines(block["printed"], run.stdout)


def require_lines(page: str, printed: str) -> None:
    """Demand the lines of a page; the two streams may come one after the other or mixed."""
    patterns = [".*".join(map(re.escape, line.split("..."))) for line in page.splitlines()]
    lines = printed.splitlines()
    for pattern in patterns:
        if pattern != ".*":
            found = [place for place, line in enumerate(lines) if re.search(pattern, line)]
            assert found, f"not printed: {pattern}\n{printed}"
