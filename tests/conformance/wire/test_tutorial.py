"""Each step of the tutorial prints what the page says."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "tutorials" / "adapter.md"
BLOCK = re.compile(r"```(?P<language>py|sh|text)\n(?P<text>.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """An adapter, a command, and lines that it prints."""

    code: str
    command: str
    printed: str


def steps() -> list[Step]:
    """Return the steps of the page; a command and an adapter are valid until the next."""
    found: list[Step] = []
    code = command = ""
    smoke = next(block["text"] for block in BLOCK.finditer(PAGE.read_text()))
    for block in BLOCK.finditer(PAGE.read_text()):
        match block["language"]:
            case "py":
                code, command = block["text"], smoke
            case "sh":
                command = block["text"]
            case _:
                found.append(Step(code, command, block["text"]))
    return found


def test_the_page_has_all_its_steps() -> None:
    """The test finds all steps of the page."""
    assert [step.command.split()[1] for step in steps()] == ["smoke"] * 6 + ["run"] * 2
    assert BLOCK.sub("", PAGE.read_text()).count("```") == 0


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("step", steps(), ids=lambda step: step.printed.splitlines()[0][:60])
def test_a_step_prints_what_the_page_says(step: Step, tmp_path: Path) -> None:
    """The lines of the page occur in order; dots stand for what differs from run to run."""
    (tmp_path / "adapter.py").write_text(step.code)
    program, *arguments = shlex.split(step.command)
    folder = Path(sys.executable).parent
    run = subprocess.run(
        [str(folder / program), *arguments],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    place = 0
    for line in step.printed.splitlines():
        found = re.compile(".*".join(map(re.escape, line.split("...")))).search(run.stdout, place)
        assert found is not None, f"not printed: {line}\n{run.stdout}\n{run.stderr}"
        place = found.end()
