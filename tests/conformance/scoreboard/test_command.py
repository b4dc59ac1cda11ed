"""Facts about the command that makes the scoreboard."""

from pathlib import Path

import pytest

from conformance.support_scoreboard import MISSING, RIGHT, right_result, wrong_result
from privtopk.conformance.commands.cli import main
from privtopk.conformance.scoreboard import command
from privtopk.conformance.scoreboard.command import is_named, make_scoreboard, result_line
from privtopk.conformance.scoreboard.measuring import ScoreboardSetup


def test_entries_are_chosen_by_words_of_their_names() -> None:
    """Without words all entries are chosen."""
    assert is_named(RIGHT, ())
    assert is_named(RIGHT, ("other", "RIGHT"))
    assert not is_named(RIGHT, ("other",))


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (right_result(), "right_library 1.5: passes all 1 that concern it"),
        (wrong_result(), "wrong library 1.0: fails selector.shape, selector.set-law"),
        (MISSING, "missing library: not run, there is no environment idle"),
    ],
)
def test_a_result_is_reported_in_a_line(result: object, line: str) -> None:
    """The line has the failed requirements, or the reason why an entry was not run."""
    assert result_line(result) == line  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.heavy
def test_the_pages_are_written(tmp_path: Path) -> None:
    """One run writes Markdown and HTML, in folders that it makes."""
    setup = ScoreboardSetup(tmp_path, tmp_path / "reports", ("--only", "selector.shape", "--quiet"))
    pages = [tmp_path / "docs" / "board.md", tmp_path / "board.html"]
    assert make_scoreboard(setup, pages, ("specification",)) == 0
    assert pages[0].read_text().startswith("# Scoreboard\n")
    assert pages[1].read_text().startswith("<!DOCTYPE html>")


def test_a_missing_environment_shows_in_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry that could not be run is printed, and the code is 2."""
    options = ["--environments", str(tmp_path), "--reports", str(tmp_path / "reports")]
    assert main(["scoreboard", "old release", *options]) == 2
    assert capsys.readouterr().out == (
        "OpenDP report noisy max, old release: not run, the environment opendp-0.15.1 is missing; "
        "make scoreboard builds it\n"
    )


def test_places_are_relative_to_the_project() -> None:
    """Pages that are shared name no folder of a machine."""
    assert not command.ENVIRONMENTS.is_absolute()
    assert not command.REPORTS.is_absolute()
