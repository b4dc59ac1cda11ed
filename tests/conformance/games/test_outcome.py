"""Facts about the outcome of a game."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest

from conformance.games.support_games import (
    SMALL,
    Constant,
    case_before_play,
    play_game,
    plays,
)
from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.outcome import (
    HYPOTHESES,
    Rate,
    Standing,
    outcomes_of,
    rate_of,
)
from privtopk.conformance.games.playing import GameCase
from privtopk.conformance.mutants.cheap_players import ExactTopK
from privtopk.conformance.running.runner import Run, RunPlan
from privtopk.conformance.subjects.kinds import Abilities

DATE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
S3 = match_at(SMALL["S3"])


def run_of(*cases: Case, plan: RunPlan | None = None) -> Run:
    """Return a finished run."""
    return Run("python:some.module:subject", Abilities(), plan or RunPlan(), cases, 1.5)


def finish_game(play: GameCase) -> GameCase:
    """Finish a game, and return its case."""
    play.finish()
    return play


def finished_game(**streams: list[float]) -> GameCase:
    """Return a finished game with given streams."""
    play = case_before_play(S3, 1e-6)
    play.take(0, len(streams["saving"]), plays(play, **streams))
    return finish_game(play)


def test_a_refuted_selector() -> None:
    """The exact top k is seen to break privacy, with the rates and the epsilon that they show."""
    (outcome,) = outcomes_of(run_of(play_game(ExactTopK(), SMALL["S3"], alarm=1e-6)), DATE)
    assert (outcome.game, outcome.subject, outcome.doors) == ("S3", "subject", ("sorted", "random"))
    assert (outcome.m, outcome.k, outcome.epsilon, outcome.delta, outcome.beta) == (
        1800,
        2,
        0.1,
        0.0,
        0.01,
    )
    assert (outcome.certificate, outcome.horizon) == (S3.floor.bound, S3.floor.horizon)
    assert (outcome.verdict, outcome.broken, outcome.summary) == (
        Standing.REFUTED,
        (Promise.PRIVACY,),
        "refuted: privacy",
    )
    assert (outcome.is_too_cheap, outcome.is_forced, outcome.upper_bound) == (True, False, None)
    assert outcome.seen is not None
    assert (outcome.seen.cost.mean, outcome.seen.cost.low, outcome.seen.cost.high) == (
        2.0,
        2.0,
        2.0,
    )
    assert outcome.seen.counted.low < 2.0 < outcome.seen.counted.high < outcome.certificate
    assert outcome.seen.neighbour_hits is not None
    assert outcome.seen.base_hits is not None
    assert outcome.seen.neighbour_hits.count == 0 < outcome.seen.base_hits.count
    assert outcome.seen.errors is not None
    assert (outcome.seen.errors.count, outcome.seen.errors.of) == (0, 2 * outcome.trials)
    assert outcome.seen.epsilon is not None
    assert (
        0.1
        < outcome.seen.epsilon
        <= math.log(outcome.seen.base_hits.low / outcome.seen.neighbour_hits.high)
    )
    assert (outcome.hypotheses, outcome.date) == (HYPOTHESES, "2026-01-02T03:04:05+00:00")


def test_only_the_theorem_refutes() -> None:
    """A selector that is too cheap without a visible breach has broken one of two promises."""
    play = finished_game(saving=[0.9] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert (outcome.summary, outcome.is_forced) == ("refuted: privacy or accuracy", True)


def test_a_breach_at_full_cost() -> None:
    """A selector that errs at full cost is refuted for accuracy, and nothing is forced."""
    play = finished_game(saving=[0.0] * 96, errors=[0.5] * 192, advantage=[0.5] * 96)
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert (outcome.summary, outcome.is_too_cheap, outcome.is_forced) == (
        "refuted: accuracy",
        False,
        False,
    )


def test_within_bounds() -> None:
    """The cost is shown to be at least the bound, and the tolerances are reported."""
    play = finished_game(saving=[0.0] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert (outcome.summary, outcome.broken, outcome.message) == ("within bounds", (), "")
    assert outcome.seen is not None
    assert outcome.seen.counted.low >= outcome.certificate
    assert outcome.seen.epsilon is None
    assert outcome.seen.tolerances["errors"] == "a mean of 0.0743 where 0.01 is allowed"


def test_a_breach_of_the_rules() -> None:
    """A selector without an answer is refuted with its error."""
    play = case_before_play(S3, 1e-6)
    play.fail(0, "must return k=2 items, got 3 (m=1800)")
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert (outcome.summary, outcome.seen) == ("refuted: rules", None)
    assert outcome.message == "must return k=2 items, got 3 (m=1800)"


def test_a_declined_game() -> None:
    """A declined game has a reason and a certificate, but no evidence."""
    (outcome,) = outcomes_of(run_of(play_game(Constant(1), SMALL["S1"])), DATE)
    assert (outcome.summary, outcome.message, outcome.seen) == (
        "declined",
        "it needs sorted access",
        None,
    )
    assert outcome.certificate == match_at(SMALL["S1"]).floor.bound


def test_a_game_that_was_never_set_up() -> None:
    """A game in a domain that is too large has no votes."""
    play = GameCase(S3, (), 1e-6)
    play.skip("too large")
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert (outcome.verdict, outcome.alpha, outcome.n, outcome.upper_bound) == (
        Standing.DECLINED,
        None,
        None,
        None,
    )


def test_the_command_plays_the_game_again() -> None:
    """The replay command has the stakes, the seed and every limit that is not the default."""
    plan = RunPlan(seed=7, budget=0.5, alarm=1e-3)
    play = finished_game(saving=[0.0] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (outcome,) = outcomes_of(run_of(play, plan=plan), DATE)
    assert outcome.again == (
        "privtopk-conformance play python:some.module:subject "
        "--game S3:m=1800,k=2,epsilon=0.1,delta=0.0,beta=0.01 --seed 7 --budget 0.5 --alarm 0.001"
    )


def test_a_rate_is_a_count_with_limits() -> None:
    """An event that was not observed has no rate."""
    found = rate_of([1.0] * 30 + [0.0] * 70, 1e-6)
    assert isinstance(found, Rate)
    assert (found.count, found.of, found.share) == (30, 100, 0.3)
    assert 0 < found.low < 0.3 < found.high < 1
    assert rate_of(np.empty(0), 1e-6) is None


@pytest.mark.parametrize("verdict", CaseVerdict)
def test_every_verdict_has_a_name(verdict: CaseVerdict) -> None:
    """A game ends in one of four ways."""
    play = case_before_play(S3, 1e-6)
    play.verdict = verdict
    (outcome,) = outcomes_of(run_of(play), DATE)
    assert outcome.verdict in Standing
