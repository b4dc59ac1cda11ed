"""The pages of the documentation as blocks of code, and how a reader would run them.

A block is run as its language and its neighbours say:

- `python` before `text` runs in one namespace a page, and prints exactly that text;
- any block after "Save it as `name`:" becomes that file;
- `sh` and `py` run in an empty folder of the page, where `conformance` is that of the project. The
  lines of a `text` or `console` block behind them are printed, dots stand for what differs from
  run to run, and without one they must succeed. `pip install` is left out: it has been run;
- `<!-- run by FILE::TEST -->` above a block, or above the title for a whole page, names the test
  that runs it, and `<!-- not run: REASON -->` says why nobody can.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "conformance" / "examples"
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(EXAMPLES.rglob("*.md")),
]
FENCE = re.compile(
    r"(?P<before>[^\n]*)\n\n?(?P<open>```)(?P<language>\S+)\n(?P<text>.*?)```\n", re.DOTALL
)
MARK = re.compile(r"<!-- (?:run by (?P<test>\S+)|not run: (?P<reason>.+?)) -->", re.DOTALL)
SAVED = re.compile(r"Save it as `(?P<name>[^`]+)`")
WRITTEN = "<!-- Written by `make scoreboard`; do not edit. -->"
OUTPUTS = ("text", "console")
PROGRAMS = {"py": [sys.executable, "-c"], "sh": ["sh", "-e", "-c"]}


class Way(StrEnum):
    """How a block is run."""

    COMPARED = "compared"
    SAVED = "saved"
    SESSION = "session"
    OUTPUT = "output"
    ELSEWHERE = "elsewhere"
    NOT_RUN = "not run"
    GENERATED = "generated"
    """Written by a command that ran it."""

    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, and what is said about running it."""

    language: str
    text: str
    way: Way
    note: str = ""
    """The name of a saved file, the test that runs the block, or the reason why none does."""


def name_of(page: Path) -> str:
    """Return a page by its place in the project."""
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that readers take for code."""
    text = page.read_text("utf-8")
    head = text[: text.find("# ")]
    whole = MARK.search(head)
    found: list[Block] = []
    fences = [fence for fence in FENCE.finditer(text) if not fence["language"].startswith("{")]
    if WRITTEN in text:
        return [Block(fence["language"], fence["text"], Way.GENERATED) for fence in fences]
    languages = [fence["language"] for fence in fences]
    for place, fence in enumerate(fences):
        following = languages[place + 1] if place + 1 < len(languages) else ""
        previous = found[-1] if found else None
        found.append(_block(fence, following, previous, whole or MARK.search(fence["before"])))
    return found


def _block(
    fence: re.Match[str], following: str, previous: Block | None, mark: re.Match[str] | None
) -> Block:
    language, text = fence["language"], fence["text"]
    if mark:
        way = Way.ELSEWHERE if mark["test"] else Way.NOT_RUN
        return Block(language, text, way, mark["test"] or mark["reason"])
    if saved := SAVED.search(fence["before"]):
        return Block(language, text, Way.SAVED, saved["name"])
    if language in OUTPUTS and previous is not None and previous.way is not Way.SAVED:
        return Block(language, text, Way.OUTPUT)
    if language == "python" and following == "text":
        return Block(language, text, Way.COMPARED)
    return Block(language, text, Way.SESSION if language in PROGRAMS else Way.UNKNOWN)


def is_session(page: Path) -> bool:
    """Whether there is something to run in a folder."""
    return any(block.way is Way.SESSION for block in blocks(page))


def play(page: Path, folder: Path) -> None:
    """Save the files of a page, run its commands in order, and demand the lines below them."""
    (folder / "conformance").symlink_to(ROOT / "conformance")
    for block, output in _pairs(blocks(page)):
        if block.way is Way.SAVED:
            (folder / block.note).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.note).write_text(block.text, "utf-8")
        elif block.way is Way.SESSION:
            _run(block, output, folder)


def _pairs(found: list[Block]) -> Iterator[tuple[Block, Block | None]]:
    """Yield each block with the output that follows it."""
    for block, following in zip(found, [*found[1:], None], strict=True):
        yield block, following if following and following.way is Way.OUTPUT else None


def _run(block: Block, output: Block | None, folder: Path) -> None:
    code = "\n".join(line for line in block.text.splitlines() if not line.startswith("pip install"))
    scripts = Path(sys.executable).parent
    run = subprocess.run(
        [*PROGRAMS[block.language], code],
        cwd=folder,
        env=os.environ | {"PATH": f"{scripts}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if output is None:
        assert run.returncode == 0, run.stdout
    else:
        require_lines(output.text, run.stdout)


def require_lines(page: str, printed: str) -> None:
    """Demand the lines of a page; the two streams may come one after the other or mixed."""
    for line in page.splitlines():
        pattern = ".*".join(map(re.escape, line.split("...")))
        assert re.search(pattern, printed), f"not printed: {line}\n{printed}"
