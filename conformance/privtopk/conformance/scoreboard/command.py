"""Makes the scoreboard: runs the entries and writes the pages."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.scoreboard.content import scoreboard_blocks
from privtopk.conformance.scoreboard.entries import ENTRIES, LEFT_OUT
from privtopk.conformance.scoreboard.entry import ScoreboardEntry
from privtopk.conformance.scoreboard.html import scoreboard_page
from privtopk.conformance.scoreboard.markdown import scoreboard_markdown
from privtopk.conformance.scoreboard.measuring import (
    EntryResult,
    ScoreboardSetup,
    UnmeasuredEntry,
    measure_entries,
)
from privtopk.conformance.writing import write_whole

ENVIRONMENTS: Final = Path("build/environments")
REPORTS: Final = Path("build/scoreboard")


def make_scoreboard(
    setup: ScoreboardSetup, pages: Sequence[Path], words: Sequence[str] = ()
) -> int:
    """Run the entries whose names contain one of the words, write the pages, and print the results.

    Return the exit code: 0 if every entry could be run, whatever was found, and otherwise 2.
    """
    chosen = [entry for entry in ENTRIES if is_named(entry, words)]
    results = list(measure_entries(chosen, setup, say))
    blocks = scoreboard_blocks(results, LEFT_OUT, datetime.now(UTC))
    for path in pages:
        render = scoreboard_page if path.suffix == ".html" else scoreboard_markdown
        write_whole(path, render(blocks))
        say(f"wrote {path}")
    print("\n".join(map(result_line, results)))
    return 2 if any(isinstance(result, UnmeasuredEntry) for result in results) else 0


def is_named(entry: ScoreboardEntry, words: Sequence[str]) -> bool:
    """Return whether the name of an entry contains one of the words, or there are no words."""
    return not words or any(word.lower() in entry.name.lower() for word in words)


def result_line(result: EntryResult) -> str:
    """Return the result of an entry in one line."""
    if isinstance(result, UnmeasuredEntry):
        return f"{result.entry.name}: not run, {result.reason}"
    failed = [finding.id for finding in result.findings.of(CaseVerdict.FAIL)]
    passed = result.findings.count(CaseVerdict.PASS)
    text = f"fails {', '.join(failed)}" if failed else f"passes all {passed} that concern it"
    return f"{result.entry.name} {result.timing.version}: {text}"


def say(text: str) -> None:
    """Print progress to standard error."""
    print(text, file=sys.stderr)
