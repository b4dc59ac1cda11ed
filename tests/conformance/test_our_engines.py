"""Our own engines and the specification pass the oracle, like any other subject."""

from collections.abc import Iterator

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.games.catalogue import match_at, usual_matches
from privtopk.conformance.games.playing import GameCase, play_matches
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.impl import subjects
from privtopk.impl.subjects import SELECTORS, SUBJECTS

REFERENCE = ("spec_selector", "spec_rank_free_oracle", "spec_online_oracle")
SHARE = 1e-6 / 32
"""The part of each subject in one error budget."""


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """One process for all subjects."""
    with GuardedExecutor(1, 120.0, 2048) as executor:
        yield executor


def test_every_subject_is_listed() -> None:
    """`SUBJECTS`, which `make conform` runs, has every subject that the package exports."""
    assert sorted(SUBJECTS) == sorted(name for name in subjects.__all__ if name.islower())
    assert all(hasattr(getattr(subjects, name), "kind") for name in SUBJECTS)


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", SUBJECTS)
def test_an_engine_conforms(name: str, workers: GuardedExecutor) -> None:
    """An engine passes on a tenth of the trials."""
    address = f"python:privtopk.impl.subjects:{name}"
    finished = run(address, RunPlan(budget=0.1, alarm=SHARE), executor=workers)
    assert [(c.requirement.id, c.message) for c in finished.cases if c.verdict == "fail"] == []
    assert finished.is_conforming


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCE)
def test_the_specification_conforms(name: str, workers: GuardedExecutor) -> None:
    """The specification passes on a hundredth of the trials."""
    address = f"python:privtopk.conformance.subjects.reference:{name}"
    finished = run(address, RunPlan(budget=0.01, alarm=SHARE), executor=workers)
    assert [(c.requirement.id, c.message) for c in finished.cases if c.verdict == "fail"] == []


def test_every_selector_is_listed() -> None:
    """`SELECTORS`, which `make play` lets play, has every subject that selects."""
    selecting = [name for name in SUBJECTS if getattr(subjects, name).kind == "selector"]
    assert list(SELECTORS) == selecting


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", SELECTORS)
def test_an_engine_plays_within_its_bounds(name: str, workers: GuardedExecutor) -> None:
    """No game refutes an engine, and with both doors open each pays the bound.

    Null: the engine keeps its promises. 192 plays per game, false alarms at most 1e-6 / 32 over
    the six games of an engine.
    """
    address = f"python:privtopk.impl.subjects:{name}"
    finished = play_matches(address, usual_matches(), RunPlan(alarm=SHARE), executor=workers)
    assert {case.verdict for case in finished.cases} <= {CaseVerdict.PASS, CaseVerdict.SKIP}
    won = {
        case.requirement.id.partition(":")[0] for case in finished.cases if case.verdict == "pass"
    }
    assert {"S3", "thm-5.4"} <= won


@pytest.mark.slow
def test_the_default_engine_plays_a_small_game_within_its_bounds(workers: GuardedExecutor) -> None:
    """On a sixteenth of the domain an engine pays at least what privacy and accuracy require.

    Null: the engine keeps its promises; 192 plays, false alarms at most 1e-6 / 32.
    """
    address = "python:privtopk.impl.subjects:batched"
    matches = (match_at("S3:m=625"),)
    finished = play_matches(address, matches, RunPlan(alarm=SHARE), executor=workers)
    (case,) = finished.cases
    assert isinstance(case, GameCase)
    assert (case.verdict, case.refuted_streams) == (CaseVerdict.PASS, set())
    assert case.counted_low() >= case.match.floor.bound
