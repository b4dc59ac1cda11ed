"""Our own engines, and the specification itself, pass the oracle as strangers do."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from privtopk.conformance.decision import Verdict
from privtopk.conformance.games.catalogue import match_at, usual_matches
from privtopk.conformance.games.playing import Play, play
from privtopk.conformance.runner import Plan, run
from privtopk.conformance.workers import GuardedExecutor

MAKEFILE = Path(__file__).parents[2] / "Makefile"
LISTED = re.search(r"^SUBJECTS :=.*?,\\\n(?P<names>.*?)\)", MAKEFILE.read_text(), re.M | re.S)
ENGINES = LISTED["names"].replace("\\", "").split() if LISTED else []
PLAYERS = re.search(r"^PLAYERS :=.*?,\\\n(?P<names>.*?)\)", MAKEFILE.read_text(), re.M | re.S)
SELECTORS = PLAYERS["names"].replace("\\", "").split() if PLAYERS else []
REFERENCE = ("spec_selector", "spec_rank_free_oracle", "spec_online_oracle")
SHARE = 1e-6 / 32
"""The subjects share one error budget."""


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """One process for all subjects."""
    with GuardedExecutor(1, 120.0, 2048) as executor:
        yield executor


def test_all_our_subjects_are_run_by_the_main_job() -> None:
    """`make conform` names every subject that the engines present."""
    from privtopk.impl import subjects

    presented = {name for name in vars(subjects) if hasattr(getattr(subjects, name), "kind")}
    assert set(ENGINES) == {name for name in presented if name.islower()}


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_conforms(name: str, workers: GuardedExecutor) -> None:
    """On a tenth of the trials nothing speaks against it."""
    address = f"python:privtopk.impl.subjects:{name}"
    finished = run(address, Plan(budget=0.1, alarm=SHARE), executor=workers)
    assert [(c.requirement.id, c.message) for c in finished.cases if c.verdict == "fail"] == []
    assert finished.is_conforming


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCE)
def test_the_specification_conforms(name: str, workers: GuardedExecutor) -> None:
    """On a hundredth of the trials nothing speaks against the specification."""
    address = f"python:privtopk.conformance.reference:{name}"
    finished = run(address, Plan(budget=0.01, alarm=SHARE), executor=workers)
    assert [(c.requirement.id, c.message) for c in finished.cases if c.verdict == "fail"] == []


def test_all_our_selectors_are_played_with() -> None:
    """`make play` names every selector that the engines present."""
    from privtopk.impl import subjects

    assert set(SELECTORS) == {
        name for name in ENGINES if getattr(subjects, name).kind == "selector"
    }


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", SELECTORS)
def test_an_engine_plays_within_its_bounds(name: str, workers: GuardedExecutor) -> None:
    """No game refutes an engine, and with both doors open each is shown to pay the bound.

    Null: the engine keeps its promises. 192 plays a game, false alarms at most 1e-6 / 32 over
    the six games of an engine.
    """
    address = f"python:privtopk.impl.subjects:{name}"
    finished = play(address, usual_matches(), Plan(alarm=SHARE), executor=workers)
    assert {case.verdict for case in finished.cases} <= {Verdict.PASS, Verdict.SKIP}
    won = {
        case.requirement.id.partition(":")[0] for case in finished.cases if case.verdict == "pass"
    }
    assert {"S3", "thm-5.4"} <= won


@pytest.mark.slow
def test_the_default_engine_plays_a_small_game_within_its_bounds(workers: GuardedExecutor) -> None:
    """On a sixteenth of the domain it pays what privacy and accuracy cost, and not less.

    Null: the engine keeps its promises; 192 plays, false alarms at most 1e-6 / 32.
    """
    address = "python:privtopk.impl.subjects:batched"
    finished = play(address, (match_at("S3:m=625"),), Plan(alarm=SHARE), executor=workers)
    (case,) = finished.cases
    assert isinstance(case, Play)
    assert (case.verdict, case.shown) == (Verdict.PASS, set())
    assert case.counted_low() >= case.match.floor.bound
