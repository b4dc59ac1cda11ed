"""Facts about what is told of a game."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest

from conformance.games.support_games import SMALL, Constant, empty_play, played_by, rounds
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


def finished(play: GameCase) -> GameCase:
    """Return a game after its last round."""
    play.finish()
    return play


def fed(**streams: list[float]) -> GameCase:
    """Return a finished game that saw chosen streams."""
    play = empty_play(S3, 1e-6)
    play.take(0, len(streams["saving"]), rounds(play, **streams))
    return finished(play)


def test_a_refuted_selector() -> None:
    """The exact top k is seen to break privacy, with the rates and the epsilon that they show."""
    (told,) = outcomes_of(run_of(played_by(ExactTopK(), SMALL["S3"], alarm=1e-6)), DATE)
    assert (told.game, told.subject, told.doors) == ("S3", "subject", ("sorted", "random"))
    assert (told.m, told.k, told.epsilon, told.delta, told.beta) == (1800, 2, 0.1, 0.0, 0.01)
    assert (told.certificate, told.horizon) == (S3.floor.bound, S3.floor.horizon)
    assert (told.verdict, told.broken, told.summary) == (
        Standing.REFUTED,
        (Promise.PRIVACY,),
        "refuted: privacy",
    )
    assert (told.is_too_cheap, told.is_forced, told.upper_bound) == (True, False, None)
    assert told.seen is not None
    assert (told.seen.cost.mean, told.seen.cost.low, told.seen.cost.high) == (2.0, 2.0, 2.0)
    assert told.seen.counted.low < 2.0 < told.seen.counted.high < told.certificate
    assert told.seen.neighbour_hits is not None
    assert told.seen.base_hits is not None
    assert told.seen.neighbour_hits.count == 0 < told.seen.base_hits.count
    assert told.seen.errors is not None
    assert (told.seen.errors.count, told.seen.errors.of) == (0, 2 * told.trials)
    assert told.seen.epsilon is not None
    assert (
        0.1 < told.seen.epsilon <= math.log(told.seen.base_hits.low / told.seen.neighbour_hits.high)
    )
    assert (told.hypotheses, told.date) == (HYPOTHESES, "2026-01-02T03:04:05+00:00")


def test_only_the_theorem_speaks() -> None:
    """A selector that is too cheap without a visible breach has broken one of two promises."""
    play = fed(saving=[0.9] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (told,) = outcomes_of(run_of(play), DATE)
    assert (told.summary, told.is_forced) == ("refuted: privacy or accuracy", True)


def test_a_breach_at_full_price() -> None:
    """Who errs and pays is told to err, and nothing is forced."""
    play = fed(saving=[0.0] * 96, errors=[0.5] * 192, advantage=[0.5] * 96)
    (told,) = outcomes_of(run_of(play), DATE)
    assert (told.summary, told.is_too_cheap, told.is_forced) == ("refuted: accuracy", False, False)


def test_within_bounds() -> None:
    """The price is shown to be at least the bound, and the tolerances say how surely."""
    play = fed(saving=[0.0] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (told,) = outcomes_of(run_of(play), DATE)
    assert (told.summary, told.broken, told.message) == ("within bounds", (), "")
    assert told.seen is not None
    assert told.seen.counted.low >= told.certificate
    assert told.seen.epsilon is None
    assert told.seen.tolerances["errors"] == "a mean of 0.0743 where 0.01 is allowed"


def test_a_breach_of_the_rules() -> None:
    """What is no answer at all is told in its own words."""
    play = empty_play(S3, 1e-6)
    play.fail(0, "must return k=2 items, got 3 (m=1800)")
    (told,) = outcomes_of(run_of(play), DATE)
    assert (told.summary, told.seen) == ("refuted: rules", None)
    assert told.message == "must return k=2 items, got 3 (m=1800)"


def test_a_declined_game() -> None:
    """Nothing was seen, and why is told; what the certificate asks for is told all the same."""
    (told,) = outcomes_of(run_of(played_by(Constant(1), SMALL["S1"])), DATE)
    assert (told.summary, told.message, told.seen) == ("declined", "it needs sorted access", None)
    assert told.certificate == match_at(SMALL["S1"]).floor.bound


def test_a_game_that_was_never_set_up() -> None:
    """A domain that is too large leaves no votes to tell of."""
    play = GameCase(S3, (), 1e-6)
    play.skip("too large")
    (told,) = outcomes_of(run_of(play), DATE)
    assert (told.verdict, told.alpha, told.n, told.upper_bound) == (
        Standing.DECLINED,
        None,
        None,
        None,
    )


def test_the_command_plays_the_game_again() -> None:
    """It names the stakes, the seed and every limit that is not the usual one."""
    plan = RunPlan(seed=7, budget=0.5, alarm=1e-3)
    play = fed(saving=[0.0] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    (told,) = outcomes_of(run_of(play, plan=plan), DATE)
    assert told.again == (
        "privtopk-conformance play python:some.module:subject "
        "--game S3:m=1800,k=2,epsilon=0.1,delta=0.0,beta=0.01 --seed 7 --budget 0.5 --alarm 0.001"
    )


def test_a_rate_is_a_count_with_limits() -> None:
    """What was never looked for has none."""
    found = rate_of([1.0] * 30 + [0.0] * 70, 1e-6)
    assert isinstance(found, Rate)
    assert (found.count, found.of, found.share) == (30, 100, 0.3)
    assert 0 < found.low < 0.3 < found.high < 1
    assert rate_of(np.empty(0), 1e-6) is None


@pytest.mark.parametrize("verdict", CaseVerdict)
def test_every_verdict_has_a_name(verdict: CaseVerdict) -> None:
    """A game ends in one of four ways."""
    play = empty_play(S3, 1e-6)
    play.verdict = verdict
    (told,) = outcomes_of(run_of(play), DATE)
    assert told.verdict in Standing
