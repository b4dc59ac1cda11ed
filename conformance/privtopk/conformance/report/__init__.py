"""The reports on a run: terminal, JSON Lines, JUnit XML and one HTML page."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from privtopk.conformance.report.findings import findings_of
from privtopk.conformance.report.html import page
from privtopk.conformance.report.json_lines import json_lines
from privtopk.conformance.report.junit import junit
from privtopk.conformance.running.runner import Run
from privtopk.conformance.writing import write_all

__all__ = ["write_reports"]


def write_reports(runs: Sequence[Run], folder: Path) -> tuple[Path, ...]:
    """Write the page, the JSON Lines and the JUnit XML into a folder, and return their paths."""
    date = datetime.now(UTC)
    subjects = [findings_of(run, date) for run in runs]
    texts = {
        "conformance.html": page(subjects, runs),
        "conformance.jsonl": json_lines(subjects),
        "conformance.xml": junit(subjects),
    }
    return write_all({folder / name: text for name, text in texts.items()})
