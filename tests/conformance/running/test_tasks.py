"""Facts about the tasks that workers perform."""

from dataclasses import replace

import pytest

from privtopk.conformance.requirements.registry import requirement_of
from privtopk.conformance.running.tasks import TrialTask, perform, prospects, seed_of_piece
from privtopk.conformance.subjects.kinds import Kind

TASK = TrialTask(
    "python:wrong_subjects:right",
    Kind.SELECTOR,
    requirement_of,
    "selector.set-law",
    experiment=0,
    piece=0,
    count=8,
    seed=1,
    seconds=5.0,
)


def test_every_piece_has_its_own_seed() -> None:
    """The seed depends on the run, the requirement, the experiment and the piece."""
    pieces = (
        (1, "selector.set-law", 0, 0),
        (2, "selector.set-law", 0, 0),
        (1, "selector.shape", 0, 0),
        (1, "selector.set-law", 1, 0),
        (1, "selector.set-law", 0, 1),
    )
    assert len({seed_of_piece(*piece) for piece in pieces}) == 5


def test_the_seed_does_not_depend_on_the_process() -> None:
    """The same piece has the same seed in every process and every version of Python."""
    assert seed_of_piece(1, "selector.set-law", 0, 0) == 0x6A9597E0977346A8930FDC698FD0335F


def test_trials_are_made_and_timed() -> None:
    """A task returns one observation per trial."""
    seen = perform(TASK)
    assert (len(seen.values["outcomes"]), seen.violation, seen.seconds > 0) == (8, None, True)


def test_a_breach_is_part_of_what_was_seen() -> None:
    """A violation is part of the observation and does not raise."""
    task = replace(TASK, address="python:wrong_subjects:stringy", requirement="selector.shape")
    assert perform(task).violation == "must return a sequence of items, got str"


def test_what_there_is_to_test_is_listed_without_testing() -> None:
    """Each requirement has experiments, or a reason to be skipped."""
    abilities, found = prospects("python:wrong_subjects:right", None, ("selector.",), 5.0)
    assert abilities.kind is Kind.SELECTOR
    assert all(bool(one.experiments) != bool(one.skipped) for one in found)
    skipped = {one.requirement: one.skipped for one in found if one.skipped}
    assert skipped["selector.ranked-law"] == "the subject returns no ranked lists"


@pytest.mark.parametrize("prefix", ["selector.shape", "selector.replay"])
def test_prefixes_choose_requirements(prefix: str) -> None:
    """Only requirements whose id begins with the prefix are returned."""
    _, found = prospects("python:wrong_subjects:right", None, (prefix,), 5.0)
    assert found
    assert all(one.requirement.startswith(prefix) for one in found)
