"""Facts about verdicts on games: which selectors are refuted or within bounds."""

import math

import numpy as np
import pytest
from scipy import stats

from conformance.games.support_games import (
    SMALL,
    Constant,
    case_before_play,
    play_game,
    plays,
)
from conformance.wire.support_wire import served_address
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.trial import Observation
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.playing import NEITHER, GameCase, play_matches
from privtopk.conformance.mutants.right.bases import right_random_scan, right_scan, right_threshold
from privtopk.conformance.running.runner import RunPlan
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.calls import AdapterError

S3 = match_at(SMALL["S3"])
FAIR = 1 - S3.floor.bound / S3.floor.horizon
"""The largest mean saving that the theorem allows."""


def test_the_error_probability_is_shared_by_the_null_hypotheses() -> None:
    """S3 has three null hypotheses, and four for a selector with an upper bound."""
    assert case_before_play(S3, 1e-6).stream_alpha == 1e-6 / 3
    assert case_before_play(S3, 1e-6, Constant(1, "threshold")).stream_alpha == 1e-6 / 4


def test_too_cheap_and_inaccurate() -> None:
    """A game ends as soon as a broken promise is found: here, accuracy."""
    game = case_before_play(S3, 1e-6)
    game.take(0, 96, plays(game, saving=[0.99] * 96, errors=[1.0] * 192, advantage=[0.5] * 96))
    assert (game.verdict, game.broken) == (CaseVerdict.FAIL, (Promise.ACCURACY,))


def test_too_cheap_and_not_private() -> None:
    """A large advantage shows that privacy is broken."""
    game = case_before_play(S3, 1e-6)
    game.take(0, 96, plays(game, saving=[0.99] * 96, errors=[0.0] * 192, advantage=[0.95] * 96))
    assert (game.verdict, game.broken) == (CaseVerdict.FAIL, (Promise.PRIVACY,))


def test_too_cheap_without_a_visible_breach() -> None:
    """If no breach is visible, all plays are made, and only the theorem refutes the selector."""
    game = case_before_play(S3, 1e-6)
    for _ in range(2):
        game.take(0, 96, plays(game, saving=[0.9] * 96, errors=[0.0] * 192, advantage=[0.5] * 96))
        assert game.verdict is None
    game.finish()
    assert (game.verdict, game.broken, game.is_too_cheap) == (CaseVerdict.FAIL, (), True)


def test_expensive_and_inaccurate() -> None:
    """A broken promise refutes a selector at any cost."""
    game = case_before_play(S3, 1e-6)
    game.take(0, 96, plays(game, saving=[0.0] * 96, errors=[0.5] * 192, advantage=[0.5] * 96))
    game.finish()
    assert (game.verdict, game.broken) == (CaseVerdict.FAIL, (Promise.ACCURACY,))
    assert not game.is_too_cheap


def test_a_cost_above_the_promised_one() -> None:
    """A threshold selector that reads everything breaks its promise on the cost."""
    game = case_before_play(S3, 1e-6, Constant(1, "threshold"))
    seen = plays(
        game, saving=[0.0] * 96, errors=[0.0] * 192, advantage=[0.5] * 96, accesses=[0.5] * 96
    )
    game.take(0, 96, seen)
    game.finish()
    assert (game.verdict, game.broken) == (CaseVerdict.FAIL, (Promise.COST,))


def test_a_refutation_is_final() -> None:
    """Later plays do not undo a refutation."""
    game = case_before_play(S3, 1e-6)
    seen = plays(game, saving=[0.0] * 8, errors=[1.0, 0.0] * 8, advantage=[0.5] * 8)
    game.take(0, 8, seen)
    for _ in range(40):
        game.take(0, 96, plays(game, saving=[0.0] * 96, errors=[0.0] * 192, advantage=[0.5] * 96))
    assert game.stream_log_e(0, "errors") < -math.log(game.stream_alpha)
    game.finish()
    assert game.verdict is CaseVerdict.FAIL


def test_large_enough() -> None:
    """A selector whose cost is shown to be at least the bound is within bounds."""
    game = case_before_play(S3, 1e-6)
    game.take(0, 192, plays(game, saving=[0.0] * 192, errors=[0.0] * 384, advantage=[0.5] * 192))
    game.finish()
    assert (game.verdict, game.message) == (CaseVerdict.PASS, "")
    assert S3.floor.bound <= game.counted_low() <= S3.floor.horizon


def test_undecided() -> None:
    """A mean cost at the bound is undecided, which is no pass."""
    game = case_before_play(S3, 1e-6)
    seen = plays(game, saving=[FAIR] * 192, errors=[0.0] * 384, advantage=[0.5] * 192)
    game.take(0, 192, seen)
    game.finish()
    assert (game.verdict, game.message) == (CaseVerdict.ERROR, NEITHER)


def test_a_selector_that_declines_a_play_declines_the_game() -> None:
    """A selector that declines one play ends the game, which is skipped."""
    game = case_before_play(S3, 1e-6)
    game.take(0, 32, Observation(declined="it needs sorted access"))
    assert (game.verdict, game.message) == (CaseVerdict.SKIP, "it needs sorted access")


@pytest.mark.slow
def test_the_verdict_is_calibrated() -> None:
    """A selector at the bound of every null hypothesis is refuted as rarely as promised.

    Null: P(refuted) <= 0.1 at alarm 0.1, with every stream independent and exactly at its
    bound: savings are the horizon or nothing, errors are coins of chance beta, advantages coins
    of the largest allowed mean. 300 games of three pieces; the test fails beyond the binomial
    quantile of 1 - 1e-9 (64), and finds a verdict that is wrong in a third of all games with
    probability above 0.99.
    """
    coins = np.random.default_rng(5)
    advantage = math.exp(0.1) / (1 + math.exp(0.1))
    refuted = 0
    for _ in range(300):
        game = case_before_play(S3, 0.1)
        for n in (32, 64, 96):
            tosses = {
                "saving": coins.random(n) < FAIR,
                "errors": coins.random(2 * n) < 0.01,
                "advantage": coins.random(n) < advantage,
            }
            game.take(
                0,
                n,
                plays(game, **{key: list(map(float, v)) for key, v in tosses.items()}),
            )
            if game.verdict is not None:
                break
        refuted += bool(game.refuted_streams)
    assert refuted <= stats.binom.isf(1e-9, 300, 0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("thing", "name", "verdict", "message"),
    [
        (right_random_scan, "S1", "pass", ""),
        (right_random_scan, "thm-5.1", "pass", ""),
        (right_random_scan, "S2", "skip", "it needs random access"),
        (right_scan, "S2", "pass", ""),
        (right_scan, "thm-5.3", "pass", ""),
        (right_scan, "S1", "skip", "it needs sorted access"),
        pytest.param(right_threshold, "S3", "pass", "", marks=pytest.mark.heavy),
        pytest.param(right_threshold, "thm-5.4", "pass", "", marks=pytest.mark.heavy),
        (right_threshold, "S1", "skip", "it needs sorted access"),
        (right_threshold, "S2", "skip", "it needs random access"),
    ],
)
def test_right_selectors_play_within_their_bounds(
    thing: object, name: str, verdict: str, message: str
) -> None:
    """One door is enough for a scan; the threshold algorithm needs both and otherwise declines."""
    found = play_game(thing, SMALL[name])
    assert (found.verdict, found.message) == (verdict, message)


def test_unread_items_do_not_help() -> None:
    """With sorted access only, unread items cost all accesses up to their ranks.

    The first items are low now and then, and the rank of a low item is large: a selector that
    reads nothing is not found too cheap on S2, which asks for no accuracy.
    """
    found = play_game(Constant(0), SMALL["S2"])
    assert (found.verdict, found.message, found.refuted_streams) == (
        CaseVerdict.ERROR,
        NEITHER,
        set(),
    )
    assert set(found.measured["unread"]) == {4.0}
    assert np.mean(found.measured["costs"]) >= found.match.floor.bound


@pytest.mark.slow
def test_a_subject_behind_a_wire_plays_as_well() -> None:
    """A child that needs a closed door declines, and one that is too cheap is refuted."""
    matches = (match_at(SMALL["S1"]), S3)
    with GuardedExecutor(1, 120.0, 2048) as workers:
        run = play_matches(
            served_address("python:privtopk.conformance.mutants.cheap_players:ExactTopK"),
            matches,
            RunPlan(alarm=1e-9),
            executor=workers,
        )
    declined, refuted = run.cases
    assert (declined.verdict, declined.message) == (CaseVerdict.SKIP, "it needs sorted access")
    assert isinstance(refuted, GameCase)
    assert (refuted.verdict, refuted.broken) == (CaseVerdict.FAIL, (Promise.PRIVACY,))


@pytest.mark.slow
def test_only_selectors_play() -> None:
    """Only a selector can play a game."""
    address = "python:privtopk.conformance.mutants.right.bases:right_index"
    with (
        GuardedExecutor(1, 60.0, 2048) as workers,
        pytest.raises(
            AdapterError,
            match=f"^games are played by selectors, {address} is a predecessor-index$",
        ),
    ):
        play_matches(address, (S3,), executor=workers)


def test_games_share_the_alarm() -> None:
    """Each of six games may be wrong with a sixth of the probability."""
    game = GameCase(S3, (), 1e-6 / 6)
    assert (game.alpha, game.setting, game.stream_alpha) == (1e-6 / 6, None, 1e-6 / 6)
