"""Facts about what is on the scoreboard."""

from dataclasses import fields

import pytest

from privtopk.conformance.scoreboard.entries import ENTRIES, LEFT_OUT
from privtopk.conformance.scoreboard.entry import ScoreboardEntry
from privtopk.conformance.scoreboard.measuring import slug
from privtopk.conformance.subjects.kinds import Mechanism, abilities_of
from privtopk.conformance.subjects.loading import load

NAMED = {entry.name: entry for entry in ENTRIES}


def test_entries_have_names_and_folders_of_their_own() -> None:
    """No two entries share a name, or a folder for their reports."""
    assert len(NAMED) == len(ENTRIES)
    assert len({slug(entry) for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=slug)
def test_an_entry_says_everything(entry: ScoreboardEntry) -> None:
    """Only the environment and the smallest program may be missing."""
    optional = {"environment", "minimal"}
    needed = [field.name for field in fields(ScoreboardEntry) if field.name not in optional]
    assert all(getattr(entry, name) for name in needed)


IN_PYTHON = [entry for entry in ENTRIES if entry.address.startswith("python:")]


@pytest.mark.parametrize("entry", IN_PYTHON, ids=slug)
def test_an_entry_claims_the_law_that_is_tested(entry: ScoreboardEntry) -> None:
    """The law of an entry and the mechanism of its adapter agree."""
    abilities = abilities_of(load(entry.address))
    assert ("permute-and-flip" in entry.law) == (abilities.mechanism is Mechanism.PERMUTE_AND_FLIP)


@pytest.mark.parametrize("entry", ENTRIES, ids=slug)
def test_the_smallest_program_is_one(entry: ScoreboardEntry) -> None:
    """The smallest program is valid Python."""
    compile(entry.minimal, entry.name, "exec")


def test_what_was_left_out_has_a_version_and_a_reason() -> None:
    """Every library that was left out has a version and a reason."""
    assert all(one.package and one.version and one.reason for one in LEFT_OUT)
