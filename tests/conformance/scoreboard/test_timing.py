"""Facts about the time of one selection."""

import json
import sys
from importlib.metadata import version

import pytest

from conformance.support_flips import Flips
from privtopk.conformance.scoreboard.timing import K, M, main, selection, timing_of
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.subject import Subject

SPECIFICATION = "python:privtopk.conformance.subjects.reference:spec_selector"


def test_a_timing_has_the_versions_that_gave_it() -> None:
    """The timing has the versions of the library and of Python, and a positive time."""
    timing = timing_of(SPECIFICATION, "numpy")
    assert timing.version == version("numpy")
    assert timing.python == ".".join(map(str, sys.version_info[:3]))
    assert 0 < timing.seconds < 60


def test_a_sampler_is_timed_without_doors() -> None:
    """A subject that receives the histogram selects k items of it."""
    flips = Flips()
    answer = selection(Subject(flips, abilities_of(flips)))()
    assert isinstance(answer, list)
    (items,) = answer
    assert len(set(items)) == K
    assert 1 <= min(items) <= max(items) <= M


def test_a_timing_is_printed_for_another_process(capsys: pytest.CaptureFixture[str]) -> None:
    """A timing is printed as one JSON object with all fields."""
    main([SPECIFICATION, "privtopk"])
    assert list(json.loads(capsys.readouterr().out)) == ["version", "python", "seconds"]
